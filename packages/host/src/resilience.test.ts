import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';

import { jsonAnswer, mintAnswer, problemAnswer, startFakePortal } from 'test-support/fake-portal';
import type { FakeAnswer, FakePortal, ReceivedRequest } from 'test-support/fake-portal';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { readHeader } from '../test/entry.ts';
import type { Options } from '../test/entry.ts';
import { acme, startHostApp } from '../test/host-app.ts';
import type { RunningApp } from '../test/running-app.ts';
import type { Limits } from './index.ts';

let portal: FakePortal;
let app: RunningApp;
/** Such a test fails if a part ignores `timeoutMs` and waits for the default deadline. */
const belowDefaultDeadline = { timeout: 4_500 };

const start = async (limits: Partial<Limits>, options: Partial<Options> = {}) => {
  app = await startHostApp(portal, { limits, ...options });
  return app;
};

beforeEach(async () => {
  portal = await startFakePortal();
});
afterEach(async () => {
  await app[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

const userOfHeader: Options['user'] = (context) => ({ email: readHeader(context, 'x-user')! });

/** Delays the answers to the matching requests until the returned function is called. */
const holdAnswers = (
  answer: FakeAnswer,
  isHeld: (request: ReceivedRequest) => boolean = () => true,
) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  portal.answer(async (request, response) => {
    if (isHeld(request)) await released;
    return answer(request, response);
  });
  return release;
};

describe('mints of one tenant', () => {
  it('run at most concurrentMints at the same time, and the rest in turn', async () => {
    let running = 0;
    let most = 0;
    const answer = mintAnswer();
    portal.answer(async (request, response) => {
      running += 1;
      most = Math.max(most, running);
      // The first mints wait until all places are taken.
      await expect.poll(() => most).toBeGreaterThanOrEqual(3);
      // A mint that the gate let in too early is counted by now.
      await setImmediate();
      running -= 1;
      answer(request, response);
    });
    const { mint } = await start({ concurrentMints: 3, queuedMints: 50 });
    // Two waves, because a place that was freed twice would show in the second.
    for (let wave = 0; wave < 2; wave += 1) {
      const answers = await Promise.all(Array.from({ length: 12 }, () => mint()));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    }
    expect(most).toBe(3);
  });

  it('beyond the queue are answered 503 with Retry-After, at once', async () => {
    const release = holdAnswers(mintAnswer());
    let users = 0;
    const user = () => ({ email: `user-${(users += 1)}@acme.example` });
    const { mint } = await start({ concurrentMints: 2, queuedMints: 1 }, { user });
    const stuck = Array.from({ length: 3 }, () => mint());
    await expect.poll(() => [portal.received.length, users]).toEqual([2, 3]);
    // Answered while the others still wait.
    const turnedAway = await mint();
    expect(turnedAway).toMatchObject({ status: 503, json: { code: 'portal_unavailable' } });
    expect(turnedAway.headers['retry-after']).toBe('1');
    release();
    for (const { status } of await Promise.all(stuck)) expect(status).toBe(200);
  });

  it('share their places across the host names of the tenant', async () => {
    const release = holdAnswers(mintAnswer());
    const tenants = {
      'acme.localhost': acme(portal),
      'www.acme.localhost': acme(portal),
      'globex.localhost': acme(portal, { apiKey: 'pk_globex' }),
    };
    const { mint } = await start({ concurrentMints: 1, queuedMints: 0 }, { tenants });
    const stuck = [mint(), mint({ host: 'globex.localhost' })];
    await expect.poll(() => portal.received.length).toBe(2);
    expect((await mint({ host: 'www.acme.localhost' })).status).toBe(503);
    release();
    for (const { status } of await Promise.all(stuck)) expect(status).toBe(200);
  });

  it('end at the deadline while they are queued', belowDefaultDeadline, async () => {
    portal.answer(() => {});
    const { mint } = await start({ concurrentMints: 1, queuedMints: 5, timeoutMs: 250 });
    for (const each of await Promise.all(Array.from({ length: 4 }, () => mint())))
      expect(each).toMatchObject({ status: 504, json: { code: 'portal_timeout' } });
  });

  it('free their place at the deadline', async () => {
    portal.answer(() => {});
    const { mint } = await start({ concurrentMints: 1, queuedMints: 1, timeoutMs: 300 });
    await Promise.all([mint(), mint()]);
    portal.answer(mintAnswer());
    // On a slow machine a request may miss the deadline; a lost place would stay lost.
    for (let n = 0; n < 3; n += 1) await expect.poll(async () => (await mint()).status).toBe(200);
  });

  it('share their places with the provisioning of users', async () => {
    const mintOnce = mintAnswer();
    let isThere = false;
    const release = holdAnswers(
      (request, response) => {
        const isMint = request.url === '/api/identity/url';
        if (isMint && !isThere) return problemAnswer(404, 'user_not_found')(request, response);
        isThere = true;
        return (isMint ? mintOnce : jsonAnswer(204))(request, response);
      },
      ({ url }) => url === '/api/user',
    );
    const { mint } = await start(
      { concurrentMints: 1, queuedMints: 0 },
      { user: userOfHeader, provision: () => ({ name: 'New', role: 3 }) },
    );
    const first = mint({ headers: { 'X-User': 'first@acme.example' } });
    await expect.poll(() => portal.received.map(({ url }) => url)).toContain('/api/user');
    const second = await mint({ headers: { 'X-User': 'second@acme.example' } });
    expect(second).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    release();
    expect((await first).status).toBe(200);
  });

  it('are not delayed by another tenant whose portal is down', async () => {
    const stalled: ServerResponse[] = [];
    await using dead = await startFakePortal((_, response) => stalled.push(response));
    const tenants = {
      'acme.localhost': acme(portal),
      'globex.localhost': acme(dead, { apiKey: 'pk_globex' }),
    };
    const { mint } = await start({ concurrentMints: 2 }, { tenants });
    const stuck = Array.from({ length: 20 }, () => mint({ host: 'globex.localhost' }));
    await expect.poll(() => dead.received.length).toBe(2);
    // Answered while the others still wait.
    expect((await mint()).status).toBe(200);
    expect(dead.received).toHaveLength(2);
    dead.answer(mintAnswer());
    for (const response of stalled) response.destroy();
    await Promise.all(stuck);
  });
});

describe('a failing portal', () => {
  it('is retried within the deadline', async () => {
    let calls = 0;
    const mint = mintAnswer();
    portal.answer((request, response) => {
      calls += 1;
      (calls === 1 ? jsonAnswer(503) : mint)(request, response);
    });
    const { mint: send } = await start({});
    expect((await send()).status).toBe(200);
    expect(calls).toBe(2);
  });

  it('that stalls once is retried', async () => {
    const seen = new Set<unknown>();
    const mint = mintAnswer();
    portal.answer((request, response) => {
      const id = request.headers['x-request-id'];
      if (seen.has(id)) mint(request, response);
      seen.add(id);
    });
    const { mint: send } = await start({ timeoutMs: 500 });
    // The first attempt of each mint stalls. On a slow machine the second may be too late.
    await expect.poll(async () => (await send()).status).toBe(200);
  });

  const hang = () => new Promise<never>(() => {});
  it.each([
    ['tenants', { tenants: hang }],
    ['user', { user: hang }],
    ['authorize', { authorize: hang }],
  ])('ends at the deadline when a callback hangs: %s', belowDefaultDeadline, async (_, options) => {
    const { mint } = await start({ timeoutMs: 150 }, options);
    expect(await mint()).toMatchObject({ status: 504, json: { code: 'portal_timeout' } });
  });

  it('ends at the deadline when a body is endless', belowDefaultDeadline, async () => {
    const { send } = await start({ timeoutMs: 150 });
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '100' };
    const path = '/portal-embed/url';
    expect((await send({ method: 'POST', path, headers, text: '{' })).status).toBe(504);
  });

  it('whose pause is longer than the deadline answers 504', async () => {
    portal.answer(problemAnswer(503, 'database_unavailable', { 'Retry-After': '1' }));
    const slowUser = async () => {
      await new Promise((resolve) => setTimeout(resolve, 600));
      return { email: 'west@acme.example' };
    };
    const { mint } = await start({ timeoutMs: 1_200 }, { user: slowUser });
    expect(await mint()).toMatchObject({ status: 504, json: { code: 'portal_timeout' } });
  });

  it('ends its retries of quick refusals at the deadline', belowDefaultDeadline, async () => {
    portal.answer(problemAnswer(503, 'database_unavailable'));
    // The pauses are then 100 and 200 ms; the second one would end after the deadline.
    vi.spyOn(Math, 'random').mockReturnValue(1);
    onTestFinished(() => void vi.restoreAllMocks());
    const { mint } = await start({ timeoutMs: 250 });
    expect([503, 504]).toContain((await mint()).status);
    expect(portal.received.length).toBeLessThan(3);
  });

  it('whose Retry-After exceeds the deadline is not retried', async () => {
    portal.answer(problemAnswer(503, 'database_unavailable', { 'Retry-After': '10' }));
    const { mint } = await start({ timeoutMs: 9_900 });
    const answer = await mint();
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '10' } });
    expect(portal.received).toHaveLength(1);
  });

  it('leaves no timer behind', async () => {
    const timers = () =>
      process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
    const { mint } = await start({ timeoutMs: 60_000 });
    await mint();
    const before = timers();
    for (let n = 0; n < 5; n += 1) await mint();
    expect(timers()).toBeLessThan(before + 5);
  });
});

