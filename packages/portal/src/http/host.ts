import type { RequestHandler } from 'express';

import { PortalError } from '../errors.ts';

/** Refuses requests without a `Host` header, which HTTP/1.1 requires. */
export const requireHost: RequestHandler = (req, _res, next) => {
  if (req.headers.host === undefined && req.httpVersion === '1.1')
    throw new PortalError('invalid_request', 'The request has no Host header. Send one.');
  next();
};
