import axios from 'axios';
import {
  emptyPage,
  jsonAnswer,
  mintAnswer,
  problemAnswer,
  startFakePortal,
} from 'testing/fake-portal';
import type { FakeAnswer, FakePortal } from 'testing/fake-portal';
import { findFreePort } from 'testing/free-port';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createPortalClient } from './index.ts';
import type { PortalClient, PortalClientOptions } from './index.ts';

const userEmail = 'west@acme.example';
let portal: FakePortal;
let clients: PortalClient[] = [];
const connect = (options: Partial<PortalClientOptions> = {}) => {
  // No machine is too slow for these: what ends sooner has been ended by something else.
  const patience = { attemptTimeoutMs: 60_000, totalTimeoutMs: 120_000 };
  const client = createPortalClient({
    apiUrl: portal.url,
    apiKey: 'pk_1',
    ...patience,
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
/** Answers in turn, the last one for ever. */
const inTurn = (...answers: FakeAnswer[]): FakeAnswer => {
  let index = 0;
  return (request, response) => answers[Math.min(index++, answers.length - 1)]!(request, response);
};

describe('a call is repeated', () => {
  it.each([
    ['a reset connection', reset],
    ['500', jsonAnswer(500)],
    ['502', jsonAnswer(502)],
    ['503', problemAnswer(503, 'database_unavailable')],
    ['503 of overload', problemAnswer(503, 'overloaded', { 'Retry-After': '0' })],
    ['504', jsonAnswer(504)],
    ['429', problemAnswer(429, 'rate_limited', { 'Retry-After': '0' })],
  ])('after %s', async (_, failure) => {
    portal.answer(inTurn(failure, failure, jsonAnswer(200, emptyPage)));
    expect(await connect().users.list()).toEqual(emptyPage);
    expect(portal.received).toHaveLength(3);
  });

  it('three times at most', async () => {
    portal.answer(jsonAnswer(503));
    await expect(connect().users.list()).rejects.toMatchObject({ status: 503, retryable: true });
    expect(portal.received).toHaveLength(3);
  });

  it('for a mint too, since a second identity URL does no harm', async () => {
    portal.answer(inTurn(reset, mintAnswer()));
    await connect().identity.mintUrl({ userEmail });
    expect(portal.received).toHaveLength(2);
  });

  it('after an attempt that took too long', async () => {
    portal.answer(inTurn(stall, mintAnswer()));
    // On a slow machine later attempts may take too long as well.
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
  ])('never after %i', async (status, code) => {
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
  ])('is not repeated after %s: the user may exist already', async (_, failure) => {
    portal.answer(failure);
    await expect(connect().users.create(user)).rejects.toMatchObject({ retryable: true });
    expect(portal.received).toHaveLength(1);
  });

  it('is repeated when nothing can have arrived', async () => {
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
    ['our portal', problemAnswer(404, 'user_not_found')],
    ['a portal that says no more than 404', jsonAnswer(404, 'nothing here')],
  ])('that finds nothing left in %s has succeeded', async (_, nothing) => {
    portal.answer(inTurn(reset, nothing));
    await connect().users.delete({ userEmail });
    expect(portal.received).toHaveLength(2);
  });

  it('is no excuse for a first one that finds nothing', async () => {
    portal.answer(problemAnswer(404, 'user_not_found'));
    await expect(connect().users.delete({ userEmail })).rejects.toMatchObject({ status: 404 });
  });
});

describe('time', () => {
  it('is up after totalTimeoutMs, whatever the portal does', async () => {
    portal.answer(stall);
    const limits = { attemptTimeoutMs: 100, totalTimeoutMs: 250, maxAttempts: 10 };
    const call = connect(limits).users.list();
    await expect(call).rejects.toMatchObject({ code: 'portal_timeout', retryable: true });
  });

  it('covers an answer that begins and never ends', async () => {
    portal.answer((_, response) => response.write('{'));
    const call = connect({ totalTimeoutMs: 100, maxAttempts: 1 }).users.list();
    await expect(call).rejects.toMatchObject({ code: 'portal_timeout' });
  });

  it('is given as Retry-After asks', async () => {
    const busy = problemAnswer(429, 'rate_limited', { 'Retry-After': '1' });
    portal.answer(inTurn(busy, jsonAnswer(200, emptyPage)));
    expect(await connect().users.list()).toEqual(emptyPage);
    expect(portal.received).toHaveLength(2);
    // Retry-After asks for 1 s, which does not fit into totalTimeoutMs.
    portal.answer(busy);
    const call = connect({ totalTimeoutMs: 900 }).users.list();
    await expect(call).rejects.toMatchObject({ code: 'rate_limited' });
    expect(portal.received).toHaveLength(3);
  });

  it('is given by the clock of the portal where Retry-After is a date', async () => {
    const head = { Date: 'Tue, 01 Jan 2030 00:00:00 GMT' };
    const failure = (seconds: string) =>
      problemAnswer(429, 'rate_limited', {
        ...head,
        'Retry-After': `Tue, 01 Jan 2030 00:00:${seconds} GMT`,
      });
    portal.answer(failure('40'));
    await expect(connect().users.list()).rejects.toMatchObject({ retryAfterSeconds: 40 });
  });

  it('is not spent on a Retry-After of more than ten seconds', async () => {
    portal.answer(problemAnswer(429, 'rate_limited', { 'Retry-After': '11' }));
    const call = connect({ totalTimeoutMs: 60_000 }).users.list();
    await expect(call).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 11 });
    expect(portal.received).toHaveLength(1);
  });
});

describe('an AbortSignal', () => {
  it('ends a running attempt', async () => {
    portal.answer(stall);
    const controller = new AbortController();
    const call = connect().users.list({}, { signal: controller.signal });
    call.catch(() => {});
    await expect.poll(() => portal.received.length).toBe(1);
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'aborted', retryable: false });
    expect(portal.received).toHaveLength(1);
  });

  it('ends a pause between attempts', async () => {
    portal.answer(problemAnswer(429, 'rate_limited', { 'Retry-After': '10' }));
    const startedAt = performance.now();
    const controller = new AbortController();
    const call = connect().users.list({}, { signal: controller.signal });
    call.catch(() => {});
    await expect.poll(() => portal.received.length).toBe(1);
    setTimeout(() => controller.abort(), 50);
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
    // Waiting for Retry-After would take ten seconds.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it('that has fired already sends nothing', async () => {
    const call = connect().users.list({}, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
    expect(portal.received).toHaveLength(0);
  });

  it('of a time limit reads as one', async () => {
    portal.answer(stall);
    const call = connect().users.list({}, { signal: AbortSignal.timeout(30) });
    await expect(call).rejects.toMatchObject({ code: 'portal_timeout' });
  });

  it('of a time limit reads as one in a pause between attempts, too', async () => {
    portal.answer(problemAnswer(503, 'database_unavailable', { 'Retry-After': '5' }));
    const controller = new AbortController();
    const call = connect().users.list({}, { signal: controller.signal });
    call.catch(() => {});
    await expect.poll(() => portal.received.length).toBe(1);
    // As AbortSignal.timeout does.
    const reason = new DOMException('time is up', 'TimeoutError');
    setTimeout(() => controller.abort(reason), 50);
    await expect(call).rejects.toMatchObject({ code: 'portal_timeout' });
    expect(portal.received).toHaveLength(1);
  });

  it('leaves no listener behind', async () => {
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

it('a dead portal costs at most a tenth more calls, beyond the first ten', async () => {
  portal.answer(jsonAnswer(503, undefined, { 'Retry-After': '0' }));
  const client = connect();
  const calls = 200;
  for (let batch = 0; batch < 10; batch += 1)
    await Promise.allSettled(Array.from({ length: calls / 10 }, () => client.users.list()));
  expect(portal.received.length).toBeGreaterThan(calls);
  expect(portal.received.length).toBeLessThanOrEqual(calls * 1.1 + 10);
});
