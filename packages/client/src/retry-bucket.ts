/**
 * Limits retries to a share of all calls, so that a dead portal is not hit three times as hard as
 * a living one. Every call pays in a tenth of a retry, every retry takes a whole one; at most ten
 * are saved up.
 */
export interface RetryBucket {
  deposit: () => void;
  /** Takes one retry out; `false` if there is none left. */
  take: () => boolean;
}

const capacity = 10;
const share = 0.1;

export function createRetryBucket(): RetryBucket {
  let saved = capacity;
  return {
    deposit() {
      saved = Math.min(capacity, saved + share);
    },
    take() {
      if (saved < 1) return false;
      saved -= 1;
      return true;
    },
  };
}