describe('the rate of one user', () => {
  it('is limited, without effect on other users', async () => {
    const { mint } = await start({ mintsPerUserPerMinute: 3 }, { user: userOfHeader });
    const by = (email: string) => mint({ headers: { 'X-User': email } });
    const startedAt = performance.now();
    for (let i = 0; i < 3; i += 1) expect((await by('west@acme.example')).status).toBe(200);
    const fourth = await by('WEST@acme.example');
    expect(fourth).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
    const seconds = (performance.now() - startedAt) / 1_000;
    // Rounded up to whole seconds.
    expect(Number(fourth.headers['retry-after'])).toBeGreaterThanOrEqual(60 - seconds);
    expect(Number(fourth.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await by('east@acme.example')).status).toBe(200);
    expect(portal.received).toHaveLength(4);
  });

  it('is counted separately in each organization', async () => {
    const organizationId = '22222222-0000-4000-8000-000000000002';
    const tenants = {
      'acme.localhost': acme(portal),
      'globex.localhost': acme(portal, { organizationId }),
    };
    const { mint } = await start({ mintsPerUserPerMinute: 1 }, { tenants });
    for (const host of Object.keys(tenants)) expect((await mint({ host })).status).toBe(200);
    expect((await mint()).status).toBe(429);
  });
});
