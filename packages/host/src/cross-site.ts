import type { MintRequest } from './adapter-request.ts';
import type { Authority } from './authority.ts';

/**
 * Whether a page of another site may have sent the request. A browser says so in `Sec-Fetch-Site`
 * or, over plain http, only in `Origin`. A client that sends neither is not a browser, so it has no
 * user's cookies.
 */
export function isCrossSite(
  { header }: Pick<MintRequest<unknown>, 'header'>,
  authority: Authority | undefined,
  allowedOrigins: ReadonlySet<string> = new Set(),
): boolean {
  const origin = header('origin');
  if (origin !== undefined && allowedOrigins.has(origin)) return false;
  const site = header('sec-fetch-site');
  if (site !== undefined) return site !== 'same-origin';
  return origin !== undefined && origin !== authority?.origin;
}
