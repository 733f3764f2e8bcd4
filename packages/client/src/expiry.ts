const longestSeconds = 5 * 60;

/**
 * Seconds until an identity URL expires: by the portal's clock where its answer tells the time,
 * else by ours. Never negative and never more than the five minutes of the specification;
 * NaN if `expiresAt` is no date.
 */
export function secondsUntil(expiresAt: string, portalTime: number | undefined): number {
  const seconds = Math.floor((Date.parse(expiresAt) - (portalTime ?? Date.now())) / 1_000);
  return Math.min(longestSeconds, Math.max(0, seconds));
}
