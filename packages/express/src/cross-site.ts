import type { Request } from 'express';

/**
 * Whether a page of another site may have sent the request. A browser says so in `Sec-Fetch-Site`,
 * or on plain http in `Origin` alone; what sends neither is no browser and carries nobody's cookies.
 */
export function isCrossSite(
  req: Request,
  ownOrigin: string,
  allowedOrigins: ReadonlySet<string>,
): boolean {
  const { origin } = req.headers;
  if (origin !== undefined && allowedOrigins.has(origin)) return false;
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin';
  return origin !== undefined && origin !== ownOrigin;
}
