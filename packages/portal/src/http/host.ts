import type { Request, RequestHandler } from 'express';

import { PortalError } from '../errors.ts';

/**
 * Refuses requests without a `Host` header, which HTTP/1.1 requires, and requests that name two hosts:
 * the portal and its proxy could read different ones and disagree about the organization or page.
 */
export const requireHost: RequestHandler = (req, _res, next) => {
  if (req.headers.host === undefined && req.httpVersion === '1.1')
    throw new PortalError('invalid_request', 'The request has no Host header. Send one.');
  if (countHosts(req) > 1)
    throw new PortalError('invalid_request', 'The request has two Host headers. Send one.');
  if (readForwardedHosts(req).length > 1)
    throw new PortalError(
      'invalid_request',
      'The request has two values of X-Forwarded-Host. Let only the outer proxy write it.',
    );
  next();
};

/** Node's `headers` have only the first of several Host headers. */
const countHosts = ({ rawHeaders }: Request): number =>
  rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name)).length;

/** The values of `X-Forwarded-Host`, which counts only where `trust proxy` covers the sender. */
function readForwardedHosts(req: Request): string[] {
  const isTrusted = req.app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  const forwarded = req.get('X-Forwarded-Host');
  if (forwarded === undefined || !isTrusted(req.socket.remoteAddress ?? '', 0)) return [];
  // Node joins several such headers with commas.
  return forwarded.split(',');
}
