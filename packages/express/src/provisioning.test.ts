import { jsonAnswer, mintAnswer, problemAnswer, startFakePortal } from 'testing/fake-portal';
import type { FakePortal } from 'testing/fake-portal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { acme, startHostApp } from '../test/host-app.ts';
import type { RunningApp } from '../test/start-app.ts';

const id = '6a1f4c1e-0000-4000-8000-000000000001';
let portal: FakePortal;
let app: RunningApp;
let users: Set<string>;
let unknownUser: ReturnType<typeof jsonAnswer>;

beforeEach(async () => {
  users = new Set();
  unknownUser = problemAnswer(404, 'user_not_found');
  const mint = mintAnswer();
  portal = await startFakePortal((request, response) => {
    const { userEmail, email } = (request.body ?? {}) as { userEmail?: string; email?: string };
    if (request.url === '/api/identity/url')
      (users.has(userEmail!) ? mint : unknownUser)(request, response);
    else
      setTimeout(() => {
        if (request.url === '/api/user') users.add(email!);
        jsonAnswer(204)(request, response);
      }, 10);
  });
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

  it('who arrives in a crowd is provisioned once', async () => {
    const { mint } = await start();
    const answers = await Promise.all(Array.from({ length: 40 }, () => mint()));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));
    expect(calls().filter((url) => url !== '/api/identity/url')).toEqual(provisioned);
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

  it.each([
    ['without provision', { provision: undefined }],
    ['where provision says null', { provision: () => null }],
  ])('stays out %s', async (_, options) => {
    const { mint } = await start(options);
    expect(await mint()).toMatchObject({ status: 403, json: { code: 'no_portal_user' } });
    expect(calls()).toEqual(['/api/identity/url']);
  });

  it('whose provisioning fails in the app is for its error handler', async () => {
    const { mint } = await start({ provision: () => Promise.reject(new Error('HR is down')) });
    expect((await mint()).status).toBe(500);
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
    const startedAt = performance.now();
    const answers = await Promise.all([mint(), mint()]);
    for (const answer of answers) expect(answer.status).toBe(504);
    expect(performance.now() - startedAt).toBeLessThan(600);
  });
});
