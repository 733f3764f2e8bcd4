import type { ErrorCode } from '@portal-embed/contract';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory } from 'rate-limiter-flexible';

import { PortalError } from '../errors.ts';
import { sha256 } from '../secrets.ts';

const windowSeconds = 10;

/** How long an accepted credential is exempt from the limit. */
const acceptedMs = 600_000;

const maxAccepted = 10_000;

/** Error codes for refused credentials. */
const refusalCodes: ReadonlySet<ErrorCode> = new Set(['invalid_api_key', 'session_required']);

/**
 * Looks up a credential unless its client address is over the limit.
 *
 * @param credential the key or bearer of the request; `undefined` for a single-use token
 * @param isRefused whether a returned result means a refusal; default never
 * @throws `rate_limited` before the look-up
 */
export type LimitRefusals = <Result>(
  req: Request,
  credential: string | undefined,
  lookUp: () => Promise<Result>,
  isRefused?: (result: Result) => boolean,
) => Promise<Result>;

/**
 * Limits the refused requests of a client address, so that strangers cannot load the database with
 * unknown credentials. Counts in the memory of this instance. Recently accepted credentials are
 * exempt, so that a stranger behind the same proxy locks nobody out.
 *
 * @param limit refused requests of one client address in ten seconds; 0 for no limit
 */
export function createRefusalLimit(limit: number): LimitRefusals {
  if (limit === 0) return (_req, _credential, lookUp) => lookUp();
  const refusals = new RateLimiterMemory({ points: limit, duration: windowSeconds });
  const accepted = new Map<string, number>();

  async function checkLimit(client: string, credential: string | undefined): Promise<void> {
    const counted = await refusals.get(client);
    if (!counted || counted.consumedPoints < limit) return;
    if (credential !== undefined && (accepted.get(hashOf(credential)) ?? 0) > performance.now())
      return;
    const seconds = Math.max(1, Math.ceil(counted.msBeforeNext / 1_000));
    throw new PortalError(
      'rate_limited',
      `Too many requests from your network address were refused. Try again in ${seconds} s.`,
      undefined,
      seconds,
    );
  }

  function noteAccepted(credential: string | undefined): void {
    if (credential === undefined) return;
    if (accepted.size >= maxAccepted) accepted.clear();
    accepted.set(hashOf(credential), performance.now() + acceptedMs);
  }

  return async (req, credential, lookUp, isRefused = () => false) => {
    const client = clientOf(req.ip);
    await checkLimit(client, credential);
    try {
      const result = await lookUp();
      if (isRefused(result)) await refusals.penalty(client);
      else noteAccepted(credential);
      return result;
    } catch (error) {
      if (error instanceof PortalError && refusalCodes.has(error.code))
        await refusals.penalty(client);
      throw error;
    }
  };
}

const hashOf = (credential: string): string => sha256(credential).toString('base64');

/** An IPv4 address, or the /64 network of an IPv6 address, which usually has one owner. */
export function clientOf(ip: string | undefined): string {
  if (ip === undefined || !ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  return address instanceof ipaddr.IPv6
    ? address.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')
    : address.toString();
}
