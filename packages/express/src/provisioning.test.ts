import {
  emptyPage,
  jsonAnswer,
  mintAnswer,
  pageOfUser,
  problemAnswer,
  startFakePortal,
} from 'testing/fake-portal';
import type { FakeAnswer, FakePortal } from 'testing/fake-portal';
import { startStopwatch } from 'testing/stopwatch';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { acme, startHostApp } from '../test/host-app.ts';
import type { RunningApp } from '../test/start-app.ts';

const id = '6a1f4c1e-0000-4000-8000-000000000001';
let portal: FakePortal;
let app: RunningApp;
let users: Set<string>;
/** Who may open the report. */
let linked: Set<string>;
let unknownUser: FakeAnswer;
let healthy: FakeAnswer;

beforeEach(async () => {
  users = new Set();
  linked = new Set();
  unknownUser = problemAnswer(404, 'user_not_found');
  const mint = mintAnswer();
  healthy = (request, response) => {
    const body = (request.body ?? {}) as Record<'userEmail' | 'email' | 'reportId', string>;
    const { userEmail, email, reportId } = body;
    if (request.url === '/api/identity/url') {
      const isOpen = reportId === undefined || linked.has(userEmail);
      const answer = isOpen ? mint : problemAnswer(403, 'report_not_accessible');
      (users.has(userEmail) ? answer : unknownUser)(request, response);
    } else
      setTimeout(() => {
        const isThere = request.url === '/api/user' && users.has(email);
        if (request.url === '/api/user') users.add(email);
        if (request.url === '/api/user/link-reports') linked.add(userEmail);
        (isThere ? problemAnswer(409, 'user_exists') : jsonAnswer(204))(request, response);
      }, 10);
  };
  portal = await startFakePortal(healthy);
});
afterEach(async () => {
  await app[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

const start = async (options: Parameters<typeof startHostApp>[1] = {}) => {
  app = await startHostApp(portal, {
    provision: ({ user, tenant }) => ({
      name: `${user.email} of ${tenant.hostName}`,
      role: 3,
      reports: [id],
      rlsRoles: [{ datasetId: id, role: 'West' }],
    }),
    ...options,
  });
  return app;
};
const calls = () => portal.received.map(({ url }) => url);
const provisioned = ['/api/user', '/api/datasets/rls/link-users', '/api/user/link-reports'];

describe('a user whom the portal does not know', () => {
  it('is created, linked and let in within one request', async () => {
    const { mint } = await start();
    expect((await mint()).status).toBe(200);
    expect(calls()).toEqual(['/api/identity/url', ...provisioned, '/api/identity/url']);
    expect(portal.received[1]!.body).toEqual({
      email: 'west@acme.example',
      name: 'west@acme.example of acme.localhost',
      role: 3,
    });
    await mint();
    expect(calls()).toHaveLength(6);
  });

  it('has the calls of their first visit under its request id, undoing included', async () => {
    const { mint } = await start();
    portal.answer((request, response) => {
      const answer = request.url === '/api/user/link-reports' ? problemAnswer(422, 'x') : healthy;
      return answer(request, response);
    });
    await mint({ headers: { 'X-Request-Id': 'visit-1' } });
    expect(calls()).toEqual(['/api/identity/url', ...provisioned, '/api/user/west%40acme.example']);
    const ids = portal.received.map(({ headers }) => headers['x-request-id']);
    expect(new Set(ids)).toEqual(new Set(['visit-1']));
  });

  it('who arrives in a crowd is provisioned once', async () => {
    const { mint } = await start();
    const visits: ReturnType<typeof mint>[] = [];
    // Some arrive when the user is there already, and the links are not.
    for (let visit = 0; visit < 40; visit += 1) {
      visits.push(mint({ body: { reportId: id } }));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    const answers = await Promise.all(visits);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));
    expect(calls().filter((url) => url !== '/api/identity/url')).toEqual(provisioned);
  });

  it('whose mint overtakes the links is let in once they are there', async () => {
    const { mint } = await start();
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let mints = 0;
    portal.answer(async (request, response) => {
      if (request.url === '/api/user/link-reports') await held;
      if (request.url !== '/api/identity/url') return jsonAnswer(204)(request, response);
      mints += 1;
      // Two unknown visits; the answer to the second is slow, and no longer "unknown".
      if (mints === 1) return unknownUser(request, response);
      if (mints > 2) return mintAnswer()(request, response);
      await expect.poll(() => calls()).toContain('/api/user/link-reports');
      problemAnswer(403, 'report_not_accessible')(request, response);
      return setTimeout(release, 50);
    });
    const body = { reportId: id };
    const answers = await Promise.all([mint({ body }), mint({ body })]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(mints).toBe(4);
  });

  it.each([
    [404, 'user_not_found'],
    [403, 'report_not_accessible'],
  ])(
    'who is answered %i %s only after another visit has provisioned is let in',
    async (status, code) => {
      const { mint } = await start();
      let isHeld = false;
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      portal.answer(async (request, response) => {
        if (request.url !== '/api/identity/url') return healthy(request, response);
        if (request.headers['x-request-id'] === 'second' && !isHeld) {
          isHeld = true;
          await held;
          return problemAnswer(status, code)(request, response);
        }
        await expect.poll(() => isHeld).toBe(true);
        return healthy(request, response);
      });
      const visit = (name: string) =>
        mint({ body: { reportId: id }, headers: { 'X-Request-Id': name } });
      const [first, second] = [visit('first'), visit('second')];
      expect((await first).status).toBe(200);
      release();
      expect((await second).status).toBe(200);
      expect(calls().filter((url) => url !== '/api/identity/url')).toEqual(provisioned);
    },
  );

  it('is not granted again what somebody has revoked', async () => {
    const { mint } = await start();
    const body = { reportId: id };
    expect((await mint({ body })).status).toBe(200);
    linked.clear();
    const before = calls().length;
    expect(await mint({ body })).toMatchObject({
      status: 403,
      json: { code: 'report_not_accessible' },
    });
    expect(calls().slice(before)).toEqual(['/api/identity/url']);
  });

  it('is let in by a later visit when the portal went down in the middle', async () => {
    const { mint } = await start();
    const body = { reportId: id };
    let isDown = false;
    portal.answer((request, response) => {
      if (request.url === '/api/identity/url' && !isDown) return unknownUser(request, response);
      if (request.url !== '/api/user' || isDown) return jsonAnswer(503)(request, response);
      isDown = true;
      users.add('west@acme.example');
      return jsonAnswer(204)(request, response);
    });
    expect((await mint({ body })).status).toBe(503);
    portal.answer(healthy);
    expect((await mint({ body })).status).toBe(200);
    expect(linked).toEqual(users);
    const before = calls().length;
    expect((await mint({ body })).status).toBe(200);
    expect(calls().slice(before)).toEqual(['/api/identity/url']);
  });

  it('whose creation is in doubt is not deleted, and let in by a later visit', async () => {
    const { mint } = await start();
    const body = { reportId: id };
    const email = 'west@acme.example';
    const empty = { reports: [], groups: [], companies: [], department: '' };
    const flags = { canEditReport: false, canCreateReport: false, canOverwriteReport: false };
    const none = { reportLandingPage: null, expirationDate: null, directoryAdUser: null };
    const found = { id, email, name: 'West', role: 3, ...empty, ...flags, ...none };
    portal.answer((request, response) => {
      if (request.method === 'GET')
        return jsonAnswer(200, { ...emptyPage, totalPages: 1, data: [found] })(request, response);
      if (request.url === '/api/identity/url') return healthy(request, response);
      if (request.url === '/api/user') users.add(email);
      return jsonAnswer(request.url === '/api/user' ? 502 : 422)(request, response);
    });
    expect((await mint({ body })).status).toBe(503);
    portal.answer(healthy);
    expect((await mint({ body })).status).toBe(200);
    expect(portal.received.map(({ method }) => method)).not.toContain('DELETE');
  });

  it('is tried again after a provision function that hangs', async () => {
    let isHanging = true;
    const state = { name: 'West', role: 3 };
    const { mint } = await start({
      limits: { timeoutMs: 300 },
      provision: () => (isHanging ? new Promise<never>(() => {}) : state),
    });
    expect(await mint()).toMatchObject({ status: 504, json: { code: 'portal_timeout' } });
    isHanging = false;
    // On a slow machine the deadline passes for a visit now and then.
    await expect.poll(async () => (await mint()).status).toBe(200);
  });

  it.each([
    ['a mistyped field', { name: 'West', role: 3, report: [id] }, 'report'],
    ['a role by name', { name: 'West', role: 'Viewer' }, 'role'],
    ['a report by name', { name: 'West', role: 3, reports: ['Sales'] }, 'reports'],
  ])('whose state has %s is an error of the app', async (_, state, field) => {
    const errors: unknown[] = [];
    const provision = () => state as never;
    const { mint } = await start({ provision, onError: ({ error }) => errors.push(error) });
    expect((await mint()).status).toBe(503);
    expect(calls()).toEqual(['/api/identity/url']);
    expect(errors).toEqual([expect.any(TypeError)]);
    expect(String(errors[0])).toMatch(new RegExp(`provision returned no valid state: .*${field}`));
  });

  it('is provisioned in each tenant apart', async () => {
    const other = '22222222-0000-4000-8000-000000000002';
    const tenants = {
      'acme.localhost': acme(portal),
      'globex.localhost': acme(portal, { apiKey: 'pk_globex', organizationId: other }),
    };
    const { mint } = await start({ tenants });
    await Promise.all([mint(), mint({ host: 'globex.localhost' })]);
    const keys = portal.received
      .filter(({ url }) => url === '/api/user')
      .map(({ headers }) => headers['x-api-key']);
    expect(keys).toHaveLength(2);
    expect(new Set(keys)).toEqual(new Set(['pk_globex', 'pk_secret_of_acme']));
  });

  it('may be one of a portal that says no more than 404', async () => {
    unknownUser = jsonAnswer(404, { message: 'not found' });
    const { mint } = await start();
    expect((await mint()).status).toBe(200);
  });

  it('is not whoever asks a portal that says no more than 404 for a report it does not have', async () => {
    const listed = pageOfUser('west@acme.example');
    portal.answer((request, response) =>
      request.method === 'GET'
        ? jsonAnswer(200, listed)(request, response)
        : jsonAnswer(404, { message: 'not found' })(request, response),
    );
    const { mint } = await start();
    expect(await mint({ body: { reportId: id } })).toMatchObject({
      status: 403,
      json: { code: 'report_not_accessible' },
    });
    const writes = portal.received.filter(({ method }) => method !== 'GET').map(({ url }) => url);
    expect(new Set(writes)).toEqual(new Set(['/api/identity/url']));
  });

  it('is let in by a portal that says no more than 404, if it lists them nowhere', async () => {
    unknownUser = jsonAnswer(404, { message: 'not found' });
    portal.answer((request, response) =>
      (request.method === 'GET' ? jsonAnswer(200, emptyPage) : healthy)(request, response),
    );
    const { mint } = await start();
    expect((await mint({ body: { reportId: id } })).status).toBe(200);
  });

  it.each([
    [503, 'portal_unavailable'],
    [429, 'rate_limited'],
  ])('is not refused because looking for them fails for the moment: %i', async (status, code) => {
    portal.answer((request, response) =>
      jsonAnswer(
        request.method === 'GET' ? status : 404,
        {},
        { 'Retry-After': '60' },
      )(request, response),
    );
    const { mint } = await start();
    expect(await mint({ body: { reportId: id } })).toMatchObject({ json: { code } });
  });

  it('is not made up where the portal does not let us look', async () => {
    portal.answer((request, response) =>
      jsonAnswer(request.method === 'GET' ? 403 : 404)(request, response),
    );
    const { mint } = await start();
    expect(await mint({ body: { reportId: id } })).toMatchObject({
      json: { code: 'no_portal_user' },
    });
    expect(calls()).toHaveLength(2);
  });

  it.each([
    ['without provision', { provision: undefined }],
    ['where provision says null', { provision: () => null }],
  ])('stays out %s', async (_, options) => {
    const { mint } = await start(options);
    expect(await mint()).toMatchObject({ status: 403, json: { code: 'no_portal_user' } });
    expect(calls()).toEqual(['/api/identity/url']);
  });

  it('is refused when the key may not create users', async () => {
    portal.answer(({ url }, response) =>
      problemAnswer(
        url === '/api/user' ? 403 : 404,
        url === '/api/user' ? 'missing_permission' : 'user_not_found',
      )(portal.received[0]!, response),
    );
    const { mint } = await start();
    expect(await mint()).toMatchObject({ status: 502, json: { code: 'portal_rejected_key' } });
  });

  it('is waited for no longer than the deadline', async () => {
    portal.answer((request, response) => {
      if (request.url === '/api/identity/url') unknownUser(request, response);
    });
    const { mint } = await start({ limits: { timeoutMs: 200 } });
    const stop = startStopwatch();
    const answers = await Promise.all([mint(), mint()]);
    for (const answer of answers) expect(answer.status).toBe(504);
    expect(stop()).toBeLessThan(600);
  });
});
