const baseMs = 100;
const capMs = 2_000;
const longestRetryAfterSeconds = 10;

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

/** Reads a `Retry-After` header, in seconds or as a date. */
export function readRetryAfter(header: string | undefined, now = Date.now()): number | undefined {
  if (!header) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const moment = Date.parse(header);
  return Number.isNaN(moment) ? undefined : Math.max(0, (moment - now) / 1_000);
}
