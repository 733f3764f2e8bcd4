import express, { type Request, type Response } from 'express';

import { PortalError } from '../errors.ts';

/**
 * How to read a JSON body of at most `limit` bytes into `req.body`: to be done once it is known who
 * asks. A body of another type is refused unread.
 */
export function jsonReader(limit: number): (req: Request, res: Response) => Promise<void> {
  // Not strict: null and "x" are JSON, and what is wrong with them the endpoint's schema says.
  const parse = express.json({ limit, strict: false });
  return async (req, res) => {
    if (!req.is('application/json'))
      throw new PortalError(
        'unsupported_media_type',
        'Send the body as JSON, with the header Content-Type: application/json.',
      );
    await new Promise<void>((resolve, reject) => {
      parse(req, res, (error?: unknown) => (error ? reject(error) : resolve()));
    });
  };
}
