import { request } from 'node:http';

import { hostErrorCodes, hostResponseSchema, problemSchema } from '@portal-embed/contract';
import express from 'express';
import type { Express } from 'express';
import { jsonAnswer, mintAnswer, problemAnswer, startFakePortal } from 'testing/fake-portal';
import type { FakeAnswer, FakePortal } from 'testing/fake-portal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { acme, apiKey, organizationId, portalUrl, startHostApp } from '../test/host-app.ts';
import type { RunningApp } from '../test/start-app.ts';
import type { Limits, PortalEmbedOptions, PortalUser } from './index.ts';

const reportId = '6a1f4c1e-0000-4000-8000-000000000001';

let portal: FakePortal;
let app: RunningApp | undefined;

beforeEach(async () => {
  portal = await startFakePortal();
});
afterEach(async () => {
  await app?.[Symbol.asyncDispose]();
  app = undefined;
  await portal[Symbol.asyncDispose]();
});

const reset: FakeAnswer = (_, response) => response.destroy();

const start = async (
  options: Partial<PortalEmbedOptions<PortalUser>> = {},
  configure?: (host: Express) => void,
): Promise<RunningApp> => (app = await startHostApp(portal, options, configure));

describe('POST {mount}/url', () => {
  it('answers a URL for the user of the session, on the portal of the tenant', async () => {
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

  it('passes on what the browser may choose, and the organization with a report', async () => {
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

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])(
    'refuses the content type %j, which a form could send',
    async (type) => {
      const { mint } = await start();
      const answer = await mint({ headers: { 'Content-Type': type } });
      expect(answer).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
      expect(portal.received).toHaveLength(0);
    },
  );

  it('takes an empty body as no wishes', async () => {
    const { send } = await start();
    const headers = { 'Content-Type': 'application/json' };
    const answer = await send({ method: 'POST', path: '/portal-embed/url', headers });
    expect(answer.status).toBe(200);
  });

  it.each([
    ['express.json()', () => express.json()],
    ['express.urlencoded()', () => express.urlencoded({ extended: false })],
    ['express.text() for everything', () => express.text({ type: 'text/*' })],
  ])('works behind %s of the host', async (_, parser) => {
    const { mint } = await start({}, (host) => host.use(parser()));
    expect((await mint({ body: { reportId } })).status).toBe(200);
    expect(portal.received[0]!.body).toMatchObject({ reportId });
  });

  it('takes a body that something else has read', async () => {
    const { mint } = await start({}, (host) => {
      host.use(async (req, _, next) => {
        let text = '';
        for await (const chunk of req) text += String(chunk);
        req.body = JSON.parse(text);
        next();
      });
    });
    expect((await mint({ body: { reportId } })).status).toBe(200);
    expect(portal.received[0]!.body).toMatchObject({ reportId });
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

  it.each(['/portal-embed/', '/portal-embed/url/x', '/portal-embed/URL'])(
    'leaves %s to the app',
    async (path) => {
      const { send } = await start();
      expect((await send({ method: 'POST', path })).status).toBe(404);
    },
  );
});

describe('the user', () => {
  it.each([null, undefined])('who is %s gets 401 not_signed_in, without a call', async (user) => {
    const { mint } = await start({ user: () => user });
    expect(await mint()).toMatchObject({ status: 401, json: { code: 'not_signed_in' } });
    expect(portal.received).toHaveLength(0);
  });

  it('may be looked up asynchronously', async () => {
    const { mint } = await start({ user: async () => ({ email: 'late@acme.example' }) });
    await mint();
    expect(portal.received[0]!.body).toMatchObject({ userEmail: 'late@acme.example' });
  });
});

describe('the host name that a user signed in at', () => {
  it.each([
    { hostName: null },
    { hostName: 5 },
    { hostName: ['acme.localhost'] },
    { hostName: {} },
  ])('opens nothing as %j', async (claim) => {
    const signedIn = { email: 'west@acme.example', ...claim } as unknown as PortalUser;
    const { mint } = await start({ user: () => signedIn });
    expect(await mint()).toMatchObject({ status: 401, json: { code: 'not_signed_in' } });
    expect(portal.received).toHaveLength(0);
  });
});

describe('authorize', () => {
  it('sees the user, the tenant without its key, and the request', async () => {
    let seen: unknown;
    const { mint } = await start({
      user: () => ({ email: 'west@acme.example', department: 'Sales' }),
      authorize: ({ req, ...rest }) => {
        seen = rest;
        return req.method === 'POST';
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

describe('a call from another site', () => {
  const own = 'http://acme.localhost';
  const listed = 'https://www.acme.example';
  it.each([
    ['same-origin', undefined, 200],
    ['same-origin', own, 200],
    ['same-site', own, 403],
    ['cross-site', 'https://evil.example', 403],
    ['none', undefined, 403],
    ['same-site', listed, 200],
    ['cross-site', listed, 200],
    [undefined, undefined, 200],
    [undefined, own, 200],
    [undefined, listed, 200],
    [undefined, 'https://evil.example', 403],
    [undefined, 'https://acme.localhost', 403],
    [undefined, 'http://acme.localhost:81', 403],
    [undefined, 'null', 403],
  ])('Sec-Fetch-Site %s with Origin %s answers %i', async (site, origin, status) => {
    const { send } = await start({
      tenants: { 'acme.localhost': acme(portal, { allowedOrigins: [listed] }) },
    });
    const answer = await send({
      method: 'POST',
      path: '/portal-embed/url',
      headers: {
        'Content-Type': 'application/json',
        ...(site && { 'Sec-Fetch-Site': site }),
        ...(origin && { Origin: origin }),
      },
      body: {},
    });
    expect(answer).toMatchObject(
      status === 200 ? { status } : { status, json: { code: 'cross_site' } },
    );
    expect(portal.received).toHaveLength(status === 200 ? 1 : 0);
  });
});

describe("the portal's answer", () => {
  it.each([
    ['http://acme.portal.localhost:4001/identity?token=t', 'another port'],
    ['https://acme.portal.localhost:4000/identity?token=t', 'another protocol'],
    ['http://acme.portal.localhost:4000.evil.test/identity?token=t', 'a longer host name'],
    ['http://acme.portal.localhost:4000@evil.test/identity?token=t', 'a user name'],
    ['javascript:alert(1)', 'a script'],
  ])('%s is not believed: %s', async (embedUrl) => {
    portal.answer(jsonAnswer(200, { embedUrl, expiresAt: new Date().toISOString() }));
    const { mint } = await start();
    const answer = await mint();
    expect(answer).toMatchObject({ status: 503, json: { code: 'portal_unavailable' } });
    expect(answer.text).not.toContain('token=t');
  });

  it.each<[string, FakeAnswer, number, string, Partial<Limits>?]>([
    ['404 user_not_found', problemAnswer(404, 'user_not_found'), 403, 'no_portal_user'],
    ['403 user_expired', problemAnswer(403, 'user_expired'), 403, 'no_portal_user'],
    ['403 for a report', problemAnswer(403, 'report_not_accessible'), 403, 'report_not_accessible'],
    ['401', problemAnswer(401, 'invalid_api_key'), 502, 'portal_rejected_key'],
    ['403 for a key', problemAnswer(403, 'missing_permission'), 502, 'portal_rejected_key'],
    [
      '403 for an organization',
      problemAnswer(403, 'organization_mismatch'),
      502,
      'portal_rejected_key',
    ],
    ['429', problemAnswer(429, 'rate_limited', { 'Retry-After': '30' }), 429, 'rate_limited'],
    ['400', problemAnswer(400, 'invalid_request'), 400, 'invalid_request'],
    ['500', problemAnswer(500, 'internal_error'), 503, 'portal_unavailable'],
    [
      'a redirect',
      jsonAnswer(302, undefined, { Location: 'http://x.test' }),
      503,
      'portal_unavailable',
    ],
    ['nonsense', jsonAnswer(200, 'hello'), 503, 'portal_unavailable'],
    ['a reset', reset, 503, 'portal_unavailable'],
    ['silence', () => {}, 504, 'portal_timeout', { timeoutMs: 200 }],
  ])('%s reaches the browser as its own error', async (_, portalAnswer, status, code, limits) => {
    portal.answer(portalAnswer);
    const { mint } = await start({ limits: limits ?? {} });
    const answer = await mint();
    expect(answer).toMatchObject({ status, json: { code } });
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(problemSchema.parse(answer.json).detail).toMatch(/\w{3,}.*\.$/);
    expect(hostErrorCodes).toContain(code);
    expect(answer.text).not.toMatch(/pk_secret|about |127\.0\.0\.1/);
  });

  it.each([
    ['userEmail', 403, 'no_portal_user'],
    ['baseUrl', 503, 'portal_unavailable'],
    ['organizationId', 503, 'portal_unavailable'],
    ['customFilters', 400, 'invalid_request'],
  ])('about %s is laid to whoever can correct it', async (path, status, code) => {
    const errors = [{ path, message: 'is odd' }];
    portal.answer(jsonAnswer(400, { code: 'invalid_request', errors }));
    const { mint } = await start();
    expect(await mint()).toMatchObject({ status, json: { code } });
  });

  it('is not waited for where the user of the session has no e-mail address', async () => {
    const { mint } = await start({ user: () => ({ email: 'admin' }) });
    expect(await mint()).toMatchObject({ status: 403, json: { code: 'no_portal_user' } });
    expect(portal.received).toHaveLength(0);
  });

  it('with Retry-After hands it on', async () => {
    portal.answer(problemAnswer(429, 'rate_limited', { 'Retry-After': '30' }));
    const { mint } = await start();
    expect((await mint()).headers['retry-after']).toBe('30');
  });

  it.each<[string, Record<string, string>, string | undefined]>([
    ['none', {}, undefined],
    ['nonsense', { 'Retry-After': 'soon' }, undefined],
    ['eternity', { 'Retry-After': '9'.repeat(400) }, '86400'],
  ])('429 with %s for Retry-After says what to do', async (_, head, handedOn) => {
    portal.answer(problemAnswer(429, 'rate_limited', head));
    const { mint } = await start();
    const answer = await mint();
    expect(answer).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
    expect(answer.headers['retry-after']).toBe(handedOn);
    expect(answer.json['detail']).toContain('Wait a moment');
  });

  it('is waited for only as long as the browser waits', async () => {
    const given = new Promise<string>((resolve) => {
      portal.answer((_, response) => response.once('close', () => resolve('up')));
    });
    const { port } = await start({ limits: { timeoutMs: 3_600_000 } });
    const headers = { Host: 'acme.localhost', 'Content-Type': 'application/json' };
    const path = '/portal-embed/url';
    const outgoing = request({ host: '127.0.0.1', port, method: 'POST', path, headers });
    outgoing.on('error', () => {});
    outgoing.end('{}');
    await expect.poll(() => portal.received.length).toBe(1);
    outgoing.destroy();
    expect(await given).toBe('up');
  });
});

describe('a request id', () => {
  it('that is none is replaced', async () => {
    const { mint } = await start({}, (host) => {
      host.use((req, _, next) => {
        Object.assign(req, { id: Object.create(null) as object });
        next();
      });
    });
    const answer = await mint();
    expect(answer.status).toBe(200);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('of the proxy is passed on to the portal and answered', async () => {
    const { mint } = await start();
    const answer = await mint({ headers: { 'X-Request-Id': 'edge-42' } });
    expect(answer.headers['x-request-id']).toBe('edge-42');
    expect(portal.received[0]!.headers['x-request-id']).toBe('edge-42');
  });

  it('of the logger comes first', async () => {
    const { mint } = await start({}, (host) =>
      host.use((req, _, next) => {
        Object.assign(req, { id: 7 });
        next();
      }),
    );
    expect((await mint({ headers: { 'X-Request-Id': 'edge-42' } })).headers['x-request-id']).toBe(
      '7',
    );
  });

  it.each([
    ['could forge a log line', 'x" level=error {'],
    ['has the form of a secret', 'k'.repeat(43)],
    ['is longer than the portal keeps', 'a.'.repeat(65)],
    ['has characters that the portal does not keep', 'edge:42'],
  ])('that %s is replaced', async (_, id) => {
    const { mint } = await start();
    const answer = await mint({ headers: { 'X-Request-Id': id } });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(portal.received[0]!.headers['x-request-id']).toBe(answer.headers['x-request-id']);
  });

  it.each(['k'.repeat(42), 'a.'.repeat(64)])('that the portal keeps is kept: %s', async (id) => {
    const { mint } = await start({ user: () => null });
    const answer = await mint({ headers: { 'X-Request-Id': id } });
    expect(answer.headers['x-request-id']).toBe(id);
    expect(answer.json['requestId']).toBe(id);
  });
});

it('mints for each request anew', async () => {
  portal.answer(mintAnswer());
  const { mint } = await start();
  const urls = await Promise.all(Array.from({ length: 20 }, () => mint()));
  expect(new Set(urls.map(({ json }) => json['embedUrl'])).size).toBe(20);
});
