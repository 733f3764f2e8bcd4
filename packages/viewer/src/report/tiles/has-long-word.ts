/** Letters of a word that stays whole. `tables.css` breaks a longer one inside its cell. */
const maxLetters = 20;

/** Whether a text has a word that its cell breaks. */
export const hasLongWord = (text: string): boolean =>
  text.split(/\s/).some(({ length }) => length > maxLetters);
