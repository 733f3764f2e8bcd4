import type {
  ChartTile,
  Dimension,
  FormatOptions,
  Group,
  Key,
  Metric,
} from '@portal-embed/report-model';

import { compareKeys, compareRanks } from '../format/compare.ts';
import type { Formats } from '../format/create-formats.ts';
import type { Emphasis } from './emphasize.ts';
import { createKeyReaders, type KeyReader } from './key-readers.ts';
import { colorAt, negativeColor, onlyColor, restColor, type Palette } from './palette.ts';
import { totalOf } from './total.ts';

/** A place on the axis of `x`. */
export interface AxisPlace {
  key: Key;
  name: string;
  /** Whether it combines the groups beyond the limit. */
  isOther: boolean;
  /** Whether its period had not ended at the time of the data. */
  isIncomplete: boolean;
  /** Number of places that are folded into this one. */
  folded?: number;
  emphasis?: Emphasis;
}

/** An entry of a legend. */
export interface NamedColor {
  id: string;
  name: string;
  color: string;
}

export interface Series extends NamedColor {
  format: FormatOptions;
  /** Number of all rows of the tile, if the numbers of its groups are shares of it. */
  total?: number | undefined;
}

/** One drawing of a chart: all of it, the part of one facet, or the metrics of one unit. */
export interface Panel {
  name: string | null;
  /** The name of the axis of values. */
  axis: string;
  format: FormatOptions;
  series: Series[];
  /** A value for each series, for each place. */
  values: (number | null)[][];
}

/** A chart ready to be drawn. */
export interface Chart {
  type: Exclude<ChartTile['type'], 'donut'>;
  stack: 'stacked' | 'grouped' | 'percent';
  x: Dimension;
  places: AxisPlace[];
  panels: Panel[];
  /** Value at which the bar of the combined groups is cut, so that the other bars can be compared. */
  cutAt: number;
  /** Each series once, if there are several. */
  legend: NamedColor[];
}

/** Metrics with the same unit share an axis. */
const unitOf = ({ format }: Metric) =>
  [format.style, format.currency ?? '', format.unit ?? ''].join(' ');

/** Values by their keys, in the order in which they first occur. */
function index<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Map<string, Item> {
  const found = new Map<string, Item>();
  for (const item of items) if (!found.has(keyOf(item))) found.set(keyOf(item), item);
  return found;
}

/**
 * A group for each value of a dimension. Times, numbers and values with an order of their own ascend;
 * combined groups come last.
 */
function listMembers(reader: KeyReader, groups: readonly Group[], position: number): Group[] {
  const members = [...index(groups, reader.id).values()];
  const { kind } = reader.dimension;
  const keyOf = ({ keys }: Group) => keys[position] ?? null;
  return members.toSorted(
    (one, other) =>
      Number(reader.isOther(one)) - Number(reader.isOther(other)) ||
      (kind === 'category'
        ? compareRanks(reader.dimension, keyOf(one), keyOf(other))
        : compareKeys(kind, keyOf(one), keyOf(other))),
  );
}

