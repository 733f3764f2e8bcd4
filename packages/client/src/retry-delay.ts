const baseMs = 100;
const capMs = 2_000;
const longestRetryAfterSeconds = 10;
const longestWaitSeconds = 24 * 60 * 60;

/**
 * How long to wait before the next attempt, in milliseconds: full jitter under an exponential cap,
 * or what the portal asks for. `undefined` if it asks for more than a caller should be kept waiting.
 */
export function retryDelay(
  attempt: number,
  retryAfterSeconds: number | undefined,
  random: () => number = Math.random,
): number | undefined {
  if (retryAfterSeconds === undefined)
    return random() * Math.min(capMs, baseMs * 2 ** (attempt - 1));
  return retryAfterSeconds > longestRetryAfterSeconds ? undefined : retryAfterSeconds * 1_000;
}

/**
 * Reads a `Retry-After` header, in seconds or as a date by the clock of whoever wrote it. At most a
 * day, so that a slip of a portal cannot keep anybody out for years.
 */
export function readRetryAfter(header: string | undefined, now = Date.now()): number | undefined {
  const text = header?.trim() ?? '';
  const isDate = /^[a-z]{3,9},? /i.test(text);
  const seconds = isDate
    ? (Date.parse(text) - now) / 1_000
    : /^\d+$/.test(text)
      ? Number(text)
      : NaN;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, seconds), longestWaitSeconds);
}
