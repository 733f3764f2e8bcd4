import type { CustomFilter } from '@portal-embed/contract';

/** `Orders/Region` is `Region` to a reader. */
export const columnOf = (key: string) => key.slice(key.lastIndexOf('/') + 1);

/** Filters by key; several values of one key mean any of them. */
export function groupFilters(filters: CustomFilter[]): { key: string; values: string[] }[] {
  const groups = new Map<string, Set<string>>();
  for (const { key, value } of filters) groups.set(key, (groups.get(key) ?? new Set()).add(value));
  return [...groups].map(([key, values]) => ({ key, values: [...values] }));
}
