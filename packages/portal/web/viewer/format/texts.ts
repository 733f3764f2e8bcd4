/** Shown in place of a number that does not exist. */
export const noValue = '–';

/** Shown in place of a value of a dimension that does not exist. */
export const blank = '(blank)';

/** Shown in place of an empty text. */
export const empty = '(empty)';
