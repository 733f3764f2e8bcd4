import { foldFilterKey, type CustomFilter } from '@portal-embed/contract';
import type {
  CyclicGrain,
  ResolvedDataset,
  ResolvedField,
  ResolvedFilter,
} from '@portal-embed/report-model';

import { anyOf, everyOf, isReadable, matchesAny, resolvePeriods } from './compare.ts';
import type { Condition } from './plan.ts';

/** The filters of one key in one list. */
export interface FieldFilter {
  field: ResolvedField;
  /** A row must match one of them. */
  values: readonly string[];
  /** Whether rows without a value match too. */
  hasBlank?: boolean;
  /** The values are positions in a longer period, such as 1 for January. */
  grain?: CyclicGrain | undefined;
  /**
   * The mark to which the filter belongs, of a tile with several selected marks: a row must match all filters of
   * one of them.
   */
  mark?: { tile: string; index: number } | undefined;
}

export interface ReadFilters {
  /** A row must match all of them. */
  filters: FieldFilter[];
  /** Keys that match no field. */
  unapplied: string[];
}

type Named = Pick<ResolvedDataset, 'name' | 'fields'>;

/**
 * Finds the fields of filters. A row must match one value of each key in each list. Two keys for the
 * same field are two filters, so that another spelling cannot widen a filter.
 */
export function readFilters(
  dataset: Named,
  lists: readonly (readonly CustomFilter[])[],
): ReadFilters {
  const filters: FieldFilter[] = [];
  const unapplied = new Set<string>();
  const fields = lists.flat().length > 0 ? foldNames(dataset) : new Map<string, ResolvedField[]>();
  for (const list of lists) {
    for (const key of new Set(list.map((filter) => filter.key))) {
      const field = findField(fields, key);
      const values = new Set(list.filter((filter) => filter.key === key).map(({ value }) => value));
      if (field) filters.push({ field, values: [...values] });
      else unapplied.add(key);
    }
  }
  return { filters, unapplied: [...unapplied] };
}

/** The fields by their folded names, `Table/Column` and `Column`. */
function foldNames({ name: table, fields }: Named): Map<string, ResolvedField[]> {
  const folded = new Map<string, ResolvedField[]>();
  for (const field of fields.values())
    for (const name of new Set([`${table}/${field.name}`, field.name].map(foldFilterKey)))
      folded.set(name, [...(folded.get(name) ?? []), field]);
  return folded;
}

/**
 * Finds the field of a key, `Table/Column` or `Column`, in any letter case. The name of a field may
 * contain a slash. If fields differ only in letter case, the key must spell one exactly.
 */
function findField(
  fields: ReadonlyMap<string, readonly ResolvedField[]>,
  key: string,
): ResolvedField | undefined {
  const matches = fields.get(foldFilterKey(key)) ?? [];
  if (matches.length <= 1) return matches[0];
  return (
    matches.find(({ name }) => key.endsWith(`/${name}`)) ?? matches.find(({ name }) => key === name)
  );
}

/** The defaults of a report's filters, except for fields that another filter already uses. */
export function listDefaults(
  filters: readonly ResolvedFilter[],
  applied: readonly FieldFilter[],
  dataAsOf: string | undefined,
): CustomFilter[] {
  const set = new Set(applied.map(({ field }) => field.name));
  return filters
    .filter(({ field }) => !set.has(field))
    .flatMap(({ field, type, default: values = [] }) =>
      values
        .map((text) => resolvePeriods(type, text, dataAsOf))
        .filter((value) => value !== undefined)
        .map((value) => ({ key: field, value })),
    );
}

/** The rows that match all filters. */
export function compileFilters(filters: readonly FieldFilter[]): Condition {
  const single = filters.filter(({ mark }) => mark === undefined);
  return everyOf([
    ...single.map(compileFilter),
    ...listMarks(filters).map((marks) =>
      anyOf(marks.map((mark) => everyOf(mark.map(compileFilter)))),
    ),
  ]);
}

/** The filters of each selected mark, for each tile with several of them. */
export function listMarks(filters: readonly FieldFilter[]): FieldFilter[][][] {
  const tiles = new Map<string, Map<number, FieldFilter[]>>();
  for (const filter of filters) {
    if (!filter.mark) continue;
    const { tile, index } = filter.mark;
    const marks = tiles.get(tile) ?? new Map<number, FieldFilter[]>();
    tiles.set(tile, marks.set(index, [...(marks.get(index) ?? []), filter]));
  }
  return Array.from(tiles.values(), (marks) => [...marks.values()]);
}

function compileFilter(filter: FieldFilter): Condition {
  const { field, values, hasBlank = false } = filter;
  if (!hasBlank) return matchesValues(filter);
  const isBlank: Condition = { kind: 'null', operand: field.expression };
  return anyOf([...(values.length > 0 ? [matchesValues(filter)] : []), isBlank]);
}

const matchesValues = ({ field, values, grain }: FieldFilter): Condition =>
  grain ? { kind: 'grain', operand: field.expression, grain, values } : matchesAny(field, values);

/** Filters that match no row because the value does not have the type of its field. */
export const listUnreadable = (filters: readonly FieldFilter[]): CustomFilter[] =>
  filters.flatMap(({ field, values }) =>
    values
      .filter((value) => !isReadable(field.type, value))
      .map((value) => ({ key: field.name, value })),
  );
