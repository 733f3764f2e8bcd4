import type { Request } from 'express';
import { LRUCache } from 'lru-cache';

import { readAuthority } from './authority.ts';
import { beforeDeadline, limitTime } from './limit-time.ts';
import { readTenant } from './read-tenant.ts';
import type { Tenant } from './tenant.ts';

export interface TenantCacheOptions {
  /** How long a found tenant is used without asking again, in milliseconds. Default 60,000. */
  maxAgeMs?: number | undefined;
  /**
   * How long a host name without a tenant is cached, in milliseconds. A new tenant is found after
   * this time at the latest. Default 5,000.
   */
  maxMissAgeMs?: number | undefined;
  /** How many tenants are cached at most, and how many host names without one. Default 1,000. */
  maxEntries?: number | undefined;
  /**
   * How long a look-up may take, in milliseconds. Those who wait for it are then answered
   * `portal_timeout`, and the next request asks again. Default 5,000.
   */
  timeoutMs?: number | undefined;
}

/**
 * Looks up tenants by host name in your database and caches them:
 * `tenants: cachedTenants((hostName) => db.findTenant(hostName))`. Host names without a tenant have
 * a separate cache for a few seconds, so requests for unknown host names neither reach the database
 * each time nor evict tenants. The next request repeats a look-up that failed or timed out.
 * Concurrent requests share one look-up.
 *
 * The look-up sees the host name alone, because that is all the cache tells tenants apart by.
 *
 * @throws TypeError if an option is unknown or not valid; the message says what to fix.
 */
export function cachedTenants(
  lookUp: (hostName: string) => Promise<Tenant | null | undefined>,
  options: TenantCacheOptions = {},
): (req: Request) => Promise<Tenant | null> {
  if (typeof lookUp !== 'function')
    throw new TypeError('cachedTenants: needs a function that finds a tenant by host name.');
  const { maxAgeMs, maxMissAgeMs, maxEntries, timeoutMs } = readOptions(options);
  const known = new LRUCache<string, Tenant>({ max: maxEntries, ttl: maxAgeMs });
  const missing = new LRUCache<string, true>({ max: maxEntries, ttl: maxMissAgeMs });
  const running = new Map<string, Promise<Tenant | null>>();

  async function find(hostName: string): Promise<Tenant | null> {
    using time = limitTime(timeoutMs, 'The look-up of the tenant took too long.');
    const found = await beforeDeadline(Promise.resolve(lookUp(hostName)), time.signal);
    if (!found) {
      missing.set(hostName, true);
      return null;
    }
    const tenant = readTenant(hostName, found);
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

  return async (req) => {
    const hostName = readAuthority(req)?.hostName;
    if (hostName === undefined || missing.has(hostName)) return null;
    return known.get(hostName) ?? findOnce(hostName);
  };
}

const defaults = { maxAgeMs: 60_000, maxMissAgeMs: 5_000, maxEntries: 1_000, timeoutMs: 5_000 };

function readOptions(options: TenantCacheOptions): typeof defaults {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(
      `cachedTenants: options must be an object with any of ${Object.keys(defaults).join(', ')}.`,
    );
  const read = { ...defaults };
  for (const name of Object.keys(options))
    if (!Object.hasOwn(defaults, name))
      throw new TypeError(
        `cachedTenants: has no option "${name}"; it knows ${Object.keys(defaults).join(', ')}.`,
      );
  // By name, since those of an instance of a class may be getters.
  for (const name of Object.keys(defaults) as (keyof typeof defaults)[]) {
    const value: unknown = options[name];
    if (value === undefined) continue;
    if (!isCount(value))
      throw new TypeError(`cachedTenants: ${name} must be a whole number of at least 1.`);
    read[name] = value;
  }
  return read;
}

const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) < 2 ** 31;
