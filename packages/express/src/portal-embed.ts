import type { NextFunction, Request, RequestHandler, Response } from 'express';

import {
  answerMethodNotAllowed,
  answerRefusal,
  answerUrl,
  prepare,
  readRequestId,
} from './answer.ts';
import { isCrossSite } from './cross-site.ts';
import { mintFor } from './mint.ts';
import { checkOptions } from './options.ts';
import type { PortalEmbedOptions, PortalUser } from './options.ts';
import { applyPolicy, readPolicy } from './policy.ts';
import { readHostRequest, requireJson } from './read-body.ts';
import { Refusal } from './refusal.ts';
import { createFindTenant } from './tenants.ts';

/**
 * Express middleware that answers `POST {mount}/url` with a single-use portal URL for the user of
 * the current session. Mount it with `app.use('/portal-embed', portalEmbed({ … }))`, after the
 * session.
 *
 * What fails in `user`, `authorize` or a tenant function goes to the app's error handler.
 *
 * @throws TypeError if an option is missing, unknown or not valid; the message says what to fix.
 */
export function portalEmbed<User extends PortalUser>(
  options: PortalEmbedOptions<User>,
): RequestHandler {
  checkOptions(options);
  const { authorize = () => true } = options;
  const findTenant = createFindTenant(options.tenants, options.timeoutMs ?? 5_000);

  async function mint(req: Request, res: Response, requestId: string) {
    const tenant = await findTenant(req);
    if (isCrossSite(req, tenant.authority.origin, tenant.allowedOrigins))
      throw new Refusal('cross_site');
    requireJson(req);
    const user = await options.user(req);
    if (!user) throw new Refusal('not_signed_in');
    if (typeof user.email !== 'string' || user.email === '')
      throw new TypeError('portalEmbed: user must return an object with an email, or null.');
    const request = await readHostRequest(req, res);
    const policy = readPolicy(await authorize({ user, tenant: tenant.info, request, req }));
    const { signal } = abortOnClose(res);
    return mintFor(tenant, user.email, applyPolicy(request, policy), { signal, requestId });
  }

  async function respond(req: Request, res: Response, next: NextFunction) {
    const requestId = readRequestId(req);
    prepare(res, requestId);
    try {
      if (req.method === 'POST') answerUrl(res, await mint(req, res, requestId));
      else answerMethodNotAllowed(res, requestId);
    } catch (error) {
      if (error instanceof Refusal) answerRefusal(res, error, requestId);
      else next(error);
    }
  }

  return (req, res, next) => {
    if (req.path === '/url') void respond(req, res, next);
    else next();
  };
}

/** Nobody waits for the answer any more once the browser has gone. */
function abortOnClose(res: Response): AbortController {
  const controller = new AbortController();
  res.once('close', () => controller.abort());
  return controller;
}
