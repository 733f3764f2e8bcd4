import { randomUUID } from 'node:crypto';

import { problem } from '@portal-embed/contract';
import type { ErrorCode, HostResponse } from '@portal-embed/contract';
import type { Request, Response } from 'express';

import type { Refusal } from './refusal.ts';

/**
 * The id under which this request is found in every log: the one the host's logger has given it, or
 * the proxy's, or a new one.
 */
export function readRequestId(req: Request): string {
  for (const id of [(req as { id?: string | number }).id, req.headers['x-request-id']])
    if (/^[\w.:-]{1,100}$/.test(String(id ?? ''))) return String(id);
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
  answerProblem(res, 'method_not_allowed', 'Send a POST request.', requestId);
}

export function answerRefusal(res: Response, refusal: Refusal, requestId: string): void {
  const { code, message, errors, retryAfterSeconds } = refusal;
  if (retryAfterSeconds !== undefined) res.set('Retry-After', String(Math.ceil(retryAfterSeconds)));
  answerProblem(res, code, message, requestId, errors);
}

function answerProblem(
  res: Response,
  code: ErrorCode,
  detail: string,
  requestId: string,
  errors?: Refusal['errors'],
): void {
  const body = problem(code, detail, requestId, errors);
  res.status(body.status).type('application/problem+json').send(JSON.stringify(body));
}
