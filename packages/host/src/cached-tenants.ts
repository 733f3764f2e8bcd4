import { parseOptions } from '@portal-embed/contract';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

import { beforeDeadline, limitTime } from './limit-time.ts';
import { createIntegerSchema } from './limits.ts';
import { readTenant } from './tenant.ts';
import type { Tenant } from './tenant.ts';

export interface TenantCacheOptions {
  /** How long a found tenant is used before the next look-up, in milliseconds. Default 60,000. */
  maxAgeMs?: number | undefined;
  /**
   * How long a host name without a tenant is cached, in milliseconds. A new tenant is found after
   * this time at the latest. Default 5,000.
   */
  maxMissAgeMs?: number | undefined;
  /** How many tenants are cached at most, and how many host names without one. Default 1,000. */
  maxEntries?: number | undefined;
  /**
   * How long a look-up may take, in milliseconds. Requests that wait for it are then answered
   * `portal_timeout`, and the next request starts another look-up. Default 5,000.
   */
  timeoutMs?: number | undefined;
}

const optionsSchema = z.strictObject(
  {
    maxAgeMs: createIntegerSchema(1).default(60_000),
    maxMissAgeMs: createIntegerSchema(1).default(5_000),
    maxEntries: createIntegerSchema(1).default(1_000),
    timeoutMs: createIntegerSchema(1).default(5_000),
  } satisfies Record<keyof TenantCacheOptions, z.ZodType>,
  'options must be an object',
);

/**
 * Looks up tenants by host name in your database and caches them:
 * `tenants: cachedTenants((hostName) => db.findTenant(hostName))`. Host names without a tenant have
 * a separate cache for a few seconds, so requests for unknown host names neither reach the database
 * each time nor evict tenants. The next request repeats a look-up that failed or timed out.
 * Concurrent requests share one look-up.
 *
 * The look-up sees the host name alone, because the cache has no other key.
 *
 * @throws TypeError if an option is unknown or not valid; the message says what to fix.
 */
export function cachedTenants(
  lookUp: (hostName: string) => Promise<Tenant | null | undefined>,
  options: TenantCacheOptions = {},
): (context: unknown, hostName: string) => Promise<Tenant | null> {
  if (typeof lookUp !== 'function')
    throw new TypeError('cachedTenants: needs a function that finds a tenant by host name.');
  const { maxAgeMs, maxMissAgeMs, maxEntries, timeoutMs } = parseOptions(
    optionsSchema,
    options,
    'cachedTenants',
  );
  const known = new LRUCache<string, Tenant>({ max: maxEntries, ttl: maxAgeMs });
  const missing = new LRUCache<string, true>({ max: maxEntries, ttl: maxMissAgeMs });
  const running = new Map<string, Promise<Tenant | null>>();

  async function find(hostName: string): Promise<Tenant | null> {
    using time = limitTime(timeoutMs, { message: 'The look-up of the tenant took too long.' });
    const found = await beforeDeadline(Promise.resolve(lookUp(hostName)), time.signal);
    if (!found) {
      missing.set(hostName, true);
      return null;
    }
    const tenant = readTenant(`tenant "${hostName}"`, found);
    known.set(hostName, tenant);
    return tenant;
  }

  function findOnce(hostName: string): Promise<Tenant | null> {
    const underWay = running.get(hostName);
    if (underWay) return underWay;
    const work = find(hostName).finally(() => running.delete(hostName));
    running.set(hostName, work);
    return work;
  }

  return async (_, hostName) => {
    if (missing.has(hostName)) return null;
    return known.get(hostName) ?? findOnce(hostName);
  };
}
