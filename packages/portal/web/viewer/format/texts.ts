/** Shown instead of a missing number. */
export const noValue = '–';

/** Shown instead of a missing value of a dimension. */
export const blank = '(blank)';

/** Shown instead of an empty text. */
export const empty = '(empty)';
