import { setImmediate } from 'node:timers/promises';

import { fieldErrors, hostRequestSchema } from '@portal-embed/contract';
import type { HostRequest } from '@portal-embed/contract';
import express from 'express';
import type { Request, Response } from 'express';

import { Refusal } from './refusal.ts';

// The limit leaves room for the hundred filters of the contract. A few hundred compressed bytes can
// inflate to many megabytes, so compressed bodies are refused unread.
const parseJson = express.json({ limit: '256kb', type: 'application/json', inflate: false });

/** Refuses what is not declared as JSON: a form of another site can send everything but that. */
export function requireJson(req: Request): void {
  if (!/^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? ''))
    throw new Refusal('invalid_request', {
      detail: 'Send the body as JSON, with the header Content-Type: application/json.',
    });
}

/** Whether the whole body has come. What came with the head has once the event loop has turned. */
export async function isThere(req: Request): Promise<boolean> {
  if (!req.complete) await setImmediate();
  return req.complete;
}

/** What the browser asks for. A body that the host has parsed already is taken as it is. */
export async function readHostRequest(req: Request, res: Response): Promise<HostRequest> {
  if (!req.readableEnded)
    await new Promise<void>((resolve, reject) => {
      parseJson(req, res, (error?: { type?: string }) =>
        error ? reject(unreadable(error)) : resolve(),
      );
    });
  const { data, error } = hostRequestSchema.safeParse(req.body ?? {});
  if (error)
    throw new Refusal('invalid_request', misparsed(req.body) ?? { errors: fieldErrors(error) });
  return data;
}

/** What no browser can correct: the app reads every body as text or bytes. */
function misparsed(body: unknown) {
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return undefined;
  const cause = new Error(
    'A body parser or adapter in front of portalEmbed has left text or bytes in req.body, as express.text and express.raw do. Mount it behind portalEmbed, or have it leave application/json alone.',
  );
  return { detail: 'Send the body as a JSON object.', cause };
}

function unreadable(error: { type?: string }): Refusal {
  if (error.type === 'encoding.unsupported') return new Refusal('unsupported_media_type');
  const detail =
    error.type === 'entity.too.large'
      ? 'Send a smaller body: 256 kB at most.'
      : 'Send a body that is valid JSON in UTF-8.';
  return new Refusal('invalid_request', { detail });
}
