import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';

import { fieldErrors } from '@portal-embed/contract';
import type { Request } from 'express';
import getRawBody from 'raw-body';
import type { z } from 'zod';

import { PortalError } from '../errors.ts';

/**
 * Returns a function that reads a JSON body of at most `limit` bytes into `req.body`. Call it after
 * authentication, permission and rate-limit checks. A compressed body, a body of another type and a
 * body whose declared length is too large are refused unread; any other body is refused as soon as
 * it exceeds `limit`.
 *
 * A client can delay its body until the server's timeout. If the body was not complete when reading
 * began, `confirm` re-checks the credentials at the end.
 */
export function jsonReader(
  limit: number,
): (req: Request, confirm?: () => Promise<unknown>) => Promise<void> {
  return async (req, confirm) => {
    requireReadable(req, limit);
    // A body that arrived together with the head is parsed one turn of the event loop later.
    if (!req.complete) await setImmediate();
    const wasComplete = req.complete;
    req.body = parseJson(await readBytes(req, limit));
    if (!wasComplete) await confirm?.();
  };
}

/** Returns the body that `jsonReader` has read. Throws `invalid_request` if it is not `name`. */
export function parseBody<Body>(req: Request, schema: z.ZodType<Body>, name: string): Body {
  const { data, error } = schema.safeParse(req.body);
  if (error) throw invalidBody(name, error);
  return data;
}

/** @param name what the body should be, such as "request for a report" */
export const invalidBody = (name: string, error: z.ZodError): PortalError =>
  new PortalError(
    'invalid_request',
    `The body is not a valid ${name}. Correct the fields in errors.`,
    { errors: fieldErrors(error) },
  );

/** Checks only the headers. */
function requireReadable(req: Request, limit: number): void {
  const encoding = req.get('Content-Encoding')?.toLowerCase() ?? 'identity';
  // A few hundred compressed bytes can inflate to gigabytes.
  if (encoding !== 'identity')
    throw new PortalError(
      'unsupported_media_type',
      'The body is compressed. Send it uncompressed, without the header Content-Encoding.',
    );
  const isJson = req.is('application/json');
  if (isJson === null) throw noBody();
  if (!isJson)
    throw new PortalError(
      'unsupported_media_type',
      'The body is not JSON. Send JSON, with the header Content-Type: application/json.',
    );
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(req.get('Content-Type') ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw new PortalError(
      'unsupported_media_type',
      'The Content-Type names another charset than UTF-8. Send the body in UTF-8.',
    );
  if (Number(req.get('Content-Length')) > limit) throw bodyTooLarge(limit);
}

async function readBytes(req: Request, limit: number): Promise<Buffer> {
  try {
    return await getRawBody(req, { limit });
  } catch (error) {
    // The connection stays usable only if the rest of the body is discarded.
    req.resume();
    if ((error as { type?: string }).type === 'entity.too.large') throw bodyTooLarge(limit);
    throw error;
  }
}

function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw noBody();
  // Decoding other bytes would store replacement characters.
  if (!isUtf8(body))
    throw new PortalError('invalid_json', 'The body is not in UTF-8. Check its encoding.');
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    throw new PortalError('invalid_json', 'The body is not valid JSON. Check its syntax.');
  }
}

const noBody = () =>
  new PortalError('invalid_request', 'The request has no body. Send one as JSON.');

const bodyTooLarge = (limit: number) =>
  new PortalError(
    'body_too_large',
    `The body is larger than ${limit} bytes. Split the request into smaller ones.`,
  );
