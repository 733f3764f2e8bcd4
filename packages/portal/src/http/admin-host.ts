import type { RequestHandler } from 'express';

import { PortalError } from '../errors.ts';
import { requestOrigin } from './origin.ts';

/** What the host name of the administration answers. */
const adminPaths = /^\/(?:admin(?:\/|$)|assets\/|docs\/errors(?:\/|$)|logos\/|livez$|readyz$)/;

/**
 * Refuses all other paths at the host name of the administration, if it has one of its own: scripts of
 * other pages at that name could read its cookie's pages. Cookies ignore ports, so names are compared.
 */
export function separateHosts(adminUrl: string, publicUrl: string): RequestHandler {
  const { hostname } = new URL(adminUrl);
  const isSeparate = hostname !== new URL(publicUrl).hostname;
  return (req, _res, next) => {
    // HTTP/1.0 requires no `Host` header.
    const requested = (req.hostname as string | undefined)?.toLowerCase();
    if (!isSeparate || requested !== hostname || req.path === '/' || adminPaths.test(req.path)) {
      next();
      return;
    }
    throw new PortalError(
      'not_found',
      `There is nothing at this address. The administration portal is at ${adminUrl}/admin.`,
    );
  };
}

/** Skips the rest of a router for requests at another origin. */
export const onlyAt =
  (origin: string): RequestHandler =>
  (req, _res, next) =>
    requestOrigin(req) === origin ? next() : next('router');
