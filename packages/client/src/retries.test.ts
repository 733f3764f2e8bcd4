import { getEventListeners } from 'node:events';

import axios from 'axios';
import {
  emptyPage,
  jsonAnswer,
  mintAnswer,
  problemAnswer,
  startFakePortal,
} from 'test-support/fake-portal';
import type { FakeAnswer, FakePortal } from 'test-support/fake-portal';
import { findFreePort } from 'test-support/free-port';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createPortalClient } from './index.ts';
import type { PortalClient, PortalClientOptions } from './index.ts';

const userEmail = 'west@acme.example';
let portal: FakePortal;
let clients: PortalClient[] = [];
const connect = (options: Partial<PortalClientOptions> = {}) => {
  // Too long to end any test by accident on a slow machine.
  const longTimeouts = { attemptTimeoutMs: 60_000, totalTimeoutMs: 120_000 };
  const client = createPortalClient({
    apiUrl: portal.url,
    apiKey: 'pk_1',
    ...longTimeouts,
    ...options,
  });
  clients.push(client);
  return client;
};

beforeEach(async () => {
  portal = await startFakePortal();
});
afterEach(async () => {
  await portal[Symbol.asyncDispose]();
  await Promise.all(clients.map((client) => client.close()));
  clients = [];
});

const reset: FakeAnswer = (_, response) => response.destroy();
const stall: FakeAnswer = () => {};
/** Gives the answers in order, and repeats the last one. */
const inTurn = (...answers: FakeAnswer[]): FakeAnswer => {
  let index = 0;
  return (request, response) => answers[Math.min(index++, answers.length - 1)]!(request, response);
};

describe('retries', () => {
  it.each([
    ['a reset connection', reset],
    ['500', jsonAnswer(500)],
    ['502', jsonAnswer(502)],
    ['503', problemAnswer(503, 'database_unavailable')],
    ['503 overloaded', problemAnswer(503, 'overloaded', { 'Retry-After': '0' })],
    ['504', jsonAnswer(504)],
    ['429', problemAnswer(429, 'rate_limited', { 'Retry-After': '0' })],
  ])('a call is retried after %s', async (_, failure) => {
    portal.answer(inTurn(failure, failure, jsonAnswer(200, emptyPage)));
    expect(await connect().users.list()).toEqual(emptyPage);
    expect(portal.received).toHaveLength(3);
  });

  it('a call makes at most three attempts', async () => {
    portal.answer(jsonAnswer(503));
    await expect(connect().users.list()).rejects.toMatchObject({ status: 503, retryable: true });
    expect(portal.received).toHaveLength(3);
  });

  it('a mint is retried', async () => {
    portal.answer(inTurn(reset, mintAnswer()));
    await connect().identity.mintUrl({ userEmail });
    expect(portal.received).toHaveLength(2);
  });

  it('a call is retried after an attempt that timed out', async () => {
    portal.answer(inTurn(stall, mintAnswer()));
    // On a slow machine later attempts may time out too.
    await connect({ attemptTimeoutMs: 150, maxAttempts: 10 }).identity.mintUrl({ userEmail });
    expect(portal.received.length).toBeGreaterThan(1);
  });

  it.each([
    [400, 'invalid_request'],
    [401, 'invalid_api_key'],
    [403, 'report_not_accessible'],
    [404, 'user_not_found'],
    [409, 'user_exists'],
    [422, 'unknown_references'],
  ])('a call is not retried after %i', async (status, code) => {
    portal.answer(problemAnswer(status, code));
    const call = connect().identity.mintUrl({ userEmail });
    await expect(call).rejects.toMatchObject({ code, retryable: false });
    expect(portal.received).toHaveLength(1);
  });
});

describe('creating a user', () => {
  const user = { email: userEmail, name: 'West', role: 3 };

  it.each([
    ['a reset connection', reset],
    ['503', jsonAnswer(503)],
  ])('is not retried after %s, because the user may exist', async (_, failure) => {
    portal.answer(failure);
    await expect(connect().users.create(user)).rejects.toMatchObject({ retryable: true });
    expect(portal.received).toHaveLength(1);
  });

  it('is retried if the request was not sent', async () => {
    const counting = axios.create();
    let attempts = 0;
    counting.interceptors.request.use((config) => {
      attempts += 1;
      return config;
    });
    const apiUrl = `http://127.0.0.1:${await findFreePort()}`;
    const creation = connect({ apiUrl, axios: counting }).users.create(user);
    await expect(creation).rejects.toMatchObject({ code: 'portal_unavailable' });
    expect(attempts).toBe(3);
  });
});

