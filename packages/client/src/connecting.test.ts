import axios from 'axios';
import { startBlackHole } from 'test-support/black-hole';
import type { BlackHole } from 'test-support/black-hole';
import { emptyPage, jsonAnswer, startFakePortal } from 'test-support/fake-portal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createPortalClient } from './index.ts';

const apiKey = 'pk_a_very_secret_key';
// Shorter than the operating system's connection timeout.
const timeout = 60_000;

const abortAfter = (ms: number) => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
};

let hole: BlackHole;
beforeAll(async () => {
  hole = await startBlackHole();
});
afterAll(() => hole[Symbol.asyncDispose]());

describe.each([
  ['the built-in transport', undefined],
  ['an injected axios', axios.create()],
])('a portal that accepts no connection: %s', (_name, instance) => {
  const connect = (limits: object) =>
    createPortalClient({
      apiUrl: `http://127.0.0.1:${hole.port}`,
      apiKey,
      axios: instance,
      ...limits,
    });

  it('a connection attempt fails with portal_timeout at the time limit', { timeout }, async () => {
    const client = connect({ attemptTimeoutMs: 100, totalTimeoutMs: 300 });
    await expect(client.users.list()).rejects.toMatchObject({ code: 'portal_timeout' });
  });

  it('a connection attempt ends when the caller aborts', { timeout }, async () => {
    const client = connect({ attemptTimeoutMs: 3_600_000, totalTimeoutMs: 3_600_000 });
    const signal = abortAfter(100);
    await expect(client.users.list({}, { signal })).rejects.toMatchObject({ code: 'aborted' });
  });
});

it('an aborted call that waits for a connection ends and is not sent later', async () => {
  await using portal = await startFakePortal();
  const held: (() => void)[] = [];
  portal.answer((request, response) => {
    held.push(() => jsonAnswer(200, emptyPage)(request, response));
  });
  const client = createPortalClient({ apiUrl: portal.url, apiKey, maxConnections: 1 });
  const first = client.users.list();
  await expect.poll(() => held.length).toBe(1);
  const signal = abortAfter(50);
  await expect(client.reports.list({}, { signal })).rejects.toMatchObject({ code: 'aborted' });
  held[0]!();
  await first;
  portal.answer(jsonAnswer(200, emptyPage));
  await client.users.list();
  expect(portal.received.map(({ url }) => url)).toEqual(['/api/user', '/api/user']);
  await client.close();
});
