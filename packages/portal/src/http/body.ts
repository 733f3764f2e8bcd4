import { isUtf8 } from 'node:buffer';

import express, { type Request, type Response } from 'express';

import { PortalError } from '../errors.ts';

/**
 * How to read a JSON body of at most `limit` bytes into `req.body`: to be done once it is known who
 * asks. A body of another type, and one that says that it is too large, is refused unread; one that
 * turns out to be, as soon as that many bytes have come.
 */
export function jsonReader(limit: number): (req: Request, res: Response) => Promise<void> {
  // Not strict: null and "x" are JSON, and what is wrong with them the endpoint's schema says.
  const parse = express.json({ limit, strict: false, verify: requireUtf8 });
  return async (req, res) => {
    if (!req.is('application/json'))
      throw new PortalError(
        'unsupported_media_type',
        'Send the body as JSON, with the header Content-Type: application/json.',
      );
    if (Number(req.get('Content-Length')) > limit) throw bodyTooLarge(limit);
    await new Promise<void>((resolve, reject) => {
      // The parser tells it only at the body's end, which may never come.
      let received = 0;
      req.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (received > limit) reject(bodyTooLarge(limit));
      });
      parse(req, res, (error?: unknown) => (error ? reject(error) : resolve()));
    });
  };
}

const bodyTooLarge = (limit: number) =>
  new PortalError(
    'body_too_large',
    `The body is larger than ${limit} bytes. Split the request into smaller ones.`,
  );

/** Else what is no UTF-8 would be stored as question marks. */
function requireUtf8(_req: unknown, _res: unknown, body: Buffer, encoding: string): void {
  if (encoding === 'utf-8' && !isUtf8(body))
    throw new PortalError('invalid_json', 'The body is not JSON in UTF-8. Check its encoding.');
}
