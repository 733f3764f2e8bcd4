import type { Dimension, Group, Key, Metric, PivotTile, Value } from '@portal-embed/report-model';

import { filterBy } from '../../charts/filter-by.ts';
import { totalOf } from '../../charts/total.ts';
import { compareKeys, compareRanks } from '../../format/compare.ts';
import type { Formats } from '../../format/create-formats.ts';
import type { ReaderFilter } from '../../requests/reader-view.ts';
import { writeTip } from '../../tips.ts';
import { findExtents, type Extent } from './highlight.ts';

/** A header cell, which spans cells of the level below. */
export interface Span {
  id: string;
  text: string;
  span: number;
  /** Position of its first column of values. */
  start: number;
  filters: readonly ReaderFilter[];
}

export interface Cell {
  id: string;
  text: string;
  /** The number, if its metric highlights it. */
  highlight?: { metric: Metric; value: Value; extent?: Extent | undefined };
  /** The lines of the cell's tooltip. */
  tip?: string;
  /** The filters that select the rows of the cell. Totals have none. */
  filters: readonly ReaderFilter[];
}

export interface PivotTable {
  /** Levels of headers. If there are several metrics, the last level has their names. */
  levels: { id: string; spans: Span[] }[];
  /** Positions of the columns of values that begin a group, without the first one. */
  edges: ReadonlySet<number>;
  rows: { id: string; names: Cell[]; cells: Cell[] }[];
  totals: Cell[] | null;
}

/** Gives each cell its position as its id. */
const numberCells = (cells: readonly Omit<Cell, 'id'>[]): Cell[] =>
  cells.map((cell, position) => ({ id: String(position), ...cell }));

const idOf = (keys: readonly Key[]) => JSON.stringify(keys);

/** Lays out the groups of a pivot in rows and columns. */
export function layOutPivot(tile: PivotTile, formats: Formats): PivotTable {
  const { rows, columns, metrics, groups, totals } = tile;
  const namesOf = (dimensions: readonly Dimension[], from: number) =>
    dimensions.map((dimension, position) =>
      formats.formatterOf(
        dimension,
        groups.map(({ keys }) => keys[from + position] ?? null),
      ),
    );
  const [rowNames, columnNames] = [namesOf(rows, 0), namesOf(columns, rows.length)];
  const rowKeys = unique(totals?.rows, groups, (keys) => keys.slice(0, rows.length));
  const columnKeys = unique(totals?.columns, groups, (keys) => keys.slice(rows.length));
  if (!totals) columnKeys.sort((one, other) => compareColumns(one, other, columns));
  const cells = index(groups);
  const totalsOfRows = index(totals?.rows ?? []);
  const totalsOfColumns = index(totals?.columns ?? []);
  const extents = findExtents(metrics, groups);
  const sums = metrics.map((_, column) =>
    tile.shownCount === tile.groupCount ? totalOf(tile, column) : undefined,
  );
  const fill = (
    values: readonly Value[] | undefined,
    names?: string,
    filters: readonly ReaderFilter[] = [],
  ) =>
    metrics.map((metric, position) => {
      const value = values?.[position] ?? null;
      return {
        text: values ? formats.formatNumber(value, metric.format) : '',
        filters: values ? filters : [],
        ...(metric.conditionalFormat && {
          highlight: { metric, value, extent: names === undefined ? undefined : extents[position] },
        }),
        ...(values &&
          names !== undefined && {
            tip: writeTip(
              names,
              formats.describeValue(metric.name, value, metric.format, sums[position]),
            ),
          }),
      };
    });
  const levels = columns.map((column, level) => ({
    id: column.name,
    spans: mergeSpans(
      columnKeys.map((keys) => ({
        id: idOf(keys.slice(0, level + 1)),
        text: columnNames[level]!(keys[level] ?? null),
        span: metrics.length,
        filters: filterBy(columns.slice(0, level + 1), keys),
      })),
      totals
        ? {
            id: 'total',
            text: level === 0 ? formats.formatMessage('table.total') : '',
            span: metrics.length,
            filters: [],
          }
        : null,
    ),
  }));
  const repeats = columnKeys.length + (totals ? 1 : 0);
  if (metrics.length > 1) {
    const names = Array.from({ length: repeats }, () => metrics).flat();
    levels.push({
      id: 'metrics',
      spans: names.map(({ name: text }, index) => ({
        id: String(index),
        text,
        span: 1,
        start: index,
        filters: [],
      })),
    });
  }
  const heads = levels.at(-2)?.spans ?? [];
  return {
    levels,
    edges: new Set(heads.map(({ start }) => start).filter((start) => start > 0)),
    rows: rowKeys.map((keys) => ({
      id: idOf(keys),
      names: numberCells(
        keys.map((key, position) => ({
          text: rowNames[position]!(key),
          filters: filterBy(rows.slice(0, position + 1), keys),
        })),
      ),
      cells: numberCells([
        ...columnKeys.flatMap((ofColumn) => {
          const all = [...keys, ...ofColumn];
          const names = [
            ...keys.map((key, position) => rowNames[position]!(key)),
            ...ofColumn.map((key, position) => columnNames[position]!(key)),
          ];
          return fill(cells.get(idOf(all)), names.join(', '), filterBy([...rows, ...columns], all));
        }),
        ...(totals ? fill(totalsOfRows.get(idOf(keys))) : []),
      ]),
    })),
    totals: totals
      ? numberCells([
          ...columnKeys.flatMap((keys) => fill(totalsOfColumns.get(idOf(keys)))),
          ...fill(totals.all),
        ])
      : null,
  };
}

const index = (groups: readonly Group[]) =>
  new Map(groups.map(({ keys, values }) => [idOf(keys), values]));

/** The keys of rows or columns, in the order of the totals if there are any. */
function unique(
  totals: readonly Group[] | undefined,
  groups: readonly Group[],
  part: (keys: readonly Key[]) => Key[],
): Key[][] {
  const known = totals ? totals.map(({ keys }) => keys) : groups.map(({ keys }) => part(keys));
  return [...new Map(known.map((keys) => [idOf(keys), keys])).values()];
}

/** Times, numbers and values with an order of their own ascend. Other columns keep their order. */
function compareColumns(one: Key[], other: Key[], dimensions: readonly Dimension[]): number {
  for (const [position, { kind }] of dimensions.entries()) {
    const [a, b] = [one[position] ?? null, other[position] ?? null];
    if (a === b) continue;
    return kind === 'category'
      ? compareRanks(dimensions[position]!, a, b)
      : compareKeys(kind, a, b);
  }
  return 0;
}

/** Joins adjacent cells with the same id. */
function mergeSpans(
  items: readonly Omit<Span, 'start'>[],
  total: Omit<Span, 'start'> | null,
): Span[] {
  const merged: Span[] = [];
  for (const item of total ? [...items, total] : items) {
    const last = merged.at(-1);
    if (last?.id === item.id) last.span += item.span;
    else merged.push({ ...item, start: last ? last.start + last.span : 0 });
  }
  return merged;
}
