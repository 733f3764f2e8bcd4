import type { Request } from 'express';
import { LRUCache } from 'lru-cache';

import { readAuthority } from './authority.ts';
import { beforeDeadline, limitTime } from './limit-time.ts';
import { readTenant } from './read-tenant.ts';
import type { Tenant } from './tenant.ts';

export interface TenantCacheOptions {
  /** How long a found tenant is used without asking again, in milliseconds. Default 60,000. */
  maxAgeMs?: number | undefined;
  /** How many tenants are kept at most. Default 1,000. */
  maxEntries?: number | undefined;
  /**
   * How long a look-up may take, in milliseconds. Those who wait for it are then answered
   * `portal_timeout`, and the next request asks again. Default 5,000.
   */
  timeoutMs?: number | undefined;
}

/**
 * Finds tenants by host name in a database of yours, and remembers those that were found:
 * `tenants: cachedTenants((hostName) => db.findTenant(hostName))`. What was not found, failed, or
 * took too long is asked for again the next time. Requests that arrive together ask once.
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
  const { maxAgeMs, maxEntries, timeoutMs } = readOptions(options);
  const cache = new LRUCache<string, Tenant>({
    max: maxEntries,
    ttl: maxAgeMs,
    async fetchMethod(hostName) {
      using time = limitTime(timeoutMs, 'The look-up of the tenant took too long.');
      const found = await beforeDeadline(Promise.resolve(lookUp(hostName)), time.signal);
      return found ? readTenant(hostName, found) : undefined;
    },
    // An entry that is pushed out while it is being looked up still answers those who wait for it.
    ignoreFetchAbort: true,
  });
  return async (req) => {
    const authority = readAuthority(req);
    return (authority && (await cache.fetch(authority.hostName))) ?? null;
  };
}

const defaults = { maxAgeMs: 60_000, maxEntries: 1_000, timeoutMs: 5_000 };

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
