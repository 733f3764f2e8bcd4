/**
 * A token bucket for retries, so that an unreachable portal does not get three times as many
 * requests. Each call earns 0.1 token and each retry costs 1. The bucket holds 10 tokens.
 */
export interface RetryBucket {
  deposit: () => void;
  /** Takes the token for a retry. Returns `false` if there is none. */
  take: () => boolean;
}

const capacity = 10;
const tokensPerCall = 0.1;

export function createRetryBucket(): RetryBucket {
  let tokens = capacity;
  return {
    deposit() {
      tokens = Math.min(capacity, tokens + tokensPerCall);
    },
    take() {
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
