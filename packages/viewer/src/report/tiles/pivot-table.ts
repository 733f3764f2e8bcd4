import type {
  Dimension,
  Group,
  Key,
  Metric,
  PivotSort,
  PivotTile,
  Value,
} from '@portal-embed/report-model';

import { filterBy } from '../../charts/filter-by.ts';
import { totalOf } from '../../charts/total.ts';
import { compareKeys, compareRanks } from '../../format/compare.ts';
import type { Formats } from '../../format/create-formats.ts';
import { fixDecimals } from '../../format/fix-decimals.ts';
import type { ReaderFilter } from '../../requests/reader-view.ts';
import { writeTip } from '../../tips.ts';
import { findExtents, type HighlightOptions } from './highlight.ts';

/** A header cell, which spans cells of the levels below. */
export interface Span {
  id: string;
  text: string;
  span: number;
  /** Number of levels that it spans. */
  depth: number;
  /** Position of its first column of values. */
  start: number;
  filters: readonly ReaderFilter[];
  /** What sorts the rows by the column below, if the header has one column. */
  sort?: Omit<PivotSort, 'descending'> & {
    /** Names the column with the groups that it is in. */
    label: string;
  };
}

export interface Cell {
  id: string;
  text: string;
  /** The number, if its metric highlights it. */
  highlight?: { metric: Metric; value: Value } & HighlightOptions;
  /** The lines of the cell's tooltip. */
  tip?: string;
  /** The filters that select the rows of the cell. Totals have none. */
  filters: readonly ReaderFilter[];
}

export interface PivotRow {
  id: string;
  names: Cell[];
  cells: Cell[];
  /** Whether the row is the total of a group. Its last name spans the dimensions that it combines. */
  isSubtotal: boolean;
}

export interface PivotTable {
  /** Levels of headers. If there are several metrics, the last level has their names. */
  levels: { id: string; spans: Span[] }[];
  /** Positions of the columns of values that begin a group, without the first one. */
  edges: ReadonlySet<number>;
  /** Positions of the columns of values that are totals. */
  totalColumns: ReadonlySet<number>;
  rows: PivotRow[];
  totals: Cell[] | null;
}

/** Gives each cell its position as its id. */
const numberCells = (cells: readonly Omit<Cell, 'id'>[]): Cell[] =>
  cells.map((cell, position) => ({ id: String(position), ...cell }));

const idOf = (keys: readonly (Key | readonly Key[])[]) => JSON.stringify(keys);

/** Keys of the first dimensions of rows or columns. Those of a total are fewer than its dimensions. */
type Prefix = readonly Key[];

/** Lays out the groups of a pivot in rows and columns. */
export function layOutPivot(tile: PivotTile, formats: Formats): PivotTable {
  const { rows, columns, groups, totals, subtotals = [] } = tile;
  const values = indexValues(tile);
  const metrics = fixDecimals(tile.metrics, [...values.values()], formats);
  const name = createNames(tile, formats);
  const rowKeys = unique(totals?.rows, groups, (keys) => keys.slice(0, rows.length));
  const columnKeys = unique(totals?.columns, groups, (keys) => keys.slice(rows.length));
  if (!totals) columnKeys.sort((one, other) => compareColumns(one, other, columns));
  const hasSubtotals = subtotals.length > 0;
  const rowList = listPrefixes(rowKeys, rows.length, hasSubtotals);
  const columnList: Prefix[] = [
    ...listPrefixes(columnKeys, columns.length, hasSubtotals),
    ...(totals ? [[]] : []),
  ];
  const extents = findExtents(metrics, groups);
  const sums = metrics.map((_, column) =>
    tile.shownCount === tile.groupCount ? totalOf(tile, column) : undefined,
  );
  const total = formats.formatMessage('table.total');
  const fill = (row: Prefix, column: Prefix) => {
    const known = values.get(idOf([row, column]));
    const isCell = row.length === rows.length && column.length === columns.length;
    const names = () =>
      [
        ...row.map((key, level) => name(level, key)),
        ...column.map((key, level) => name(rows.length + level, key)),
      ].join(', ');
    return metrics.map((metric, position) => {
      const value = known?.[position] ?? null;
      return {
        text: known ? formats.formatNumber(value, metric.format) : '',
        filters: known && isCell ? filterBy([...rows, ...columns], [...row, ...column]) : [],
        ...(metric.conditionalFormat && {
          highlight: {
            metric,
            value,
            ...(isCell ? { extent: extents[position] } : { isTotal: true }),
          },
        }),
        ...(known &&
          isCell && {
            tip: writeTip(
              names(),
              formats.describeValue(metric.name, value, metric.format, sums[position]),
            ),
          }),
      };
    });
  };
  const nameColumn = (keys: Prefix) =>
    [
      ...keys.map((key, level) => name(rows.length + level, key)),
      ...(keys.length < columns.length ? [total] : []),
    ].join(', ');
  const fillRow = (row: Prefix) => numberCells(columnList.flatMap((column) => fill(row, column)));
  const levels = columns.map((column, level) => ({
    id: column.name,
    spans: mergeSpans(
      columnList.map((keys, place) => {
        const isTotal = level >= keys.length;
        return {
          id: isTotal ? `total ${idOf(keys)}` : idOf(keys.slice(0, level + 1)),
          text: isTotal ? total : name(rows.length + level, keys[level] ?? null),
          span: level > keys.length ? 0 : metrics.length,
          depth: isTotal ? columns.length - level : 1,
          start: place * metrics.length,
          filters: isTotal ? [] : filterBy(columns.slice(0, level + 1), keys),
          ...(metrics.length === 1 &&
            (isTotal || level === columns.length - 1) && {
              sort: { column: rows.length, keys: [...keys], label: nameColumn(keys) },
            }),
        };
      }),
    ),
  }));
  if (metrics.length > 1)
    levels.push({
      id: 'metrics',
      spans: columnList.flatMap((keys, place) =>
        metrics.map(({ name: text }, position) => ({
          id: `${place} ${position}`,
          text,
          span: 1,
          depth: 1,
          start: place * metrics.length + position,
          filters: [],
          sort: {
            column: rows.length + position,
            keys: [...keys],
            label: `${nameColumn(keys)}, ${text}`,
          },
        })),
      ),
    });
  const starts = columnList.map((_, place) => place * metrics.length);
  const heads = levels.slice(0, -1).flatMap(({ spans }) => spans);
  return {
    levels,
    edges: new Set(heads.map(({ start }) => start).filter((start) => start > 0)),
    totalColumns: new Set(
      columnList.flatMap((keys, place) =>
        keys.length < columns.length ? metrics.map((_, at) => starts[place]! + at) : [],
      ),
    ),
    rows: rowList.map((keys) => ({
      id: idOf(keys),
      isSubtotal: keys.length < rows.length,
      names: numberCells([
        ...keys.map((key, level) => ({
          text: name(level, key),
          filters: filterBy(rows.slice(0, level + 1), [...keys]),
        })),
        ...(keys.length < rows.length ? [{ text: total, filters: [] }] : []),
      ]),
      cells: fillRow(keys),
    })),
    totals: totals ? fillRow([]) : null,
  };
}

