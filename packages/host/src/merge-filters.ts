import { foldFilterKey, type CustomFilter } from '@portal-embed/contract';

/**
 * Merges the browser's filters (`asked`) with the locked ones. The result shows no row that the locked
 * filters alone would hide. Returns `undefined` if the browser's values exclude every value of a locked
 * filter.
 *
 * Several values of one key match any of them. So the browser's values for a locked column are never
 * added; they only select among the locked values.
 */
export function mergeFilters(
  asked: readonly CustomFilter[],
  locked: readonly CustomFilter[],
): CustomFilter[] | undefined {
  const lockedColumns = new Set(locked.map(({ key }) => readColumn(key)));
  const kept = locked.filter(({ key, value }) => {
    const choice = asked.filter((each) => readColumn(each.key) === readColumn(key));
    return choice.length === 0 || choice.some((each) => each.value === value);
  });
  const keptKeys = new Set(kept.map(({ key }) => key));
  if (locked.some(({ key }) => !keptKeys.has(key))) return undefined;
  return [...kept, ...asked.filter(({ key }) => !lockedColumns.has(readColumn(key)))];
}

/**
 * Returns the same column for all keys that may name one column: `Table/Column` and `Column`, in any
 * letter case, which a portal may ignore.
 */
function readColumn(key: string): string {
  return foldFilterKey(key).split('/').at(-1)!.trim();
}
