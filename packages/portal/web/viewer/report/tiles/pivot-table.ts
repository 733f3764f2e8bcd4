import type { Dimension, Group, Key, PivotTile, Value } from '@portal-embed/report-model';

import { compareKeys } from '../../format/compare.ts';
import type { Formats } from '../../format/create-formats.ts';

/** A header cell, which spans cells of the level below. */
export interface Span {
  id: string;
  text: string;
  span: number;
}

export interface Cell {
  id: string;
  text: string;
}

export interface PivotTable {
  /** Levels of headers. If there are several metrics, the last level has their names. */
  levels: { id: string; spans: Span[] }[];
  rows: { id: string; names: Cell[]; cells: Cell[] }[];
  totals: Cell[] | null;
}

/** Cells by their place. */
const place = (texts: readonly string[]): Cell[] =>
  texts.map((text, position) => ({ id: String(position), text }));

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
  const format = (values: readonly Value[] | undefined) =>
    metrics.map(({ format: of }, position) =>
      values ? formats.formatNumber(values[position] ?? null, of) : '',
    );
  const levels = columns.map((column, level) => ({
    id: column.name,
    spans: mergeSpans(
      columnKeys.map((keys) => ({
        id: idOf(keys.slice(0, level + 1)),
        text: columnNames[level]!(keys[level] ?? null),
        span: metrics.length,
      })),
      totals
        ? {
            id: 'total',
            text: level === 0 ? formats.formatMessage('table.total') : '',
            span: metrics.length,
          }
        : null,
    ),
  }));
  const repeats = columnKeys.length + (totals ? 1 : 0);
  if (metrics.length > 1) {
    const names = Array.from({ length: repeats }, () => metrics.map(({ name }) => name)).flat();
    levels.push({
      id: 'metrics',
      spans: place(names).map(({ id, text }) => ({ id, text, span: 1 })),
    });
  }
  return {
    levels,
    rows: rowKeys.map((keys) => ({
      id: idOf(keys),
      names: place(keys.map((key, position) => rowNames[position]!(key))),
      cells: place([
        ...columnKeys.flatMap((ofColumn) => format(cells.get(idOf([...keys, ...ofColumn])))),
        ...(totals ? format(totalsOfRows.get(idOf(keys))) : []),
      ]),
    })),
    totals: totals
      ? place([
          ...columnKeys.flatMap((keys) => format(totalsOfColumns.get(idOf(keys)))),
          ...format(totals.all),
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

/** Times and numbers ascend. Other columns keep their order. */
function compareColumns(one: Key[], other: Key[], dimensions: readonly Dimension[]): number {
  for (const [position, { kind }] of dimensions.entries()) {
    const [a, b] = [one[position] ?? null, other[position] ?? null];
    if (a === b) continue;
    return kind === 'category' ? 0 : compareKeys(kind, a, b);
  }
  return 0;
}

/** Joins adjacent cells with the same id. */
function mergeSpans(items: readonly Span[], total: Span | null): Span[] {
  const merged: Span[] = [];
  for (const { id, text, span } of items) {
    const last = merged.at(-1);
    if (last?.id === id) last.span += span;
    else merged.push({ id, text, span });
  }
  return total ? [...merged, total] : merged;
}
