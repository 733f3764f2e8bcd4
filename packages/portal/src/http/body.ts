import { isUtf8 } from 'node:buffer';
import type { Readable, Transform } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

import express, { type Request, type Response } from 'express';

import { PortalError } from '../errors.ts';

/**
 * How to read a JSON body of at most `limit` bytes into `req.body`: to be done once it is known who
 * asks. A body of another type, and one that says that it is too large, is refused unread; one that
 * turns out to be, as soon as that many bytes have come. A body can be held back for as long as the
 * server waits for it, so of one that was not there at once `confirm` is asked whether who asks
 * still may.
 */
export function jsonReader(
  limit: number,
): (req: Request, res: Response, confirm?: () => Promise<unknown>) => Promise<void> {
  // Not strict: null and "x" are JSON, and what is wrong with them the endpoint's schema says.
  const parse = express.json({ limit, strict: false, verify: requireUtf8 });
  return async (req, res, confirm) => {
    const isJson = req.is('application/json');
    if (isJson === null && req.get('Content-Type')?.startsWith('application/json'))
      throw new PortalError('invalid_request', 'There is no body. Send one as JSON.');
    if (!isJson)
      throw new PortalError(
        'unsupported_media_type',
        'Send the body as JSON, with the header Content-Type: application/json.',
      );
    if (Number(req.get('Content-Length')) > limit) throw bodyTooLarge(limit);
    // What came with the head has been parsed once the event loop has turned.
    if (!req.complete) await setImmediate();
    const wasThere = req.complete;
    await new Promise<void>((resolve, reject) => {
      const rejectSize = () => reject(bodyTooLarge(limit));
      onceBeyond(limit, req, rejectSize);
      const unpacker = unpackers.get(req.get('Content-Encoding')?.toLowerCase() ?? '')?.();
      if (unpacker) {
        const release = () => {
          req.unpipe(unpacker);
          unpacker.destroy();
        };
        onceBeyond(limit, req.pipe(unpacker), () => {
          release();
          rejectSize();
        });
        // What is wrong with the body, the parser tells.
        unpacker.on('error', release);
        res.on('close', release);
      }
      parse(req, res, (error?: unknown) => (error ? reject(error) : resolve()));
    });
    if (!wasThere) await confirm?.();
  };
}

const unpackers = new Map<string, () => Transform>([
  ['br', createBrotliDecompress],
  ['deflate', createInflate],
  ['gzip', createGunzip],
]);

/** The parser tells a body's size only at its end, which may never come. */
function onceBeyond(limit: number, body: Readable, act: () => void): void {
  let received = 0;
  body.on('data', (chunk: Buffer) => {
    const before = received;
    received += chunk.length;
    if (before <= limit && received > limit) act();
  });
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
