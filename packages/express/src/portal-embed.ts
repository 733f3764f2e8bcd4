import type { NextFunction, Request, RequestHandler, Response } from 'express';

import {
  answerMethodNotAllowed,
  answerRefusal,
  answerUrl,
  prepare,
  readRequestId,
} from './answer.ts';
import { ConfigurationError, runCallback } from './callback.ts';
import { isCrossSite } from './cross-site.ts';
import { beforeDeadline, limitVisit } from './limit-time.ts';
import { readLimits } from './limits.ts';
import { mintFor } from './mint.ts';
import { createObserver } from './observe.ts';
import type { Exchange } from './observe.ts';
import { checkOptions } from './options.ts';
import type { PortalEmbedOptions, PortalUser } from './options.ts';
import { applyPolicy, readPolicy } from './policy.ts';
import { createProvisioner } from './provisioning.ts';
import { isThere, readHostRequest, requireJson } from './read-body.ts';
import { Refusal } from './refusal.ts';
import { createFindTenant } from './tenants.ts';
import { createUserRate } from './user-rate.ts';

/**
 * Express middleware that answers `POST {mount}/url` with a single-use portal URL for the user of
 * the current session. Mount it with `app.use('/portal-embed', portalEmbed({ … }))`, after the
 * session.
 *
 * Every failure is answered with a problem of the closed union `HostErrorCode`, and a compressed body
 * with `unsupported_media_type`. What `user`,
 * `authorize`, `provision` or a tenant function throw is answered as `portal_unavailable` and told to
 * `onError` and `logger`, or printed where there is neither.
 *
 * @throws TypeError if an option is missing, unknown or not valid; the message says what to fix.
 */
export function portalEmbed<User extends PortalUser>(
  options: PortalEmbedOptions<User>,
): RequestHandler {
  checkOptions(options);
  const { authorize = () => true } = options;
  const limits = readLimits(options.limits);
  const findTenant = createFindTenant(options.tenants, limits);
  const countMint = createUserRate(limits.mintsPerUserPerMinute);
  const createProvisioning = createProvisioner(options.provision, limits.timeoutMs);
  const observer = createObserver(options);

  async function mint(req: Request, res: Response, exchange: Omit<Exchange<User>, 'durationMs'>) {
    using time = limitVisit(res, limits.timeoutMs);
    const { signal } = time;
    const inTime = <Result>(what: string, work: Promise<Result>) =>
      beforeDeadline(work, signal, what);
    const connected = await inTime('tenants', findTenant(req));
    const { allowedOrigins, info: tenant } = connected;
    exchange.tenant = tenant;
    if (isCrossSite(req, allowedOrigins)) throw new Refusal('cross_site');
    requireJson(req);
    const findUser = async () => {
      const found = await inTime(
        'user',
        runCallback('user', async () => readUser(await options.user(req))),
      );
      if (!found || !isSignedInAt(found.hostName, tenant.hostName))
        throw new Refusal('not_signed_in');
      exchange.user = found.user;
      return found;
    };
    // Before the body, so that strangers are refused unread.
    const first = await findUser();
    await countMint(tenant.organizationId, first.email);
    const isHeldBack = !(await isThere(req));
    const wishes = await inTime('the body', readHostRequest(req, res));
    // Whoever holds a body back may have signed out meanwhile.
    const { user, email } = isHeldBack ? await findUser() : first;
    const context = { user, tenant, request: wishes, req };
    const policy = await inTime(
      'authorize',
      runCallback('authorize', async () => readPolicy(await authorize(context))),
    );
    const request = applyPolicy(wishes, policy);
    const visit = { signal, requestId: exchange.requestId };
    const url = await mintFor(connected, email, request, {
      ...visit,
      provisioning: createProvisioning(connected, { user, tenant }, { ...visit, email }),
    });
    return { url, tenant, user, request };
  }

  async function respond(req: Request, res: Response) {
    const startedAt = performance.now();
    const requestId = readRequestId(req);
    const exchange: Omit<Exchange<User>, 'durationMs'> = { requestId };
    prepare(res, requestId);
    const durationMs = () => performance.now() - startedAt;
    try {
      const { url, ...minted } = await mint(req, res, exchange);
      answerUrl(res, url);
      const { expiresAt } = url;
      observer.minted({ requestId, durationMs: durationMs(), expiresAt, ...minted });
    } catch (error) {
      const refusal = asRefusal(error);
      // The browser has gone, which is nobody's failure.
      if (res.destroyed && refusal === error) return;
      observer.failed({ ...exchange, durationMs: durationMs() }, error);
      // A time limit of the app's own may have answered before.
      if (!res.headersSent) answerRefusal(res, refusal, requestId);
    }
  }

  async function handle(req: Request, res: Response, next: NextFunction) {
    try {
      await respond(req, res);
    } catch (error) {
      next(error);
    }
  }

  return (req, res, next) => {
    if (req.path !== '/url') next();
    else if (req.method === 'POST') void handle(req, res, next);
    else answerMethodNotAllowed(res, readRequestId(req));
  };
}

/** A browser can do as little about a callback that fails as about a portal that does. */
function asRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal('portal_unavailable', { cause: error });
}

/** Reads each field once: what is counted, provisioned and minted for is one and the same user. */
function readUser<User extends PortalUser>(user: User | null | undefined) {
  if (!user) return undefined;
  const { email, hostName } = user;
  if (typeof email !== 'string' || email === '')
    throw new ConfigurationError('portalEmbed: user must return an object with an email, or null.');
  return { user, email, hostName };
}

function isSignedInAt(hostName: unknown, current: string): boolean {
  if (hostName === undefined) return true;
  // What a token holds may be anything, and must not open more than a string would.
  return typeof hostName === 'string' && hostName.toLowerCase().replace(/\.$/, '') === current;
}
