import { invalidApiKey } from '../api-keys/service.ts';
import type { Database } from '../db/open.ts';
import { PortalError } from '../errors.ts';
import { leasePermits } from './store.ts';

export interface RateLimit {
  /** Requests that one API key may make in one window, at all instances together; 0 for any number. */
  limit: number;
  /** Length of a window, in seconds. */
  windowSeconds: number;
}

/**
 * Takes one permit of the key.
 *
 * @throws `rate_limited` when the key's window has none left, with the seconds until the next one;
 *   `invalid_api_key` when there is no such key any more.
 */
export type TakePermit = (apiKeyId: string) => Promise<void>;

interface Lease {
  permits: number;
  /** Whether the window had nothing to lease: until it ends, only refusals. */
  exhausted: boolean;
  /** By this process's monotonic clock. */
  endsAt: number;
}

/**
 * A limiter that most requests pass without a look at the database: this instance leases permits of
 * a key's window in blocks, and once the window is used up it refuses by itself until the next.
 */
export function createRateLimiter(db: Database, { limit, windowSeconds }: RateLimit): TakePermit {
  // As many entries as there are API keys in use.
  const leases = new Map<string, Lease>();
  const renewals = new Map<string, Promise<void>>();

  async function renew(apiKeyId: string): Promise<void> {
    const askedAt = performance.now();
    const lease = await leasePermits(db, { apiKeyId, limit, windowSeconds });
    if (!lease) throw invalidApiKey();
    const { permits, windowEndsInMs } = lease;
    // Counted from before the question: the lease may end too early here, but never too late.
    const endsAt = askedAt + windowEndsInMs;
    leases.set(apiKeyId, { permits, exhausted: permits === 0, endsAt });
  }

  async function renewOnce(apiKeyId: string): Promise<void> {
    let renewal = renewals.get(apiKeyId);
    if (!renewal) {
      renewal = renew(apiKeyId).finally(() => renewals.delete(apiKeyId));
      renewals.set(apiKeyId, renewal);
    }
    await renewal;
  }

  return async (apiKeyId) => {
    if (limit === 0) return;
    for (;;) {
      const lease = leases.get(apiKeyId);
      const msLeft = (lease?.endsAt ?? 0) - performance.now();
      if (lease && msLeft > 0) {
        if (lease.permits > 0) {
          lease.permits -= 1;
          return;
        }
        if (lease.exhausted) throw rateLimited(limit, windowSeconds, msLeft);
      }
      await renewOnce(apiKeyId);
    }
  };
}

function rateLimited(limit: number, windowSeconds: number, msLeft: number): PortalError {
  const retryAfterSeconds = Math.ceil(msLeft / 1_000);
  return new PortalError(
    'rate_limited',
    `This API key has made its ${limit} requests of these ${windowSeconds} seconds. Try again in ${retryAfterSeconds} s.`,
    undefined,
    retryAfterSeconds,
  );
}
