import { isCrossSite as isCrossSiteRequest } from '@portal-embed/host/adapter';
import type { Request } from 'express';

import { readAuthority } from './read-authority.ts';

/**
 * Whether a page of another site may have sent the request. A browser says so in `Sec-Fetch-Site`
 * or, over plain http, only in `Origin`. A client that sends neither is not a browser, so it has no
 * user's cookies. Use it for your own forms, such as the sign-in, as `portalEmbed` does for its
 * endpoint.
 *
 * @param allowedOrigins other origins whose pages may send the request. Default: none
 */
export function isCrossSite(req: Request, allowedOrigins?: ReadonlySet<string>): boolean {
  return isCrossSiteRequest(
    { header: (name) => req.get(name) },
    readAuthority(req),
    allowedOrigins,
  );
}
