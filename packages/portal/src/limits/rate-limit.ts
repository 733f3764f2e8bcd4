import type { Database } from '../db/connection/open.ts';
import type { PortalError } from '../errors.ts';
import { leasePermits, type Holder } from './rate-limit-store.ts';
import { refuse } from './refuse.ts';
import type { Limit } from './table.ts';

export interface RateLimit {
  /** Requests that one holder may make in one window, at all instances together; 0 for no limit. */
  limit: number;
  /** Length of a window, in seconds. */
  windowSeconds: number;
}

/**
 * Takes one permit of the holder.
 *
 * @throws `rate_limited` if the holder's window has no permits left, with the seconds until the next
 *   window; the error `gone` of the limiter if the holder no longer exists.
 */
export type TakePermit = (holder: Holder) => Promise<void>;

/** A limit, and the texts for its errors. */
export interface RateLimitTexts {
  limit: Limit;
  /** Subject of the sentence about a used-up limit, such as "This API key has". */
  subject: string;
  /** The error for a holder that no longer exists. */
  gone: () => PortalError;
}

interface Lease {
  permits: number;
  /** Whether the window had no permits left: requests are refused until it ends. */
  exhausted: boolean;
  /** By this process's monotonic clock. */
  endsAt: number;
}

const serializeHolder = (holder: Holder): string => JSON.stringify(holder);

/**
 * Creates a limiter that needs no query for most requests: this instance leases permits of a holder's
 * window in blocks. Once the window is used up, it refuses without a query until the next window.
 */
export function createRateLimiter(
  db: Database,
  { limit, windowSeconds }: RateLimit,
  { limit: declared, subject, gone }: RateLimitTexts,
): TakePermit {
  const leases = new Map<string, Lease>();
  const renewals = new Map<string, Promise<void>>();
  let cleanAt = 0;

  /** Deletes expired leases once per window, since their holders may never return. */
  function cleanUp(): void {
    const now = performance.now();
    if (now < cleanAt) return;
    cleanAt = now + windowSeconds * 1_000;
    for (const [key, { endsAt }] of leases) if (endsAt <= now) leases.delete(key);
  }

  async function renew(holder: Holder): Promise<void> {
    const askedAt = performance.now();
    const lease = await leasePermits(db, { holder, limit, windowSeconds });
    if (!lease) throw gone();
    const { permits, windowEndsInMs } = lease;
    cleanUp();
    // Measured before the query, so that the lease never lasts too long here.
    const endsAt = askedAt + windowEndsInMs;
    leases.set(serializeHolder(holder), { permits, exhausted: permits === 0, endsAt });
  }

  async function renewOnce(holder: Holder): Promise<void> {
    const key = serializeHolder(holder);
    let renewal = renewals.get(key);
    if (!renewal) {
      renewal = renew(holder).finally(() => renewals.delete(key));
      renewals.set(key, renewal);
    }
    await renewal;
  }

  return async (holder) => {
    if (limit === 0) return;
    for (;;) {
      const lease = leases.get(serializeHolder(holder));
      const msLeft = (lease?.endsAt ?? 0) - performance.now();
      if (lease && msLeft > 0) {
        if (lease.permits > 0) {
          lease.permits -= 1;
          return;
        }
        if (lease.exhausted) throw rateLimited(msLeft);
      }
      await renewOnce(holder);
    }
  };

  function rateLimited(msLeft: number): PortalError {
    const retryAfterSeconds = Math.ceil(msLeft / 1_000);
    return refuse(
      declared,
      `${subject} made all ${limit} requests allowed in ${windowSeconds} seconds.`,
      { advice: `Try again in ${retryAfterSeconds} s.`, retryAfter: retryAfterSeconds },
    );
  }
}
