/** Bounds that keep one tenant or user from using up what all share; each per process. */
export interface Limits {
  /** Mints of one tenant that run at the same time. Default 32. */
  concurrentMints: number;
  /** Mints of one tenant that wait for their turn; more are answered 503 at once. Default 128. */
  queuedMints: number;
  /** Mints of one user in a minute; more are answered 429. Default 60. */
  mintsPerUserPerMinute: number;
  /**
   * How long a mint may take in all, in milliseconds: reading the body, your callbacks, waiting,
   * retries, and what `portalCsp` has waited before it are included. Default 5,000.
   */
  timeoutMs: number;
}

const defaults: Limits = {
  concurrentMints: 32,
  queuedMints: 128,
  mintsPerUserPerMinute: 60,
  timeoutMs: 5_000,
};

/** Throws a `TypeError` that says what to fix. */
export function readLimits(limits: Partial<Limits> = {}): Limits {
  if (typeof limits !== 'object' || limits === null)
    throw new TypeError(
      `portalEmbed: limits must be an object with any of ${Object.keys(defaults).join(', ')}.`,
    );
  for (const name of Object.keys(limits))
    if (!Object.hasOwn(defaults, name))
      throw new TypeError(
        `portalEmbed: limits has no "${name}"; it knows ${Object.keys(defaults).join(', ')}.`,
      );
  const read = { ...defaults };
  // By name, since those of an instance of a class may be getters.
  for (const name of Object.keys(defaults) as (keyof Limits)[]) {
    const value = limits[name];
    if (value === undefined) continue;
    const least = name === 'queuedMints' ? 0 : 1;
    if (!Number.isInteger(value) || value < least || value > 2 ** 31 - 1)
      throw new TypeError(
        `portalEmbed: limits.${name} must be a whole number of at least ${least}.`,
      );
    read[name] = value;
  }
  return read;
}
