import type { Request, Response } from 'express';

import { requestOrigin } from '../http/origin.ts';
import { noteHint } from '../http/response-notes.ts';
import { isToken } from '../secrets.ts';
import type { Appearance } from './documents.ts';

/**
 * Logs a hint for an unknown address: a proxy may have replaced the host, or it is not trusted. At the
 * service's own address, only a request with a link's token is a sign of this.
 */
export function addProxyHint(
  { publicUrl }: { publicUrl: string },
  req: Request,
  res: Response,
  { organizationName }: Pick<Appearance, 'organizationName'>,
): void {
  const address = requestOrigin(req);
  if (organizationName !== undefined) return;
  if (address === publicUrl && !isToken(req.query['token'])) return;
  noteHint(
    res,
    `No organization has the address ${address}. If browsers open this address, register it with \`portal organizations set-addresses\`. ` +
      'If they open another one, let your proxy forward it: nginx needs `proxy_set_header Host $http_host;` and Apache `ProxyPreserveHost On`. ' +
      'If the proxy ends TLS, it must also send X-Forwarded-Proto, and PORTAL_TRUST_PROXY must be set.',
  );
}
