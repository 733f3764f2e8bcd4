import { z } from 'zod';

/** Bounds that keep one tenant or user from using up what all share; each per process. */
export interface Limits {
  /** Mints of one tenant that run at the same time. Default 32. */
  concurrentMints: number;
  /** Mints of one tenant that wait for their turn; more are answered 503 at once. Default 128. */
  queuedMints: number;
  /** Mints of one user in a minute, and as many opened links; more are answered 429. Default 60. */
  mintsPerUserPerMinute: number;
  /**
   * How long a mint may take in total, in milliseconds: reading the body, your callbacks, the queue,
   * retries, and the time that `portalCsp` spent before it are included. Default 5,000.
   */
  timeoutMs: number;
}

/** A whole number of at least `min` that fits a timer. */
export const createIntegerSchema = (min: number) => {
  const error = `must be a whole number of at least ${min}`;
  return z
    .number({ error })
    .int(error)
    .min(min, error)
    .max(2 ** 31 - 1, error);
};

export const limitsSchema = z.strictObject(
  {
    concurrentMints: createIntegerSchema(1).default(32),
    queuedMints: createIntegerSchema(0).default(128),
    mintsPerUserPerMinute: createIntegerSchema(1).default(60),
    timeoutMs: createIntegerSchema(1).default(5_000),
  } satisfies Record<keyof Limits, z.ZodType>,
  { error: 'must be an object' },
);
