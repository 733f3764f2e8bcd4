import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import { createProblem, errorTable } from '@portal-embed/contract';
import type { ErrorCode } from '@portal-embed/contract';

export interface ReceivedRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  /** The parsed JSON body, or the text of another one; `undefined` if there was none. */
  body: unknown;
}

/** Answers a request. `next` gives the fake portal's own answer. */
export type FakeAnswer = (
  request: ReceivedRequest,
  response: ServerResponse,
  next: () => void,
) => unknown;

/** Answers with JSON, or with an empty body. */
export const jsonAnswer =
  (status: number, body?: unknown, headers: Record<string, string> = {}) =>
  (_: ReceivedRequest, response: ServerResponse): unknown =>
    response
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(body === undefined ? '' : JSON.stringify(body));

/**
 * Refuses with an error of the portal's API, in its status.
 *
 * @param retryAfter the header `Retry-After`, in seconds; default: none
 */
export const refuse = (
  code: ErrorCode,
  {
    detail = `The fake portal answers ${code}.`,
    retryAfter,
  }: { detail?: string; retryAfter?: number } = {},
): FakeAnswer =>
  jsonAnswer(errorTable[code].status, createProblem(code, detail, 'fake-request'), {
    'Content-Type': 'application/problem+json',
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
  });

/** Answers 429 with `Retry-After`. */
export const rateLimit = (retryAfter = 1): FakeAnswer => refuse('rate_limited', { retryAfter });

/** Answers after `ms` milliseconds, as the fake portal would have. */
export const slow =
  (ms: number): FakeAnswer =>
  async (_request, response, next) => {
    await delay(ms, undefined, { ref: false });
    if (!response.destroyed) next();
  };

/** Closes the connection without an answer. */
export const disconnect = (): FakeAnswer => (_, response) => response.destroy();

/** Answers an HTML page, as a proxy does if its portal is down. */
export const htmlAnswer =
  (status = 502): FakeAnswer =>
  (_, response) =>
    response
      .writeHead(status, { 'Content-Type': 'text/html' })
      .end(`<!doctype html><title>${status}</title><h1>${status}</h1>`);
