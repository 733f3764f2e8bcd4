import { parseAuthority } from '@portal-embed/host/adapter';
import type { Authority } from '@portal-embed/host/adapter';
import type { Request } from 'express';

/**
 * Returns each `Host` header. A request without raw headers was created from an event of a platform,
 * such as a cloud function; it has one value. Rejecting duplicate headers is then the platform's job.
 */
function readHosts({ rawHeaders, headers, headersDistinct }: Request): string[] {
  if (rawHeaders.length > 0) return headersDistinct['host'] ?? [];
  return headers.host === undefined ? [] : [headers.host];
}

/**
 * Returns the host that a request addressed, like `req.hostname`: `X-Forwarded-Host` counts only
 * where the app's "trust proxy" covers the sender. `undefined` if the request names none, or more
 * than one: then two readers could disagree, and one of them is the session.
 */
export function readAuthority(req: Request): Authority | undefined {
  const isTrusted = req.app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  const forwarded = req.headers['x-forwarded-host'];
  const isForwarded = forwarded !== undefined && isTrusted(req.socket.remoteAddress ?? '', 0);
  // An absolute request target names a second host, beside the header.
  if (!req.originalUrl.startsWith('/')) return undefined;
  const [host, ...others] = isForwarded ? [String(forwarded)] : readHosts(req);
  if (host === undefined || others.length > 0) return undefined;
  return parseAuthority(req.protocol, host);
}
