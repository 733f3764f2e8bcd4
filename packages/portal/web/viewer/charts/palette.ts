import type { ComputedPage, FailedTile, Key, Tile } from '@portal-embed/report-model';

/** Colors of series. A value of a dimension has one color on all tiles of a page. */
export type Palette = (dimension: string, key: Key) => string;

/** `--series-1` and so on in tokens.css. */
const seriesColors = 10;

/** Color of a chart with one series. */
export const onlyColor = 'var(--chart)';

/** Color of combined groups, and of series beyond the palette. */
export const restColor = 'var(--series-rest)';

export const colorAt = (index: number): string =>
  index >= 0 && index < seriesColors ? `var(--series-${index + 1})` : restColor;

export function createPalette(rows: ComputedPage['rows']): Palette {
  const known = new Map<string, Key[]>();
  for (const tile of rows.flat()) {
    const color = colorDimensionOf(tile);
    if (!color) continue;
    const keys = known.get(color.name) ?? [];
    known.set(color.name, keys);
    for (const key of color.keys) if (!keys.includes(key)) keys.push(key);
  }
  return (dimension, key) => colorAt(known.get(dimension)?.indexOf(key) ?? -1);
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
