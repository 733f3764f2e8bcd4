import axios from 'axios';
import { emptyPage, jsonAnswer } from 'test-support/fake-portal';
import { describe, expect, it } from 'vitest';

import {
  apiKey,
  client,
  catchError,
  portal,
  startPortalForEachTest,
  userEmail,
} from '../test/stage.ts';
import { createPortalClient } from './index.ts';

startPortalForEachTest();

describe('an injected axios', () => {
  const clientWith = (configure: (instance: ReturnType<typeof axios.create>) => void) => {
    const instance = axios.create();
    configure(instance);
    const limits = { attemptTimeoutMs: 100, totalTimeoutMs: 200, maxAttempts: 1 };
    return createPortalClient({ apiUrl: portal.url, apiKey, axios: instance, ...limits });
  };
  const hang = () => new Promise<never>(() => {});

  it('an interceptor that hangs ends at the time limit', async () => {
    portal.answer(jsonAnswer(204));
    for (const hanging of [
      clientWith(({ interceptors }) => interceptors.request.use(hang)),
      clientWith(({ interceptors }) => interceptors.response.use(hang)),
    ])
      expect(await catchError(hanging.users.delete({ userEmail }))).toMatchObject({
        code: 'portal_timeout',
      });
  });

  it('the time limit of an injected axios is portal_timeout', async () => {
    portal.answer(() => {});
    const clientWithTimeout = clientWith((instance) => (instance.defaults.timeout = 20));
    expect(await catchError(clientWithTimeout.users.delete({ userEmail }))).toMatchObject({
      code: 'portal_timeout',
      message: expect.not.stringContaining('DNS'),
    });
  });
});

describe('the connections of a client', () => {
  it('a client opens at most maxConnections connections', async () => {
    const own = createPortalClient({ apiUrl: portal.url, apiKey, maxConnections: 2 });
    const sockets = new Set<unknown>();
    portal.answer(async (request, response) => {
      sockets.add(response.socket);
      // The first answer waits until all connections are in use.
      await expect.poll(() => sockets.size).toBeGreaterThanOrEqual(2);
      jsonAnswer(200, emptyPage)(request, response);
    });
    await Promise.all(Array.from({ length: 10 }, () => own.users.list()));
    await own.close();
    expect(sockets.size).toBe(2);
  });

  it.each([
    ['the built-in transport', undefined],
    ['an injected axios', axios.create()],
  ])('an answer of more than 32 MB is an error: %s', async (_, instance) => {
    // Long time limits, so that the size ends the attempt.
    const limits = { maxAttempts: 1, attemptTimeoutMs: 60_000, totalTimeoutMs: 60_000 };
    const own = createPortalClient({ apiUrl: portal.url, apiKey, axios: instance, ...limits });
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    let sent = 0;
    portal.answer((__, response) => {
      const sendChunk = () => {
        if (response.destroyed || sent === 200) response.end();
        else if (++sent && response.write(chunk)) setImmediate(sendChunk);
        else response.once('drain', sendChunk);
      };
      response.once('close', sendChunk);
      sendChunk();
    });
    expect(await catchError(own.users.list())).toMatchObject({ code: 'portal_unavailable' });
    expect(sent).toBeLessThan(100);
    await own.close();
  });
});

it('a call leaves no timer behind', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
  const before = timers();
  await client.identity.mintUrl({ userEmail });
  expect(timers()).toBeLessThanOrEqual(before);
});
