import { problemAnswer } from 'test-support/fake-portal';
import { describe, expect, it } from 'vitest';

import { acme } from '../test/host-app.ts';
import {
  calls,
  healthy,
  id,
  provisioned,
  setProvisioningStage,
  start,
  unknownUser,
} from '../test/provisioning-stage.ts';
import { portal } from '../test/stage.ts';

setProvisioningStage();

describe('a user whom the portal does not know', () => {
  it('is created, linked and gets a URL within one request', async () => {
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

  it('is provisioned, and undone, under the request id of the mint', async () => {
    const { mint } = await start();
    portal.answer((request, response) => {
      const answer = request.url === '/api/user/link-reports' ? problemAnswer(422, 'x') : healthy;
      return answer(request, response);
    });
    await mint({ headers: { 'X-Request-Id': 'edge-1' } });
    expect(calls()).toEqual(['/api/identity/url', ...provisioned, '/api/user/west%40acme.example']);
    const ids = portal.received.map(({ headers }) => headers['x-request-id']);
    expect(new Set(ids)).toEqual(new Set(['edge-1']));
  });

  it('is provisioned by the next request if the provision function hangs', async () => {
    let isHanging = true;
    const state = { name: 'West', role: 3 };
    const { mint } = await start({
      limits: { timeoutMs: 300 },
      provision: () => (isHanging ? new Promise<never>(() => {}) : state),
    });
    expect(await mint()).toMatchObject({ status: 504, json: { code: 'portal_timeout' } });
    isHanging = false;
    // On a slow machine a request may miss the deadline.
    await expect.poll(async () => (await mint()).status).toBe(200);
  });

  it.each([
    ['a mistyped field', { name: 'West', role: 3, report: [id] }, 'report'],
    ['a role by name', { name: 'West', role: 'Viewer' }, 'role'],
    ['a report by name', { name: 'West', role: 3, reports: ['Sales'] }, 'reports'],
  ])('whose state has %s is not created', async (_, state, field) => {
    const errors: unknown[] = [];
    const provision = () => state as never;
    const { mint } = await start({ provision, onError: ({ error }) => errors.push(error) });
    expect((await mint()).status).toBe(503);
    expect(calls()).toEqual(['/api/identity/url']);
    expect(errors).toEqual([expect.any(TypeError)]);
    expect(String(errors[0])).toMatch(
      new RegExp(`provision returned an invalid state: .*${field}`),
    );
  });

  it('is provisioned in each tenant separately', async () => {
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

  it.each(['authorize', 'provision'])(
    'is the one that the application returned, even if the object changes while %s runs',
    async (callback) => {
      const person = { email: 'west@acme.example' };
      const change = () => {
        person.email = 'admin@acme.example';
        return { name: 'West', role: 3 };
      };
      const { mint } = await start({
        user: () => person,
        authorize: () => callback !== 'authorize' || !!change(),
        provision: change,
      });
      expect((await mint()).status).toBe(200);
      expect(calls()).toEqual(['/api/identity/url', '/api/user', '/api/identity/url']);
      const bodies = portal.received.map(({ body }) => body as Record<string, string>);
      for (const { userEmail, email } of bodies)
        expect(userEmail ?? email).toBe('west@acme.example');
    },
  );

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

  it.each([
    [400, 'invalid_request', 'portal_unavailable'],
    [403, 'forbidden', 'portal_rejected_key'],
    [404, 'not_found', 'portal_unavailable'],
    [404, 'user_not_found', 'portal_unavailable'],
    [413, 'body_too_large', 'portal_unavailable'],
    [422, 'unknown_references', 'portal_unavailable'],
    [429, 'rate_limited', 'rate_limited'],
  ])(
    'gets no advice to change the request if provisioning answers %i %s',
    async (status, refused, code) => {
      portal.answer((request, response) =>
        (request.url === '/api/user/link-reports'
          ? problemAnswer(status, refused, { 'Retry-After': '60' })
          : healthy)(request, response),
      );
      const { mint } = await start();
      expect((await mint()).json).toMatchObject({ code });
    },
  );

  // The test fails if a part ignores `timeoutMs` and waits for the default deadline.
  it('is not awaited beyond the deadline', { timeout: 4_500 }, async () => {
    portal.answer((request, response) => {
      if (request.url === '/api/identity/url') unknownUser(request, response);
    });
    const { mint } = await start({ limits: { timeoutMs: 200 } });
    const answers = await Promise.all([mint(), mint()]);
    for (const answer of answers) expect(answer.status).toBe(504);
  });
});
