const initialMs = 100;
const maxMs = 2_000;
const maxRetryAfterSeconds = 10;
const maxHeaderSeconds = 24 * 60 * 60;

/**
 * Computes the delay before the next attempt, in milliseconds: `Retry-After`, or exponential backoff
 * with full jitter. Returns `undefined` if `Retry-After` is more than 10 seconds.
 */
export function computeRetryDelay(
  attempt: number,
  retryAfterSeconds: number | undefined,
  random: () => number = Math.random,
): number | undefined {
  if (retryAfterSeconds === undefined)
    return random() * Math.min(maxMs, initialMs * 2 ** (attempt - 1));
  return retryAfterSeconds > maxRetryAfterSeconds ? undefined : retryAfterSeconds * 1_000;
}

/**
 * Reads a `Retry-After` header: seconds, or a date by the portal's clock. The result is limited to a
 * day, because a wrong header could block callers for years.
 */
export function readRetryAfter(header: string | undefined, now = Date.now()): number | undefined {
  const text = header?.trim() ?? '';
  const isDate = /^[a-z]{3,9},? /i.test(text);
  const seconds = isDate
    ? (Date.parse(text) - now) / 1_000
    : /^\d+$/.test(text)
      ? Number(text)
      : NaN;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, seconds), maxHeaderSeconds);
}
