import type { Group, Key, Metric, ScatterTile } from '@portal-embed/report-model';

import { compareRanks } from '../format/compare.ts';
import type { Formats } from '../format/create-formats.ts';
import type { Emphasis } from './emphasize.ts';
import { filterBy, type Mark } from './filter-by.ts';
import { createKeyReaders } from './key-readers.ts';
import { onlyColor, restColor, type Palette } from './palette.ts';
import type { NamedColor } from './read-chart.ts';
import { totalOf } from './total.ts';

export interface ScatterPoint {
  /** Index in `marks`. */
  place: number;
  x: number;
  y: number;
  size: number | null;
  color: string;
  /** The name and each value. */
  title: string;
  emphasis?: Emphasis;
}

export interface ScatterPanel {
  name: string | null;
  points: ScatterPoint[];
}

/** A scatter chart ready to be drawn. */
export interface Scatter {
  type: 'scatter';
  x: Metric;
  y: Metric;
  size: Metric | undefined;
  panels: ScatterPanel[];
  /** All points, in the order of their groups. */
  marks: (Mark & { title: string })[];
  legend: NamedColor[];
  /** Groups that lack a value of `x` or `y`. */
  missing: number;
}

export function readScatter(tile: ScatterTile, palette: Palette, formats: Formats): Scatter {
  const { groups, metrics, dimensions } = tile;
  const [x, y, size] = metrics as [Metric, Metric, Metric | undefined];
  const readers = createKeyReaders(dimensions, groups, formats);
  const at = (wanted: string) => dimensions.findIndex(({ role }) => role === wanted);
  const [point, color, facet] = [readers[at('point')]!, readers[at('color')], readers[at('facet')]];
  const colorOf = (group: Group) => {
    if (!color) return point.isOther(group) ? restColor : onlyColor;
    if (color.isOther(group)) return restColor;
    return palette(color.dimension, group.keys[at('color')]!);
  };
  const panels = new Map<string | null, ScatterPoint[]>();
  const legend = new Map<string, NamedColor & { key: Key }>();
  const marks: Scatter['marks'] = [];
  let missing = 0;
  // Points beyond the limit are not in the sum.
  const isComplete = tile.shownCount === tile.groupCount;
  const totals = metrics.map((_, column) => (isComplete ? totalOf(tile, column) : undefined));
  for (const group of groups) {
    const { values } = group;
    const [valueX, valueY] = [values[0] ?? null, values[1] ?? null];
    if (valueX === null || valueY === null) {
      missing += 1;
      continue;
    }
    const name = point.name(group);
    const fill = colorOf(group);
    const ofColor = color?.name(group);
    const id = color?.id(group);
    if (id !== undefined && ofColor !== undefined && !legend.has(id))
      legend.set(id, { id, name: ofColor, color: fill, key: group.keys[at('color')]! });
    const part = facet?.name(group) ?? null;
    const lines = metrics.map(({ name: label, format }, index) =>
      formats.describeValue(label, values[index] ?? null, format, totals[index]),
    );
    const heading =
      ofColor === undefined
        ? name
        : formats.formatMessage('tooltip.point', { name, group: ofColor });
    const title = [heading, ...lines].join('\n');
    const points = panels.get(part) ?? [];
    panels.set(part, points);
    points.push({
      place: marks.length,
      x: Number(valueX),
      y: Number(valueY),
      size: size && values[2] != null ? Number(values[2]) : null,
      color: fill,
      title,
    });
    marks.push({
      name,
      title,
      filters: filterBy(
        dimensions.map(({ dimension }) => dimension),
        group.keys,
      ),
    });
  }
  return {
    type: 'scatter',
    x,
    y,
    size,
    panels: [...panels].map(([name, points]) => ({ name, points })),
    marks,
    legend: [...legend.values()]
      .toSorted((one, other) => (color ? compareRanks(color.dimension, one.key, other.key) : 0))
      .map(({ id, name, color: fill }) => ({ id, name, color: fill })),
    missing,
  };
}
