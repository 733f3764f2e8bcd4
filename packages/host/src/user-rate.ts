import { emailKey } from '@portal-embed/contract';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

import { Refusal } from './refusal.ts';

/** Counts a mint of a user. Throws the refusal `rate_limited` beyond the limit. */
export type CountMint = (organizationId: string, userEmail: string) => Promise<void>;

export function createUserRate(mintsPerMinute: number): CountMint {
  const limiter = new RateLimiterMemory({ points: mintsPerMinute, duration: 60 });
  return async (organizationId, userEmail) => {
    try {
      await limiter.consume(`${organizationId} ${emailKey(userEmail)}`);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      throw new Refusal('rate_limited', { retryAfterSeconds: error.msBeforeNext / 1_000 });
    }
  };
}
