import { emailKey } from '@portal-embed/contract';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

import { Refusal } from './refusal.ts';

/** Counts a mint of a user, or throws the refusal `rate_limited`. */
export type CountMint = (organizationId: string, email: string) => Promise<void>;

export function createUserRate(mintsPerMinute: number): CountMint {
  const limiter = new RateLimiterMemory({ points: mintsPerMinute, duration: 60 });
  return async (organizationId, email) => {
    try {
      await limiter.consume(`${organizationId} ${emailKey(email)}`);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      throw new Refusal('rate_limited', { retryAfterSeconds: error.msBeforeNext / 1_000 });
    }
  };
}
