import type { Request } from 'express';

import { readAuthority } from './authority.ts';

/**
 * Whether a page of another site may have sent the request. A browser says so in `Sec-Fetch-Site`,
 * or, over plain http, only in `Origin`. A client that sends neither is not a browser, so it has no
 * user's cookies. Use it for your own forms, such as the sign-in, as `portalEmbed` does for its
 * endpoint.
 *
 * @param allowedOrigins other origins whose pages may send the request. Default: none
 */
export function isCrossSite(
  req: Request,
  allowedOrigins: ReadonlySet<string> = new Set(),
): boolean {
  const { origin } = req.headers;
  if (origin !== undefined && allowedOrigins.has(origin)) return false;
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin';
  return origin !== undefined && origin !== readAuthority(req)?.origin;
}
