import { hostResponseSchema, problemSchema } from '@portal-embed/contract';
import { mintAnswer } from 'test-support/fake-portal';
import { describe, expect, it } from 'vitest';

import { apiKey, organizationId, portalUrl } from '../test/host-app.ts';
import { portal, setStage, start } from '../test/stage.ts';
import type { PortalUser } from './index.ts';

setStage();

const reportId = '6a1f4c1e-0000-4000-8000-000000000001';

describe('POST {mount}/url', () => {
  it("answers a URL of the tenant's portal for the user of the session", async () => {
    const { mint } = await start();
    const startedAt = performance.now();
    const answer = await mint();
    const seconds = (performance.now() - startedAt) / 1_000;
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const url = hostResponseSchema.parse(answer.json);
    expect(url.embedUrl).toMatch(/^http:\/\/acme\.portal\.localhost:4000\/identity\?token=/);
    expect(url.expiresIn).toBeGreaterThan(297 - seconds);
    expect(url.expiresIn).toBeLessThanOrEqual(300);
    expect(portal.received).toEqual([
      expect.objectContaining({
        url: '/api/identity/url',
        headers: expect.objectContaining({ 'x-api-key': apiKey }),
        body: { userEmail: 'west@acme.example', baseUrl: portalUrl },
      }),
    ]);
  });

  it("passes on the browser's choices, and the organization with a report", async () => {
    const { mint } = await start();
    const body = {
      reportId,
      embed: true,
      customFilters: [{ key: 'Orders/Region', value: 'West' }],
    };
    await mint({ body });
    expect(portal.received[0]!.body).toEqual({
      userEmail: 'west@acme.example',
      baseUrl: portalUrl,
      organizationId,
      ...body,
    });
  });

  it.each(['userEmail', 'organizationId', 'baseUrl', 'anything'])(
    'refuses a body with %s',
    async (field) => {
      const { mint } = await start();
      const answer = await mint({ body: { [field]: 'x@y.example' } });
      expect(answer).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
      expect(answer.json['errors']).toEqual([{ path: field, message: 'is not a known field' }]);
      expect(portal.received).toHaveLength(0);
    },
  );

  it.each([
    ['a broken body', '{'],
    ['text in place of an object', '"x"'],
    ['a list', '[1]'],
    ['a body of more than 256 kB', `{${' '.repeat(300_000)}}`],
    ['an object where an id belongs', JSON.stringify({ reportId: { $ne: 1 } })],
  ])('refuses %s', async (_, text) => {
    const { send } = await start();
    const headers = { 'Content-Type': 'application/json' };
    const answer = await send({ method: 'POST', path: '/portal-embed/url', headers, text });
    expect(answer).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
    expect(portal.received).toHaveLength(0);
  });

  it.each([
    [
      { reportId, customFilters: [{ key: 'Sales/Region', value: ['West'] }] },
      'Correct customFilters.0.value: must be string.',
    ],
    [{ x: 1, y: 2, z: 3 }, 'Correct x: is not a known field, and 2 more.'],
    [[], 'Correct the body: must be object.'],
  ])('the text of a refusal names the first wrong field of %j', async (body, detail) => {
    const { mint } = await start();
    const { json } = await mint({ body });
    expect(json).toMatchObject({ detail });
  });

  it.each(['application/json', 'Application/JSON', 'application/json; charset=utf-8'])(
    'the endpoint accepts the content type %j',
    async (type) => {
      const { mint } = await start();
      const answer = await mint({ headers: { 'Content-Type': type }, body: { reportId } });
      expect(answer.status).toBe(200);
      expect(portal.received[0]!.body).toMatchObject({ reportId });
    },
  );

  it.each([
    'text/plain',
    'text/plain; application/json',
    'text/plain;a=application/json',
    'application/jsonp',
    'application/json-patch+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    '',
  ])('the endpoint refuses the content type %j', async (type) => {
    const { mint } = await start();
    const answer = await mint({ headers: { 'Content-Type': type } });
    expect(answer).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
    expect(portal.received).toHaveLength(0);
  });

  it('accepts an empty body as a request for the whole portal', async () => {
    const { send } = await start();
    const headers = { 'Content-Type': 'application/json' };
    const answer = await send({ method: 'POST', path: '/portal-embed/url', headers });
    expect(answer.status).toBe(200);
  });

  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('answers %s with 405', async (method) => {
    const { send } = await start();
    const answer = await send({ method, path: '/portal-embed/url' });
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    expect(problemSchema.parse(answer.json)).toMatchObject({
      status: 405,
      code: 'invalid_request',
    });
  });
});

describe('the user', () => {
  it.each([null, undefined])(
    'that is %s gets 401 not_signed_in, without a call of the portal',
    async (user) => {
      const { mint } = await start({ user: () => user });
      expect(await mint()).toMatchObject({ status: 401, json: { code: 'not_signed_in' } });
      expect(portal.received).toHaveLength(0);
    },
  );

  it('may be found asynchronously', async () => {
    const { mint } = await start({ user: async () => ({ email: 'late@acme.example' }) });
    await mint();
    expect(portal.received[0]!.body).toMatchObject({ userEmail: 'late@acme.example' });
  });
});

describe('the hostName of a user', () => {
  it.each([
    { hostName: null },
    { hostName: 5 },
    { hostName: ['acme.localhost'] },
    { hostName: {} },
  ])('that is not text never matches: %j', async (claim) => {
    const signedIn = { email: 'west@acme.example', ...claim } as unknown as PortalUser;
    const { mint } = await start({ user: () => signedIn });
    expect(await mint()).toMatchObject({ status: 401, json: { code: 'not_signed_in' } });
    expect(portal.received).toHaveLength(0);
  });
});

describe('authorize', () => {
  it('receives the user, the tenant without its key, and the request', async () => {
    let seen: unknown;
    const { mint } = await start({
      user: () => ({ email: 'west@acme.example', department: 'Sales' }),
      authorize: ({ user, tenant, request }) => {
        seen = { user, tenant, request };
        return true;
      },
    });
    expect((await mint({ body: { reportId } })).status).toBe(200);
    expect(seen).toEqual({
      user: { email: 'west@acme.example', department: 'Sales' },
      tenant: { hostName: 'acme.localhost', apiUrl: portal.url, organizationId, portalUrl },
      request: { reportId },
    });
  });

  it.each([false, undefined, null])(
    'that returns %s refuses with 403 forbidden',
    async (result) => {
      const { mint } = await start({ authorize: () => result as boolean });
      expect(await mint()).toMatchObject({ status: 403, json: { code: 'forbidden' } });
      expect(portal.received).toHaveLength(0);
    },
  );
});

it('each request gets a URL of its own', async () => {
  portal.answer(mintAnswer());
  const { mint } = await start();
  const urls = await Promise.all(Array.from({ length: 20 }, () => mint()));
  expect(new Set(urls.map(({ json }) => json['embedUrl'])).size).toBe(20);
});
