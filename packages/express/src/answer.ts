import { randomUUID } from 'node:crypto';

import { isRequestId, createProblem } from '@portal-embed/contract';
import type { HostResponse, Problem } from '@portal-embed/contract';
import type { Request, Response } from 'express';

import type { Refusal } from './refusal.ts';

/**
 * The id under which this request is found in every log: the one the host's logger has given it, or
 * the proxy's, or a new one.
 */
export function readRequestId(req: Request): string {
  for (const id of [(req as { id?: unknown }).id, req.headers['x-request-id']])
    if (['string', 'number'].includes(typeof id) && isRequestId(String(id))) return String(id);
  return randomUUID();
}

export function prepare(res: Response, requestId: string): void {
  res.set({ 'Cache-Control': 'no-store', 'X-Request-Id': requestId });
}

export function answerUrl(res: Response, url: HostResponse): void {
  res.status(200).json(url);
}

export function answerMethodNotAllowed(res: Response, requestId: string): void {
  prepare(res, requestId);
  res.set('Allow', 'POST');
  const body = createProblem('invalid_request', 'Send a POST request.', requestId);
  // A status of its own, by HTTP, and a code of the closed union.
  answerProblem(res, { ...body, status: 405 });
}

export function answerRefusal(res: Response, refusal: Refusal, requestId: string): void {
  const { code, message, errors, retryAfterSeconds } = refusal;
  if (retryAfterSeconds !== undefined) res.set('Retry-After', String(Math.ceil(retryAfterSeconds)));
  answerProblem(res, createProblem(code, message, requestId, { errors }));
}

function answerProblem(res: Response, body: Problem): void {
  res.status(body.status).type('application/problem+json').send(JSON.stringify(body));
}
