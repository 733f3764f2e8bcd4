/** Letters of a word that stays whole. A longer one breaks inside its cell. */
const maxLetters = 20;

/**
 * The letters of the longest word, in steps of four. `tables.css` makes a cell so wide that the word is not
 * broken.
 */
export function countLetters(texts: readonly string[]): number {
  const longest = Math.max(
    1,
    ...texts.flatMap((text) => text.split(/\s/)).map(({ length }) => length),
  );
  return Math.ceil(Math.min(longest, maxLetters) / 4);
}
