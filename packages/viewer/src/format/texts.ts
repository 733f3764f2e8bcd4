/** Shown instead of a missing number. */
export const noValue = '–';
