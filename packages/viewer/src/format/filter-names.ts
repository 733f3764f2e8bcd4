import type { CustomFilter } from '@portal-embed/contract';

import type { ReportView } from '../requests/viewer.ts';
import type { Formats } from './create-formats.ts';

/** `Orders/Region` is `Region` to a reader. */
export const columnOf = (key: string) => key.slice(key.lastIndexOf('/') + 1);

/** Filters by key; several values of one key mean any of them. */
export function groupFilters(
  filters: readonly CustomFilter[],
): { key: string; values: string[] }[] {
  const groups = new Map<string, Set<string>>();
  for (const { key, value } of filters) groups.set(key, (groups.get(key) ?? new Set()).add(value));
  return [...groups].map(([key, values]) => ({ key, values: [...values] }));
}

/** The filters of the host, with the names and values that a reader sees. */
export const listHostFilters = (
  { filters, unappliedFilters }: ReportView,
  { formatFilterValue }: Formats,
) =>
  groupFilters(filters.filter(({ key }) => !unappliedFilters.includes(key))).map(
    ({ key, values }) => ({ key, column: columnOf(key), values: values.map(formatFilterValue) }),
  );
