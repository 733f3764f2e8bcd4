/** The last three are of older browsers. */
const prefetchHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/**
 * Whether a browser loads the page before the user opens it. Such a request must not use up a URL,
 * because no tab may ever show its answer.
 *
 * @param header returns the value of a header, or undefined
 */
export const isPrefetch = (header: (name: string) => string | undefined): boolean =>
  prefetchHeaders.some((name) => header(name) !== undefined);
