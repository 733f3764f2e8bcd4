import type { MiddlewareHandler } from 'hono';
import { NONCE, secureHeaders } from 'hono/secure-headers';

import { tenants } from './tenants.ts';

const tenantsByHostName = new Map(Object.entries(tenants));

/** Each answer has its own nonce, in `c.get('secureHeadersNonce')`, and admits the portal of its tenant. */
export const portalPolicy: MiddlewareHandler = (c, next) => {
  const [hostName = ''] = (c.req.header('host') ?? '').toLowerCase().split(':');
  const portal = tenantsByHostName.get(hostName)?.portalUrl;
  const portals = portal === undefined ? [] : [portal];
  const setHeaders = secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      scriptSrc: [NONCE, "'strict-dynamic'"],
      frameSrc: ["'self'", ...portals],
      connectSrc: ["'self'", ...portals],
      baseUri: ["'none'"],
    },
  });
  return setHeaders(c, next);
};
