import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { startFakePortal } from '@portal-embed/testing';
import type { FakePortal } from '@portal-embed/testing';
import { sealData } from 'iron-session';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { send } from './localhost.ts';

/** An example application that listens on the loopback address. */
export interface RunningExample extends AsyncDisposable {
  port: number;
}

/** Serves the application of an example on a free port. */
export async function serve(app: RequestListener | Server): Promise<RunningExample> {
  const server = typeof app === 'function' ? createServer(app) : app;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const secret = 'a secret of at least 32 characters';

const organizationId = '11111111-1111-4111-8111-111111111111';
/** The report of the examples' portal. */
export const reportId = '6a1f4c1e-0000-4000-8000-000000000001';
const west = { email: 'west@acme.example', hostName: 'acme.localhost', region: 'West' };

/** Starts the portal of the examples: one user, whose session `sealSession` seals, and one report. */
export const startExamplePortal = (): Promise<FakePortal> =>
  startFakePortal({
    organizationId,
    users: [west.email],
    reports: [{ id: reportId, name: 'Sales' }],
  });

/** The environment from which the examples read their tenants and the secret of their sessions. */
export const createEnvironment = ({ url, tenant }: FakePortal) => ({
  REPORTS_URL: url,
  ACME_API_KEY: tenant.apiKey,
  ACME_ORGANIZATION_ID: organizationId,
  ACME_BASE_URL: url.replace('127.0.0.1', 'acme.portal.localhost'),
  GLOBEX_API_KEY: 'key-of-globex',
  GLOBEX_ORGANIZATION_ID: '22222222-2222-4222-8222-222222222222',
  GLOBEX_BASE_URL: url.replace('127.0.0.1', 'globex.portal.localhost'),
  SESSION_SECRET: secret,
});

/** The cookie of a user who has signed in at an example. */
export const sealSession = async (user: object = west, password = secret): Promise<string> =>
  `session=${await sealData({ user }, { password })}`;

/** The portal and requests for an example's own tests. */
export interface Stage {
  portal: FakePortal;
  /** `POST /portal-embed/url` as a page of acme.localhost would send it for a signed-in user. */
  mint: (input?: MintInput) => ReturnType<typeof send>;
  /** Opens an address of acme.localhost, as a link in a mail does for a signed-in user. */
  open: (
    target: string,
    headers?: Record<string, string>,
    method?: string,
  ) => ReturnType<typeof send>;
}

interface MintInput {
  host?: string;
  method?: string;
  /** The target of the request line. Default: the path of the host endpoint. */
  target?: string;
  headers?: Record<string, string>;
  json?: unknown;
  body?: Buffer;
}

/**
 * Declares the tests that every example of a host application passes, over real HTTP.
 *
 * @param start starts the example, with its environment set
 */
export function testHostExample(
  start: (env: ReturnType<typeof createEnvironment>) => Promise<RunningExample>,
): Stage {
  let app: RunningExample;
  let cookie: string;
  const stage: Stage = {
    // Set before the first test.
    portal: undefined as unknown as FakePortal,
    mint: ({ host = 'acme.localhost', method = 'POST', target, headers, ...content } = {}) =>
      send(`http://127.0.0.1:${app.port}/portal-embed/url`, {
        method,
        headers: {
          host: `${host}:${app.port}`,
          cookie,
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
        ...(target === undefined ? {} : { path: target }),
        ...(content.body ? {} : { json: {} }),
        ...content,
      }),
    open: (target, headers, method = 'GET') =>
      send(`http://127.0.0.1:${app.port}${target}`, {
        method,
        headers: {
          host: `acme.localhost:${app.port}`,
          cookie,
          'sec-fetch-site': 'cross-site',
          'sec-fetch-dest': 'document',
          ...headers,
        },
      }),
  };

  beforeAll(async () => {
    stage.portal = await startExamplePortal();
    const env = createEnvironment(stage.portal);
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    cookie = await sealSession();
    // Another test file of the worker may have loaded the example, for its own portal.
    vi.resetModules();
    app = await start(env);
    // An example may build its application first.
  }, 240_000);
  afterAll(async () => {
    await app?.[Symbol.asyncDispose]();
    await stage.portal[Symbol.asyncDispose]();
    vi.unstubAllEnvs();
  });
  beforeEach(() => {
    stage.portal.received.length = 0;
  });

  describe('the host endpoint of the example', () => {
    declareTests(stage);
  });
  return stage;
}

function declareTests(stage: Stage) {
  const { mint } = stage;
  const acmeUrl = () => createEnvironment(stage.portal).ACME_BASE_URL;
  const requests = () => stage.portal.received.map(({ body }) => body);

  async function expectRefused(input: MintInput, status: number, code: string) {
    const answer = await mint(input);
    expect(answer.json()).toMatchObject({ status, code });
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(requests()).toEqual([]);
  }

  it('a signed-in user gets a URL of their tenant, with the locked filter', async () => {
    const answer = await mint();
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json().embedUrl).toContain(`${acmeUrl()}/identity?token=`);
    expect(requests()).toEqual([
      {
        userEmail: 'west@acme.example',
        baseUrl: acmeUrl(),
        customFilters: [{ key: 'Superstore/Region', value: 'West' }],
      },
    ]);
  });

  it('a display flag of the body reaches the portal', async () => {
    expect((await mint({ json: { hideNavbar: true } })).status).toBe(200);
    expect(requests()).toMatchObject([{ hideNavbar: true }]);
  });

  it('a request without a session answers not_signed_in', () =>
    expectRefused({ headers: { cookie: '' } }, 401, 'not_signed_in'));

  it('a cookie that the application did not seal answers not_signed_in', async () => {
    const sealed = await sealSession();
    for (const cookie of [
      'session=west@acme.example',
      `session=${encodeURIComponent(JSON.stringify({ user: west }))}`,
      await sealSession(west, 'another secret of at least 32 characters'),
      sealed.replace(/.{12}$/, 'x'.repeat(12)),
    ])
      await expectRefused({ headers: { cookie } }, 401, 'not_signed_in');
  });

  it("a session answers not_signed_in at another tenant's host name", () =>
    expectRefused({ host: 'globex.localhost' }, 401, 'not_signed_in'));

  it('a host name without a tenant answers unknown_tenant', () =>
    expectRefused({ host: 'evil.localhost' }, 404, 'unknown_tenant'));

  it.each(['xn--a', '1.2.3.4.5'])(
    'the invalid host name %s is refused, and the next request is served',
    async (host) => {
      expect([400, 404]).toContain((await mint({ host })).status);
      expect((await mint()).status).toBe(200);
    },
  );

  it('a client cannot select a tenant by X-Forwarded-Host', async () => {
    const forwarded = {
      'x-forwarded-host': 'globex.localhost',
      forwarded: 'host=globex.localhost',
    };
    expect((await mint({ headers: forwarded })).status).toBe(200);
    expect(requests()).toMatchObject([{ baseUrl: acmeUrl() }]);
    stage.portal.received.length = 0;
    const acme = { 'x-forwarded-host': 'acme.localhost' };
    await expectRefused({ host: 'evil.localhost', headers: acme }, 404, 'unknown_tenant');
  });

  it('an absolute request target cannot select another tenant', async () => {
    const cookie = await sealSession({ email: 'west@acme.example', region: 'West' });
    await mint({ target: 'http://globex.localhost/portal-embed/url', headers: { cookie } });
    for (const request of requests()) expect(request).toMatchObject({ baseUrl: acmeUrl() });
  });

  it.each([{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }])(
    'a request from another site answers cross_site: %j',
    (headers) => expectRefused({ headers }, 403, 'cross_site'),
  );

  it('a body that names a user answers invalid_request', () =>
    expectRefused({ json: { userEmail: 'all@acme.example' } }, 400, 'invalid_request'));

  it('a locked filter cannot be widened', async () => {
    const filter = (key: string, value: string) => ({ json: { customFilters: [{ key, value }] } });
    for (const key of ['Superstore/Region', 'region'])
      await expectRefused(filter(key, 'East'), 403, 'forbidden');
    const locked = { key: 'Superstore/Region', value: 'West' };
    const chosen = { key: 'Superstore/Category', value: 'Furniture' };
    expect((await mint({ json: { customFilters: [chosen] } })).status).toBe(200);
    expect(requests()).toMatchObject([{ customFilters: [locked, chosen] }]);
  });

  it('a body with a Content-Encoding answers unsupported_media_type', async () => {
    for (const encoding of ['gzip', 'br'])
      await expectRefused(
        { headers: { 'content-encoding': encoding } },
        415,
        'unsupported_media_type',
      );
  });

  it('a link opens a fresh URL of the report, with the locked filter', async () => {
    const open = (headers: Record<string, string> = {}, method = 'GET') =>
      stage.open(`/portal-embed/open?reportId=${reportId}&embed=true`, headers, method);
    const answer = await open();
    expect(answer.status).toBe(303);
    expect(answer.headers['location']).toContain(`${acmeUrl()}/identity?token=`);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(requests()).toEqual([
      {
        userEmail: 'west@acme.example',
        baseUrl: acmeUrl(),
        organizationId,
        reportId,
        customFilters: [{ key: 'Superstore/Region', value: 'West' }],
      },
    ]);
    stage.portal.received.length = 0;
    const signedOut = await open({ cookie: '' });
    expect(signedOut.status).toBe(401);
    expect(signedOut.headers['content-type']).toContain('text/html');
    expect((await open({ 'sec-purpose': 'prefetch' })).status).toBe(503);
    // Frameworks without HEAD for the route answer 404.
    expect([404, 503]).toContain((await open({}, 'HEAD')).status);
    expect(requests()).toEqual([]);
  });

  it('a preflight request of a listed origin is answered, and any other is refused', async () => {
    const ask = (origin: string) =>
      mint({
        method: 'OPTIONS',
        headers: {
          origin,
          cookie: '',
          'sec-fetch-site': 'cross-site',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
        },
      });
    const listed = await ask('https://www.acme.example');
    expect(listed.status).toBe(204);
    expect(listed.headers).toMatchObject({
      'access-control-allow-origin': 'https://www.acme.example',
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'content-type',
    });
    const other = await ask('https://evil.example');
    expect(other.status).toBe(405);
    expect(other.headers).not.toHaveProperty('access-control-allow-origin');
  });
}
