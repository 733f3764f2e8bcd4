const maxSeconds = 5 * 60;

/**
 * Computes the seconds until an identity URL expires, by the portal's clock if its answer has a
 * date. The result is between 0 and the five minutes of the specification, or NaN if `expiresAt` is
 * not a date.
 */
export function computeExpiresIn(expiresAt: string, portalTime: number | undefined): number {
  const seconds = Math.floor((Date.parse(expiresAt) - (portalTime ?? Date.now())) / 1_000);
  return Math.min(maxSeconds, Math.max(0, seconds));
}
