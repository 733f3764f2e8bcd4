/** Edit distance: inserted, removed, replaced or swapped characters. */
function countEdits(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length] ?? 0;
}

/** Comparisons of characters that one search costs at most: about a millisecond. */
const maxComparisons = 300_000;

/** The name that the author probably meant, among the first of very many names. */
export function findNearest(name: string, names: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let fewest = Math.max(1, Math.floor(name.length / 3)) + 0.5;
  const wanted = name.toLowerCase();
  let left = maxComparisons;
  for (const each of names) {
    // The cost is the square of the length.
    if (Math.abs(each.length - name.length) > fewest || each.length > 100) continue;
    left -= each.length * name.length;
    if (left < 0) break;
    const edits = countEdits(wanted, each.toLowerCase());
    // A difference in letter case is smaller than a different letter.
    const distance = each === name ? 0 : edits + 0.01;
    if (distance < fewest) {
      nearest = each;
      fewest = distance;
    }
  }
  return nearest;
}

const maxListed = 25;

function listNames(names: readonly string[]): string {
  if (names.length === 0) return 'none is defined';
  const more = names.length > maxListed ? ` and ${names.length - maxListed} more` : '';
  const list = names.slice(0, maxListed).join(', ');
  return names.length === 1 ? `write ${list}` : `write one of ${list}${more}`;
}

/**
 * Says that a name is unknown, and which name the author probably meant.
 *
 * @param advice for a name that is near no other. Default: a list of the names
 */
export const describeUnknown = (
  what: string,
  name: string,
  names: Iterable<string>,
  advice?: string,
): string => `unknown ${what} ${JSON.stringify(name)}; ${suggestName(name, names, advice)}`;

function suggestName(name: string, names: Iterable<string>, advice?: string): string {
  const known = [...names];
  const nearest = findNearest(name, known);
  return nearest === undefined
    ? (advice ?? listNames(known))
    : `did you mean ${JSON.stringify(nearest)}?`;
}

/** Columns that a source had before. */
export interface LostColumns {
  source: 'file' | 'table';
  names: ReadonlySet<string>;
}

/** Says that a field does not exist, or that the source has lost its column. */
export const describeMissing = (
  name: string,
  fields: Iterable<string>,
  lost: LostColumns | undefined,
): string =>
  lost?.names.has(name)
    ? `the ${lost.source} has no column ${JSON.stringify(name)} any more; ${suggestName(name, fields, 'add it again, or remove what uses it')}`
    : describeUnknown('field', name, fields);
