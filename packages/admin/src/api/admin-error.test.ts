import { expect, it } from 'vitest';

import { readAdminError } from './admin-error.ts';

it.each([
  [502, 'unreachable'],
  [503, 'unreachable'],
  [504, 'unreachable'],
  [413, 'internal_error'],
  [500, 'internal_error'],
])('a page of a proxy with the status %d means %s', async (status, code) => {
  expect((await readAdminError(new Response('<h1>Error</h1>', { status }))).code).toBe(code);
});

it('an error of the service keeps its code, whatever its status is', async () => {
  const answer = Response.json({ code: 'overloaded', detail: 'Try later.' }, { status: 503 });
  expect(await readAdminError(answer)).toMatchObject({ code: 'overloaded', detail: 'Try later.' });
});

it.each([
  [{}, undefined],
  [{ 'Retry-After': '61' }, 61],
  [{ 'Retry-After': 'Fri, 31 Dec 2027 23:59:59 GMT' }, undefined],
])('the headers %j name these seconds until a retry: %s', async (headers, seconds) => {
  const answer = Response.json({ code: 'rate_limited' }, { status: 429, headers });
  expect(await readAdminError(answer)).toMatchObject({ retryAfter: seconds, errors: [] });
});
