import { errorTable, type ErrorCode } from '@portal-embed/contract';
import { send, type Answer } from 'test-support';
import { expect } from 'vitest';

import type { TestPortal } from './portal.ts';

export const json = { 'content-type': 'application/json' };

/** Sends requests with Acme's key. Neither path nor body is encoded. */
export const senderTo =
  (portal: () => TestPortal) =>
  (
    method: string,
    path: string,
    options: { headers?: Record<string, string>; body?: string | Buffer } = {},
  ): Promise<Answer> =>
    send(portal().publicUrl, {
      ...options,
      method,
      path,
      headers: { 'x-api-key': portal().acme.apiKey, ...options.headers },
    });

/** Expects a problem document (RFC 9457) with the fields of the error table. */
export function expectProblem(answer: Answer, code: ErrorCode): void {
  expect([answer.status, answer.headers['content-type']]).toEqual([
    errorTable[code].status,
    'application/problem+json; charset=utf-8',
  ]);
  expect(answer.json()).toMatchObject({
    type: `urn:portal-embed:problem:${code}`,
    title: errorTable[code].title,
    status: errorTable[code].status,
    detail: expect.stringMatching(/\.$/),
    code,
    requestId: answer.headers['x-request-id'],
  });
  expect(answer.headers['cache-control']).toBe('no-store');
}