export function readChart(tile: ChartTile, palette: Palette, formats: Formats): Chart {
  const { groups, metrics } = tile;
  const readers = createKeyReaders(tile.dimensions, groups, formats);
  const at = (wanted: string) => tile.dimensions.findIndex(({ role }) => role === wanted);
  const position = at('x');
  const [x, color, facet] = [readers[position]!, readers[at('color')], readers[at('facet')]];
  const { dimension } = x;

  const ordered = [...index(groups, x.id).values()].map((group) => ({
    id: x.id(group),
    key: group.keys[position]!,
    name: x.name(group),
    isOther: x.isOther(group),
    isIncomplete:
      tile.incompleteKey !== undefined &&
      !x.isOther(group) &&
      group.keys[position] === tile.incompleteKey,
  }));
  const isLine = tile.type === 'line' || tile.type === 'area';
  const { kind } = dimension;
  const places =
    isLine && kind !== 'category'
      ? ordered.toSorted((one, other) => compareKeys(kind, one.key, other.key))
      : ordered;
  const placeOf = new Map(places.map(({ id }, place) => [id, place]));

  const colors = color
    ? listMembers(color, groups, at('color')).map((group) => ({
        id: color.id(group),
        name: color.name(group),
        color: color.isOther(group)
          ? restColor
          : palette(color.dimension, group.keys[at('color')]!),
        format: metrics[0]!.format,
        total: totalOf(tile, 0),
      }))
    : [];
  const facets = facet
    ? listMembers(facet, groups, at('facet')).map((group) => ({
        id: facet.id(group),
        name: facet.name(group),
      }))
    : [null];
  const units = [...index(metrics, unitOf).keys()].map((unit) =>
    metrics.flatMap((metric, column) => (unitOf(metric) === unit ? [column] : [])),
  );

  const seriesOf = (columns: number[]) => {
    if (color) return colors;
    return columns.map((column) => ({
      id: String(column),
      name: metrics[column]!.name,
      color: metrics.length === 1 ? onlyColor : colorAt(column),
      format: metrics[column]!.format,
      total: totalOf(tile, column),
    }));
  };

  const panels = facets.flatMap((part) =>
    units.map((columns): Panel => {
      const series = seriesOf(columns);
      const values = series.map(() => places.map((): number | null => null));
      for (const group of groups) {
        if (part && facet!.id(group) !== part.id) continue;
        const place = placeOf.get(x.id(group))!;
        const ofColor = color ? colors.findIndex(({ id }) => id === color.id(group)) : 0;
        for (const [order, column] of columns.entries()) {
          const value = group.values[column]!;
          values[ofColor + order]![place] = value === null ? null : Number(value);
        }
      }
      return {
        name: part?.name ?? null,
        axis: columns.map((column) => metrics[column]!.name).join(', '),
        format: metrics[columns[0]!]!.format,
        series,
        values,
      };
    }),
  );
  const legend = [
    ...index(
      panels.flatMap(({ series }) => series),
      ({ id }) => id,
    ).values(),
  ];
  return {
    type: tile.type as Chart['type'],
    stack: stackOf(tile, panels),
    x: dimension,
    places,
    panels,
    cutAt: findCut(tile, places, panels),
    legend: legend.length > 1 || color ? legend : [],
  };
}

/** Cuts the bar of the combined groups if it would dwarf all others. Stacked bars are never cut. */
function findCut({ type, stack }: ChartTile, places: AxisPlace[], panels: Panel[]): number {
  const position = places.findIndex(({ isOther }) => isOther);
  const isSingle = panels.every(({ series }) => series.length === 1);
  if (position < 0 || !isSingle || stack === 'percent' || (type !== 'bar' && type !== 'column'))
    return Infinity;
  const rows = panels.flatMap(({ values }) => values);
  const highest = Math.max(
    0,
    ...rows.flatMap((row) => row.filter((_, place) => place !== position)).map(Number),
  );
  const other = Math.max(0, ...rows.map((row) => Number(row[position])));
  return highest > 0 && other > 2 * highest ? 1.25 * highest : Infinity;
}

/** Shares of a whole need values of one sign. */
export const hasShares = (panels: readonly Panel[]): boolean =>
  panels.every(({ values }) => values.flat().every((value) => value === null || value >= 0));

function stackOf({ type, stack = 'stacked' }: ChartTile, panels: Panel[]): Chart['stack'] {
  return type !== 'line' && stack === 'percent' && !hasShares(panels) ? 'stacked' : stack;
}

/** In a chart with one series, combined groups and values below zero have separate colors. */
export function colorOfPlace(series: NamedColor, place: AxisPlace, value: number): string {
  if (series.color !== onlyColor) return series.color;
  if (value < 0) return negativeColor;
  return place.isOther ? restColor : series.color;
}
