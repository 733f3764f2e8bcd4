import { promisify } from 'node:util';

import { createFindPortalOrigin, extendPolicy } from '@portal-embed/host/adapter';
import type { Request, RequestHandler, Response } from 'express';
import { contentSecurityPolicy } from 'helmet';
import onHeaders from 'on-headers';

import type { Tenants } from './options.ts';
import { readAuthority } from './read-authority.ts';
import { measureSpentMs } from './spent-time.ts';

export interface PortalCspOptions {
  /** The same tenants as for `portalEmbed`. */
  tenants: Tenants;
  /**
   * helmet's options for the policy of an app that has none, such as `{}` for helmet's default policy.
   * Default: such an app keeps having none, because its pages may frame anything. A policy that is
   * set already, or that a later handler sets, takes its place. A policy without `frame-src`,
   * `child-src` and `default-src` lets pages frame anything, and stays as it is.
   */
  contentSecurityPolicy?: Parameters<typeof contentSecurityPolicy>[0] | undefined;
}

const headerNames = ['Content-Security-Policy', 'Content-Security-Policy-Report-Only'];

/**
 * Express middleware that allows pages to frame this tenant's portal. It adds to the policy of the
 * application and, without the option `contentSecurityPolicy`, sets none: it adds the portal's
 * origin to `frame-src`, and to `connect-src`, so that `PortalEmbed` can probe a page that
 * stays silent. It extends the policy when the headers are sent, so the policy may come from middleware
 * before or after it. It cannot see a policy in a `<meta>` element. The header `Link` lets the browser
 * connect to the portal early. A request of an unknown tenant, or of one whose look-up fails or takes
 * longer than a second, keeps its policy and gets no `Link`. The time of the look-up counts toward
 * the deadline of `portalEmbed`.
 *
 * @throws TypeError if the tenants are not valid; the message says what to fix.
 */
export function portalCsp(options: PortalCspOptions): RequestHandler {
  const findPortalOrigin = createFindPortalOrigin(options, 'portalCsp');
  const setOwnPolicy =
    options.contentSecurityPolicy &&
    promisify(contentSecurityPolicy(options.contentSecurityPolicy));

  async function setHeaders(req: Request, res: Response) {
    const hasPolicy = headerNames.some((name) => res.hasHeader(name));
    if (!hasPolicy && !res.headersSent) await setOwnPolicy?.(req, res);
    using _ = measureSpentMs(res);
    const portalOrigin = await findPortalOrigin(req, readAuthority(req));
    // Another middleware, such as a time limit, may have answered during the look-up.
    if (portalOrigin === undefined || res.headersSent) return;
    // The browser connects while the page's scripts load.
    res.append('Link', `<${portalOrigin}>; rel=preconnect`);
    onHeaders(res, () => allowPortal(res, portalOrigin));
  }

  return async (req, res, next) => {
    try {
      await setHeaders(req, res);
    } catch (error) {
      next(error);
      return;
    }
    if (!res.writableEnded) next();
  };
}

function allowPortal(res: Response, portalOrigin: string): void {
  for (const name of headerNames) {
    const header = res.getHeader(name);
    if (header === undefined) continue;
    // A list holds several policies, each of which must allow the frame.
    const policies = [header].flat().map((each) => extendPolicy(String(each), portalOrigin));
    res.setHeader(name, Array.isArray(header) ? policies : policies[0]!);
  }
}
