import { randomUUID } from 'node:crypto';

import { createProblem, isRequestId } from '@portal-embed/contract';
import type { HostResponse, Problem } from '@portal-embed/contract';

import type { AddressedRequest, MintAnswer } from './adapter-request.ts';
import type { Refusal } from './refusal.ts';

/** Returns the id of the request in every log: the application logger's, the proxy's or a new one. */
export function readRequestId({ id, header }: AddressedRequest<unknown>): string {
  for (const candidate of [id, header('x-request-id')])
    if (['string', 'number'].includes(typeof candidate) && isRequestId(String(candidate)))
      return String(candidate);
  return randomUUID();
}

export const answerUrl = (url: HostResponse): MintAnswer => ({
  status: 200,
  headers: { 'Content-Type': 'application/json; charset=utf-8' },
  body: JSON.stringify(url),
});

export function answerMethodNotAllowed(requestId: string): MintAnswer {
  const body = createProblem('invalid_request', 'Send a POST request.', requestId);
  // HTTP requires the status 405; the code stays within the closed union.
  const { headers, ...answer } = answerProblem({ ...body, status: 405 });
  return { ...answer, headers: { ...headers, Allow: 'POST' } };
}

export function answerRefusal(refusal: Refusal, requestId: string): MintAnswer {
  const { code, message, errors, retryAfterSeconds } = refusal;
  const answer = answerProblem(createProblem(code, message, requestId, { errors }));
  if (retryAfterSeconds !== undefined)
    answer.headers['Retry-After'] = String(Math.ceil(retryAfterSeconds));
  return answer;
}

const answerProblem = (problem: Problem): MintAnswer => ({
  status: problem.status,
  headers: { 'Content-Type': 'application/problem+json; charset=utf-8' },
  body: JSON.stringify(problem),
});
