import { promisify } from 'node:util';

import type { Request, RequestHandler, Response } from 'express';
import { contentSecurityPolicy } from 'helmet';

import { admitPortal } from './admit-portal.ts';
import { beforeDeadline, limitVisit } from './limit-time.ts';
import { readLimits } from './limits.ts';
import { createFindTenant } from './tenants.ts';
import type { Tenants } from './tenants.ts';

export interface PortalCspOptions {
  /** The same tenants as `portalEmbed` has. */
  tenants: Tenants;
  /**
   * helmet's options for an app without a policy of its own. Default: helmet's defaults. Where
   * helmet has run before, its policy is kept and only `frame-src` and `connect-src` are extended. A
   * policy without `frame-src`, `child-src` and `default-src` lets pages frame anything, and is left
   * at that.
   */
  contentSecurityPolicy?: Parameters<typeof contentSecurityPolicy>[0] | undefined;
}

const headerNames = ['Content-Security-Policy', 'Content-Security-Policy-Report-Only'];

const mostWaitMs = 1_000;

/**
 * Express middleware that allows pages to frame this tenant's portal and no other: it adds the
 * portal's origin to `frame-src`, and to `connect-src`, so that `PortalEmbed` can ask a page that says
 * nothing for a sign of life. Mount it after helmet. A request of an unknown tenant, or of one
 * whose look-up fails or takes longer than a second, keeps the policy that it has. The time that it
 * waits for the look-up is part of the time limit of `portalEmbed`.
 *
 * @throws TypeError if the tenants are not valid; the message says what to fix.
 */
export function portalCsp(options: PortalCspOptions): RequestHandler {
  checkOptions(options);
  const findTenant = createFindTenant(options.tenants, readLimits());
  const setOwnPolicy = promisify(contentSecurityPolicy(options.contentSecurityPolicy));

  async function setHeaders(req: Request, res: Response) {
    if (!headerNames.some((name) => res.hasHeader(name))) await setOwnPolicy(req, res);
    using time = limitVisit(res, mostWaitMs);
    // A page without its frame is better than no page, and `portalEmbed` tells what went wrong.
    const tenant = await beforeDeadline(findTenant(req), time.signal).catch(() => undefined);
    if (!tenant) return;
    for (const name of headerNames) {
      const header = res.getHeader(name);
      if (header === undefined) continue;
      // A list is several policies, each of which has to allow the frame.
      const policies = [header]
        .flat()
        .map((each) => admitPortal(String(each), tenant.portalOrigin));
      res.setHeader(name, Array.isArray(header) ? policies : policies[0]!);
    }
  }

  return async (req, res, next) => {
    try {
      await setHeaders(req, res);
    } catch (error) {
      next(error);
      return;
    }
    next();
  };
}

const optionNames = ['tenants', 'contentSecurityPolicy'] satisfies (keyof PortalCspOptions)[];

function checkOptions(options: PortalCspOptions): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError('portalCsp: needs an object with tenants.');
  for (const name of Object.keys(options))
    if (!(optionNames as string[]).includes(name))
      throw new TypeError(
        `portalCsp: has no option "${name}"; it knows ${optionNames.join(', ')}.`,
      );
}
