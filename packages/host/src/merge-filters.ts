import { foldFilterKey, type CustomFilter } from '@portal-embed/contract';

/**
 * The browser's filters and the server's as one list that lets through no row which the server's
 * alone would not: locked ∩ asked. `undefined` if nothing is left of a locked filter.
 *
 * Values of one key mean any of them, so the browser's values for a locked column never join the
 * list: they choose among the locked ones.
 */
export function mergeFilters(
  asked: readonly CustomFilter[],
  locked: readonly CustomFilter[],
): CustomFilter[] | undefined {
  const lockedColumns = new Set(locked.map(({ key }) => columnOf(key)));
  const kept = locked.filter(({ key, value }) => {
    const choice = asked.filter((each) => columnOf(each.key) === columnOf(key));
    return choice.length === 0 || choice.some((each) => each.value === value);
  });
  const keptKeys = new Set(kept.map(({ key }) => key));
  if (locked.some(({ key }) => !keptKeys.has(key))) return undefined;
  return [...kept, ...asked.filter(({ key }) => !lockedColumns.has(columnOf(key)))];
}

/**
 * `Table/Column` and `Column` may name the same column, and a portal may ignore case, so keys that
 * could mean the same are taken to mean the same.
 */
function columnOf(key: string): string {
  return foldFilterKey(key).split('/').at(-1)!.trim();
}
