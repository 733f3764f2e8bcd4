import { foldFilterKey, type CustomFilter } from '@portal-embed/contract';
import type { Dimension, Measure, RowPredicate } from '@portal-embed/report-model';

/** Columns of a dataset: name → DuckDB type, as in the file. */
export type Columns = ReadonlyMap<string, string>;

/** SQL text and its values, which are never part of the text. */
export interface Fragment {
  text: string;
  values: (string | string[])[];
}

/** A definition or role names a column that the dataset lacks. */
export class UnknownColumnError extends Error {
  override name = 'UnknownColumnError';
}

const everyRow: Fragment = { text: 'true', values: [] };
const noRow: Fragment = { text: 'false', values: [] };

const quote = (identifier: string) => `"${identifier.replaceAll('"', '""')}"`;

/** Returns the quoted column and its type, both from the dataset and never from a request. */
function lookUp(columns: Columns, name: string): { column: string; type: string } {
  const type = columns.get(name);
  if (type === undefined) throw new UnknownColumnError(`The dataset has no column "${name}".`);
  return { column: quote(name), type };
}

const combine = (fragments: readonly Fragment[], operator: 'AND' | 'OR'): Fragment => {
  if (fragments.length === 0) return operator === 'AND' ? everyRow : noRow;
  return {
    text: `(${fragments.map((fragment) => fragment.text).join(` ${operator} `)})`,
    values: fragments.flatMap((fragment) => fragment.values),
  };
};

/**
 * Casts values to the column's type, in a subquery, so that each is cast once and not for each row. A
 * value that cannot be cast is NULL: neither the comparison nor its negation matches a row.
 */
function isAnyOf(columns: Columns, name: string, values: readonly string[]): Fragment {
  const { column, type } = lookUp(columns, name);
  if (values.length === 0) return noRow;
  if (type === 'VARCHAR')
    return { text: `${column} IN (${values.map(() => '?').join(', ')})`, values: [...values] };
  return {
    text: `${column} IN (SELECT TRY_CAST(unnest(?) AS ${type}))`,
    values: [[...values]],
  };
}

/** Compiles the predicate of row-level security. */
export function compilePredicate(
  columns: Columns,
  predicate: RowPredicate,
  viewerEmail: string,
): Fragment {
  if ('all' in predicate)
    return combine(
      predicate.all.map((part) => compilePredicate(columns, part, viewerEmail)),
      'AND',
    );
  if ('any' in predicate)
    return combine(
      predicate.any.map((part) => compilePredicate(columns, part, viewerEmail)),
      'OR',
    );
  if ('in' in predicate) return isAnyOf(columns, predicate.column, predicate.in);
  const { column } = lookUp(columns, predicate.column);
  return { text: `lower(CAST(${column} AS VARCHAR)) = lower(?)`, values: [viewerEmail] };
}

export interface CompiledFilters {
  fragment: Fragment;
  /** Keys that match no column. */
  unapplied: string[];
}

/**
 * Compiles filters. Values of one key: any of them. Different keys and lists: all of them, even if two
 * keys name the same column, so that another spelling cannot widen a filter.
 */
export function compileFilters(
  dataset: { name: string; columns: Columns },
  lists: readonly (readonly CustomFilter[])[],
): CompiledFilters {
  const fragments: Fragment[] = [];
  const unapplied = new Set<string>();
  for (const list of lists) {
    for (const key of new Set(list.map((filter) => filter.key))) {
      const column = findFilterColumn(dataset, key);
      const values = new Set(list.filter((filter) => filter.key === key).map(({ value }) => value));
      if (column === undefined) unapplied.add(key);
      else fragments.push(isAnyOf(dataset.columns, column, [...values]));
    }
  }
  return { fragment: combine(fragments, 'AND'), unapplied: [...unapplied] };
}

/**
 * Finds the column of a key, `Table/Column` or `Column`, in any letter case. The name of a column may
 * contain a slash. If columns differ only in letter case, the key must spell one exactly.
 */
function findFilterColumn(
  { name: table, columns }: { name: string; columns: Columns },
  key: string,
): string | undefined {
  const listNames = (column: string) => [`${table}/${column}`, column];
  const folded = foldFilterKey(key);
  const matches = [...columns.keys()].filter((column) =>
    listNames(column).some((name) => foldFilterKey(name) === folded),
  );
  if (matches.length <= 1) return matches[0];
  return (
    matches.find((column) => key.endsWith(`/${column}`)) ?? matches.find((column) => key === column)
  );
}

/** Combines predicate and filters by AND, so that filters can only remove rows. */
export const intersect = (visibleRows: Fragment, filters: Fragment): Fragment =>
  combine([visibleRows, filters], 'AND');

export function compileMeasure(columns: Columns, measure: Measure): string {
  if (measure.aggregate === 'count') return 'count(*)';
  const { column } = lookUp(columns, measure.column ?? '');
  return `${measure.aggregate === 'mean' ? 'avg' : measure.aggregate}(${column})`;
}

export function compileDimension(columns: Columns, dimension: Dimension): string {
  const { column } = lookUp(columns, dimension.column);
  if (dimension.by === 'value') return column;
  if (dimension.by === 'hour-of-day') return `hour(${column})`;
  return `CAST(date_trunc('${dimension.by}', ${column}) AS DATE)`;
}
