import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

import type { Owner } from '#report-engine';

import { refuse } from './refuse.ts';
import { authorsAtOnce, limits, type Limit } from './table.ts';

/** Takes one permit before the body is read. @throws `rate_limited` */
export type LimitAuthors = (owner: Owner) => Promise<void>;

const { windowSeconds } = limits.authorRequests;

/**
 * Limits checks, previews, saves and applies of content. Counts in the memory of this instance, because
 * it protects the other requests of this instance.
 *
 * @param limit requests of one user or API key in a minute; 0 for no limit
 */
export function createAuthorLimit(limit: number): LimitAuthors {
  if (limit === 0) return async () => {};
  const ofUser = new RateLimiterMemory({ points: limit, duration: windowSeconds });
  const points = limit * authorsAtOnce;
  const ofOrganization = new RateLimiterMemory({ points, duration: windowSeconds });
  return async ({ organizationId, userId }) => {
    await consume(ofUser, `${organizationId} ${userId}`, limits.authorRequests, 'You have', limit);
    const ofAll = limits.organizationAuthorRequests;
    await consume(ofOrganization, organizationId, ofAll, 'Your organization has', points);
  };
}

async function consume(
  limiter: RateLimiterMemory,
  key: string,
  declared: Limit,
  subject: string,
  limit: number,
): Promise<void> {
  await limiter.consume(key).catch(({ msBeforeNext }: RateLimiterRes) => {
    const retryAfter = Math.ceil(msBeforeNext / 1_000);
    throw refuse(
      declared,
      `${subject} made all ${limit} checks, previews, saves and applies allowed in ${windowSeconds} seconds.`,
      { advice: `Try again in ${retryAfter} s.`, retryAfter },
    );
  });
}
