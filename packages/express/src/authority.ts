import type { Request } from 'express';

export interface Authority {
  /** Lower case, without port and trailing dot. */
  hostName: string;
  /** As in the address bar: `https://acme.app.example:8443`. */
  origin: string;
}

const shape =
  /^(?<hostName>[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])\.?(?<port>:\d{1,5})?$/;

/** DNS allows no longer names. The limit also bounds the size of cache entries. */
const maxNameLength = 253;

/**
 * Each `Host` header. A request without raw headers did not come over a socket: an adapter made it of
 * an event of its platform, such as a function of a cloud, and has one value for all who read it here.
 * Whether there were two is then for the platform to see to.
 */
function readHosts({ rawHeaders, headers, headersDistinct }: Request): string[] {
  if (rawHeaders.length > 0) return headersDistinct['host'] ?? [];
  return headers.host === undefined ? [] : [headers.host];
}

/**
 * Which host name a request was made to, like `req.hostname`: `X-Forwarded-Host` counts only where
 * the app's "trust proxy" covers the sender. `undefined` if the request names none, or more than
 * one: then two parties could read it differently, and one of them is the session.
 */
export function readAuthority(req: Request): Authority | undefined {
  const isTrusted = req.app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  const forwarded = req.headers['x-forwarded-host'];
  const isForwarded = forwarded !== undefined && isTrusted(req.socket.remoteAddress ?? '', 0);
  // An absolute request target names a host of its own, beside the header.
  if (!req.originalUrl.startsWith('/')) return undefined;
  const named = isForwarded ? [forwarded] : readHosts(req);
  const found = named.length === 1 ? shape.exec(String(named[0]).toLowerCase()) : null;
  const hostName = found?.groups?.['hostName'];
  if (hostName === undefined || hostName.length > maxNameLength) return undefined;
  const address = `${req.protocol}://${hostName}${found?.groups?.['port'] ?? ''}`;
  return URL.canParse(address) ? { hostName, origin: new URL(address).origin } : undefined;
}
