import type { Request, Response } from 'express';
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory } from 'rate-limiter-flexible';

import { BoundedMap } from '../bounded-map.ts';
import { PortalError } from '../errors.ts';
import { sha256 } from '../secrets.ts';
import { readCaller, readRefusal } from './refusals.ts';

const windowSeconds = 10;

/** How long an accepted credential is exempt from the limit. */
const acceptedMs = 600_000;

export interface RefusalLimit {
  /**
   * Lets a request pass unless its client address is over the limit. How the request ends decides
   * whether it counts: see `isRefused`.
   *
   * @param credential the key or bearer of the request; `undefined` for a single-use token
   * @throws `rate_limited` before anything is looked up
   */
  admit: (req: Request, res: Response, credential: string | undefined) => Promise<void>;
  /** Exempts a credential that was just issued. */
  accept: (credential: string) => void;
  /**
   * Counts a page request that carries no credential, apart from the refusals.
   *
   * @returns false if the client address is over the limit
   */
  admitPage: (req: Request) => Promise<boolean>;
}

/**
 * Limits the refused requests of a client address, so that strangers cannot load the database with
 * unknown credentials. Counts in the memory of this instance. Recently accepted credentials are
 * exempt, so that a stranger behind the same proxy cannot lock out others.
 *
 * @param limit refused requests of one client address in ten seconds; 0 for no limit
 */
export function createRefusalLimit(limit: number): RefusalLimit {
  if (limit === 0) return { admit: async () => {}, accept: () => {}, admitPage: async () => true };
  const refusals = new RateLimiterMemory({ points: limit, duration: windowSeconds });
  const pages = new RateLimiterMemory({ points: limit, duration: windowSeconds });
  const accepted = new BoundedMap<number>();

  /** Requests with unproven credentials, by client address. */
  const lanes = new Map<string, { inFlight: number; waiting: (() => void)[] }>();

  const isAccepted = (credential: string | undefined): boolean =>
    credential !== undefined && (accepted.get(hashOf(credential)) ?? 0) > performance.now();

  /**
   * Waits until the request would stay within the limit even if all requests in flight were refused,
   * so that simultaneous requests cannot exceed it.
   *
   * @returns a function that ends the request
   */
  async function enterLane(client: string, res: Response): Promise<() => void> {
    for (;;) {
      const counted = await refusals.get(client);
      const refused = counted?.consumedPoints ?? 0;
      if (counted && refused >= limit) throw limited(counted.msBeforeNext);
      const lane = lanes.get(client) ?? { inFlight: 0, waiting: [] };
      lanes.set(client, lane);
      if (refused + lane.inFlight < limit) {
        lane.inFlight += 1;
        return () => {
          lane.inFlight -= 1;
          for (const wake of lane.waiting.splice(0)) wake();
          if (lane.inFlight === 0) lanes.delete(client);
        };
      }
      await new Promise<void>((wake) => lane.waiting.push(wake));
      // No one receives the answer, so the look-up would be free of charge.
      if (res.closed) throw limited(0);
    }
  }

  function accept(credential: string): void {
    accepted.set(hashOf(credential), performance.now() + acceptedMs);
  }

  return {
    accept,
    admitPage: (req) =>
      pages.consume(clientOf(req.ip)).then(
        () => true,
        () => false,
      ),
    admit: async (req, res, credential) => {
      const client = clientOf(req.ip);
      const leaveLane = isAccepted(credential) ? () => {} : await enterLane(client, res);
      res.once('close', () => {
        if (!isRefused(res)) {
          if (credential !== undefined && readCaller(res)) accept(credential);
          leaveLane();
          return;
        }
        if (credential !== undefined) accepted.delete(hashOf(credential));
        void refusals.penalty(client).finally(leaveLane);
      });
    },
  };
}

function limited(msBeforeNext: number): PortalError {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1_000));
  return new PortalError(
    'rate_limited',
    'Too many requests from your network address were refused.',
    { advice: `Try again in ${seconds} s.`, retryAfter: seconds },
  );
}

/**
 * An invalid key, an invalid bearer, an unknown token, or a client that disconnected before any of
 * them was known. Spent URLs do not count.
 */
function isRefused(res: Response): boolean {
  const refusal = readRefusal(res);
  if (!refusal) return !readCaller(res) && !res.writableFinished;
  return (
    refusal.code === 'invalid_api_key' ||
    refusal.code === 'session_required' ||
    (refusal.code === 'identity_url_spent' && refusal.reason === 'unknown')
  );
}

const hashOf = (credential: string): string => sha256(credential).toString('base64');

/** An IPv4 address, or the /64 network of an IPv6 address, which usually has one owner. */
export function clientOf(ip: string | undefined): string {
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
