import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';

import { PortalError } from '../errors.ts';
import { sha256 } from '../secrets.ts';
import { refuse as refuseLimited } from './refuse.ts';
import { limits } from './table.ts';

const { windowSeconds } = limits.refusedRequests;

/** Accepted credentials, and how long they are exempt from the limit. */
const exempt = { max: 10_000, ttl: 600_000, ttlResolution: 0 };

export interface RefusalLimit {
  /**
   * Runs the look-up of a credential unless the client address is over the limit. An accepted
   * credential is exempt from then on. Counts a refusal: `lookUp` throws `invalid_api_key` or
   * `session_required`, or `isRefused` says so.
   *
   * @param credential a key or bearer; `undefined` for the token of an identity URL
   * @throws `rate_limited` before the look-up
   */
  check: <Result>(
    ip: string | undefined,
    credential: string | undefined,
    lookUp: () => Promise<Result>,
    isRefused?: (result: Result) => boolean,
  ) => Promise<Result>;
  /** Exempts a credential that was just issued. */
  accept: (credential: string) => void;
  /**
   * Counts a page request that carries no credential, apart from the refusals.
   *
   * @returns false if the client address is over the limit
   */
  admitPage: (ip: string | undefined) => Promise<boolean>;
}

/**
 * Limits the refused requests of a client address, so that strangers cannot load the database with
 * unknown credentials. Counts in the memory of this instance. Recently accepted credentials are
 * exempt, so that a stranger behind the same proxy cannot lock out others.
 *
 * @param limit refused requests of one client address in ten seconds; 0 for no limit
 */
export function createRefusalLimit(limit: number): RefusalLimit {
  if (limit === 0)
    return {
      check: (_ip, _credential, lookUp) => lookUp(),
      accept: () => {},
      admitPage: async () => true,
    };
  const refusals = new RateLimiterMemory({ points: limit, duration: windowSeconds });
  const pages = new RateLimiterMemory({ points: limit, duration: windowSeconds });
  const accepted = new LRUCache<string, true>(exempt);
  /** Look-ups of unproven credentials, by client address. */
  const lanes = new Map<string, { running: number; waiting: (() => void)[] }>();

  const isAccepted = (credential: string | undefined): boolean =>
    credential !== undefined && accepted.has(hashCredential(credential));

  /**
   * Waits until the look-up would stay within the limit even if all running ones were refused, so
   * that simultaneous requests cannot exceed it.
   *
   * @returns a function that ends the look-up
   */
  async function enterLane(client: string): Promise<() => void> {
    for (;;) {
      const counted = await refusals.get(client);
      const refused = counted?.consumedPoints ?? 0;
      if (counted && refused >= limit) throw limited(counted.msBeforeNext);
      const lane = lanes.get(client) ?? { running: 0, waiting: [] };
      lanes.set(client, lane);
      if (refused + lane.running < limit) {
        lane.running += 1;
        return () => {
          lane.running -= 1;
          if (lane.running === 0) lanes.delete(client);
          for (const wake of lane.waiting.splice(0)) wake();
        };
      }
      await new Promise<void>((wake) => lane.waiting.push(wake));
    }
  }

  async function refuse(client: string, credential: string | undefined): Promise<void> {
    if (credential !== undefined) accepted.delete(hashCredential(credential));
    await refusals.penalty(client);
  }

  function accept(credential: string): void {
    accepted.set(hashCredential(credential), true);
  }

  return {
    accept,
    admitPage: (ip) =>
      pages.consume(identifyClient(ip)).then(
        () => true,
        () => false,
      ),
    check: async (ip, credential, lookUp, isRefused = () => false) => {
      const client = identifyClient(ip);
      const leaveLane = isAccepted(credential) ? () => {} : await enterLane(client);
      try {
        const result = await lookUp();
        if (isRefused(result)) await refuse(client, credential);
        else if (credential !== undefined) accept(credential);
        return result;
      } catch (error) {
        if (isRefusal(error)) await refuse(client, credential);
        throw error;
      } finally {
        leaveLane();
      }
    },
  };
}

const isRefusal = (error: unknown): boolean =>
  error instanceof PortalError &&
  (error.code === 'invalid_api_key' || error.code === 'session_required');

function limited(msBeforeNext: number): PortalError {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1_000));
  return refuseLimited(
    limits.refusedRequests,
    'Too many requests from your network address were refused.',
    { advice: `Try again in ${seconds} s.`, retryAfter: seconds },
  );
}

const hashCredential = (credential: string): string => sha256(credential).toString('base64');

/** An IPv4 address, or the /64 network of an IPv6 address, which usually has one owner. */
export function identifyClient(ip: string | undefined): string {
  if (ip === undefined) return 'unknown';
  // Some proxies write the port behind the address: `192.0.2.1:4711`, `[2001:db8::1]:4711`.
  const host = ipaddr.isValid(ip) ? ip : ip.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  if (!ipaddr.isValid(host)) return 'unknown';
  const address = ipaddr.process(host);
  return address instanceof ipaddr.IPv6
    ? address.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')
    : address.toString();
}
