import { foldFilterKey, type CustomFilter } from '@portal-embed/contract';

/**
 * Merges the browser's filters with the server's: locked ∩ asked. The result shows no row that the
 * locked filters alone would hide. `undefined` if the browser's values exclude every value of a locked
 * filter.
 *
 * Several values of one key mean any of them. So the browser's values for a locked column are never
 * added; they select among the locked values.
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
 * Returns the column of a key. `Table/Column` and `Column` may name the same column, and a portal may
 * ignore case, so keys that could be equal count as equal.
 */
function columnOf(key: string): string {
  return foldFilterKey(key).split('/').at(-1)!.trim();
}