/** The values of all cells and totals, by the keys of their row and of their column. */
function indexValues({ rows, groups, totals, subtotals = [] }: PivotTile) {
  const sets = [
    { rows: rows.length, groups },
    ...(totals
      ? [
          { rows: rows.length, groups: totals.rows },
          { rows: 0, groups: totals.columns },
          { rows: 0, groups: [{ keys: [], values: totals.all }] },
        ]
      : []),
    ...subtotals,
  ];
  return new Map(
    sets.flatMap((set) =>
      set.groups.map(({ keys, values }): [string, readonly Value[]] => [
        idOf([keys.slice(0, set.rows), keys.slice(set.rows)]),
        values,
      ]),
    ),
  );
}

/** Returns a function that names a key of a dimension, by its index in the rows and columns. */
function createNames({ rows, columns, groups, incompleteKeys = [] }: PivotTile, formats: Formats) {
  const formatters = [...rows, ...columns].map((dimension, position) =>
    formats.formatterOf(
      dimension,
      groups.map(({ keys }) => keys[position] ?? null),
    ),
  );
  return (position: number, key: Key): string => {
    const text = formatters[position]!(key);
    const isIncomplete = incompleteKeys.some(
      (each) => each.dimension === position && each.key === key,
    );
    return isIncomplete ? formats.formatMessage('time.incomplete', { period: text }) : text;
  };
}

/** The keys of rows or columns, in the order of the totals if there are any. */
function unique(
  totals: readonly Group[] | undefined,
  groups: readonly Group[],
  part: (keys: readonly Key[]) => Key[],
): Key[][] {
  const known = totals ? totals.map(({ keys }) => keys) : groups.map(({ keys }) => part(keys));
  return [...new Map(known.map((keys) => [idOf(keys), keys])).values()];
}

/** The keys of rows or columns, each group followed by that of its total. */
function listPrefixes(leaves: readonly Prefix[], count: number, hasSubtotals: boolean): Prefix[] {
  if (!hasSubtotals) return [...leaves];
  return leaves.flatMap((keys, index) => {
    const next = leaves[index + 1];
    const groups = Array.from({ length: count - 1 }, (_, level) =>
      keys.slice(0, count - 1 - level),
    );
    return [
      keys,
      ...groups.filter((group) => !next || idOf(next.slice(0, group.length)) !== idOf(group)),
    ];
  });
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

/** Joins adjacent cells with the same id. A cell without a span is below one that spans its level. */
function mergeSpans(items: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const item of items.filter(({ span }) => span > 0)) {
    const last = merged.at(-1);
    if (last?.id === item.id) last.span += item.span;
    else merged.push({ ...item });
  }
  return merged;
}
