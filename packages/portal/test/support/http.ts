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

const errorPage = / http:\S+\/docs\/errors\/\w+$/;

/** The `detail` of an answer to a browser, without the address of the error page at its end. */
export function detailWithoutErrorPage(answer: Answer): string {
  const { detail } = answer.json();
  expect(detail).toMatch(errorPage);
  return detail.replace(errorPage, '');
}

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
    detail: expect.stringMatching(new RegExp(`\\.( http:\\S+/docs/errors/${code})?$`)),
    code,
    requestId: answer.headers['x-request-id'],
  });
  expect(answer.headers['cache-control']).toBe('no-store');
}
