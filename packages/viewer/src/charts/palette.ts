import type { ComputedPage, Dimension, FailedTile, Key, Tile } from '@portal-embed/report-model';

import { adaptColor } from '../requests/adapt-color.ts';

/** Colors of series. A value of a dimension has one color on all tiles of a page. */
export type Palette = (dimension: Dimension, key: Key) => string;

/** The color of each value of a dimension, as its index. */
export type KnownColors = Map<string, Map<Key, number>>;

/** `--series-1` and so on in tokens.css. */
const seriesColors = 10;

/** Color of a chart with one series. */
export const onlyColor = 'var(--chart)';

/** Color of values below zero in a chart with one series. */
export const negativeColor = 'var(--negative)';

/** Color of combined groups, and of series beyond the palette. */
export const restColor = 'var(--series-rest)';

export const colorAt = (index: number): string =>
  index >= 0 && index < seriesColors ? `var(--series-${index + 1})` : restColor;

/** @param known the colors that values have had so far; new values are added */
export function createPalette(rows: ComputedPage['rows'], known: KnownColors = new Map()): Palette {
  const shown = new Map<string, Key[]>();
  for (const tile of rows.flat()) {
    const color = colorDimensionOf(tile);
    if (color) shown.set(color.name, [...(shown.get(color.name) ?? []), ...color.keys]);
  }
  for (const [name, keys] of shown) {
    const colors = known.get(name) ?? new Map<Key, number>();
    known.set(name, colors);
    for (const key of keys) if (!colors.has(key)) addColor(colors, key, keys);
  }
  return (dimension, key) =>
    ownColor(dimension, key) ?? colorAt(known.get(dimension.name)?.get(key) ?? -1);
}

/** The color that the content gives to a value, or that its place in the order does. */
function ownColor({ order = [], colors }: Dimension, key: Key): string | undefined {
  const written = key === null ? undefined : colors?.[String(key)];
  if (written !== undefined) return adaptColor(written);
  const place = key === null ? -1 : order.indexOf(key);
  if (place < 0) return undefined;
  const share = order.length === 1 ? 100 : Math.round((100 * place) / (order.length - 1));
  return `color-mix(in oklab, var(--sequence-end) ${share}%, var(--sequence-start))`;
}

/** If all colors are used, the color of a value that is not shown now is used again. */
function addColor(colors: Map<Key, number>, key: Key, shown: readonly Key[]): void {
  if (colors.size < seriesColors) return void colors.set(key, colors.size);
  const hidden = [...colors].find(([other]) => !shown.includes(other));
  if (!hidden) return;
  colors.delete(hidden[0]);
  colors.set(key, hidden[1]);
}

function colorDimensionOf(tile: Tile | FailedTile) {
  if (!('groups' in tile) || tile.type === 'table' || tile.type === 'pivot') return null;
  const index = tile.dimensions.findIndex(({ role }) => role === 'color');
  if (index < 0) return null;
  const keys = tile.groups.filter(
    ({ other, otherColors }) =>
      otherColors === undefined && (other === undefined || tile.type !== 'donut'),
  );
  return {
    name: tile.dimensions[index]!.dimension.name,
    keys: keys.map((group) => group.keys[index]!),
  };
}