describe('a repeated DELETE', () => {
  it.each([
    ['user_not_found', problemAnswer(404, 'user_not_found')],
    ['no code', jsonAnswer(404, 'nothing here')],
  ])('a retried DELETE succeeds on a 404 with %s', async (_, nothing) => {
    portal.answer(inTurn(reset, nothing));
    await connect().users.delete({ userEmail });
    expect(portal.received).toHaveLength(2);
  });

  it('a retried end of sessions reports a 404, which no earlier attempt can have caused', async () => {
    portal.answer(inTurn(reset, jsonAnswer(404, 'nothing here')));
    await expect(connect().identity.endSessions({ userEmail })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(portal.received).toHaveLength(2);
  });

  it('a DELETE fails on a 404 of the first attempt', async () => {
    portal.answer(problemAnswer(404, 'user_not_found'));
    await expect(connect().users.delete({ userEmail })).rejects.toMatchObject({ status: 404 });
  });
});

describe('time limits', () => {
  it('a call ends after totalTimeoutMs', async () => {
    portal.answer(stall);
    const limits = { attemptTimeoutMs: 100, totalTimeoutMs: 250, maxAttempts: 10 };
    const call = connect(limits).users.list();
    await expect(call).rejects.toMatchObject({ code: 'portal_timeout', retryable: true });
    // Each attempt takes 100 ms, so a fourth one would start too late.
    expect(portal.received.length).toBeLessThanOrEqual(3);
  });

  it('a call ends after totalTimeoutMs if the answer never ends', async () => {
    portal.answer((_, response) => response.write('{'));
    const call = connect({ totalTimeoutMs: 100, maxAttempts: 1 }).users.list();
    await expect(call).rejects.toMatchObject({ code: 'portal_timeout' });
  });

  it('a retry waits for Retry-After if totalTimeoutMs allows it', async () => {
    const busy = problemAnswer(429, 'rate_limited', { 'Retry-After': '1' });
    portal.answer(inTurn(busy, jsonAnswer(200, emptyPage)));
    expect(await connect().users.list()).toEqual(emptyPage);
    expect(portal.received).toHaveLength(2);
    // Retry-After is longer than totalTimeoutMs.
    portal.answer(busy);
    const call = connect({ totalTimeoutMs: 900 }).users.list();
    await expect(call).rejects.toMatchObject({ code: 'rate_limited' });
    expect(portal.received).toHaveLength(3);
  });

  it("a date in Retry-After is read by the portal's clock", async () => {
    const head = { Date: 'Tue, 01 Jan 2030 00:00:00 GMT' };
    const failure = (seconds: string) =>
      problemAnswer(429, 'rate_limited', {
        ...head,
        'Retry-After': `Tue, 01 Jan 2030 00:00:${seconds} GMT`,
      });
    portal.answer(failure('40'));
    await expect(connect().users.list()).rejects.toMatchObject({ retryAfterSeconds: 40 });
  });

  it('a retry does not wait for a Retry-After of more than ten seconds', async () => {
    portal.answer(problemAnswer(429, 'rate_limited', { 'Retry-After': '11' }));
    const call = connect({ totalTimeoutMs: 60_000 }).users.list();
    await expect(call).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 11 });
    expect(portal.received).toHaveLength(1);
  });
});

describe('an AbortSignal', () => {
  /** Starts a call, and waits until it pauses after its first attempt. */
  async function startPause(signal: AbortSignal, refuse: FakeAnswer) {
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    portal.answer(async (request, response) => {
      await held;
      return refuse(request, response);
    });
    const call = connect().users.list({}, { signal });
    call.catch(() => {});
    await expect.poll(() => portal.received.length).toBe(1);
    const ofAttempt = getEventListeners(signal, 'abort');
    answer();
    // A pause listens to the signal, like an attempt.
    await expect
      .poll(() => {
        const listeners = getEventListeners(signal, 'abort');
        return listeners.length > 0 && !listeners.some((each) => ofAttempt.includes(each));
      })
      .toBe(true);
    return () => call;
  }

  it('an aborted signal ends a running attempt', async () => {
    portal.answer(stall);
    const controller = new AbortController();
    const call = connect().users.list({}, { signal: controller.signal });
    call.catch(() => {});
    await expect.poll(() => portal.received.length).toBe(1);
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'aborted', retryable: false });
    expect(portal.received).toHaveLength(1);
  });

  it('an aborted signal ends a pause between attempts', async () => {
    const startedAt = performance.now();
    const controller = new AbortController();
    const call = await startPause(
      controller.signal,
      problemAnswer(429, 'rate_limited', { 'Retry-After': '10' }),
    );
    controller.abort();
    await expect(call()).rejects.toMatchObject({ code: 'aborted' });
    // Shorter than Retry-After.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it('a call with an aborted signal sends nothing', async () => {
    const call = connect().users.list({}, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
    expect(portal.received).toHaveLength(0);
  });

  it('AbortSignal.timeout during an attempt is portal_timeout', async () => {
    portal.answer(stall);
    const call = connect().users.list({}, { signal: AbortSignal.timeout(30) });
    await expect(call).rejects.toMatchObject({ code: 'portal_timeout' });
  });

  it('AbortSignal.timeout during a pause is portal_timeout', async () => {
    const controller = new AbortController();
    const call = await startPause(
      controller.signal,
      problemAnswer(503, 'database_unavailable', { 'Retry-After': '5' }),
    );
    // The reason of AbortSignal.timeout.
    controller.abort(new DOMException('time is up', 'TimeoutError'));
    await expect(call()).rejects.toMatchObject({ code: 'portal_timeout' });
    expect(portal.received).toHaveLength(1);
  });

  it('a call removes its listeners from the signal', async () => {
    portal.answer(jsonAnswer(200, emptyPage));
    const { signal } = new AbortController();
    let open = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => (open++, add(...args));
    signal.removeEventListener = (...args: Parameters<typeof remove>) => (open--, remove(...args));
    await connect().users.list({}, { signal });
    expect(open).toBe(0);
  });
});

it('retries add at most ten requests plus a tenth of the calls', async () => {
  portal.answer(jsonAnswer(503, undefined, { 'Retry-After': '0' }));
  const client = connect();
  const calls = 200;
  for (let batch = 0; batch < 10; batch += 1)
    await Promise.allSettled(Array.from({ length: calls / 10 }, () => client.users.list()));
  expect(portal.received.length).toBeGreaterThan(calls);
  expect(portal.received.length).toBeLessThanOrEqual(calls * 1.1 + 10);
});
