import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { findFreePort, send, type Answer } from 'test-support';
import {
  jsonAnswer,
  mintAnswer,
  problemAnswer,
  startFakePortal,
  type FakePortal,
} from 'test-support/fake-portal';
import { testHostConformance } from 'test-support/host-conformance';
import { createEnvironment } from 'test-support/host-example';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const folder = path.join(import.meta.dirname, '..');

/** Returns the command that starts the host application in a language. */
const commands: Record<string, () => string[]> = {
  Python: () => ['python3', path.join(folder, 'python/host.py')],
  Java: () => {
    const classes = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-java-'));
    const sources = ['Host.java', 'Json.java'].map((name) => path.join(folder, 'java', name));
    execFileSync('javac', ['-Werror', '-d', classes, ...sources]);
    return ['java', '-cp', classes, 'Host'];
  },
};

const noColumn = '{"customFilters":[{"key":"","value":"West"}]}';

/** Starts the application in a language, with its environment set. */
async function startHost(language: string, env: NodeJS.ProcessEnv) {
  const port = await findFreePort();
  const [command = '', ...args] = commands[language]!();
  const child = spawn(command, args, {
    env: {
      PATH: process.env['PATH'],
      ...env,
      PORT: String(port),
      PUBLIC_FOLDER: path.join(folder, 'page'),
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  // It prints its address as soon as it listens.
  await once(createInterface(child.stdout), 'line');
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      if (child.kill()) await once(child, 'exit');
    },
  };
}

const signInAt = (port: number, email: string, password: string) =>
  send(`http://127.0.0.1:${port}`, {
    path: '/sign-in',
    method: 'POST',
    headers: {
      host: `acme.localhost:${port}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ email, password }).toString(),
  });

const readCookie = ({ headers }: Answer) => headers['set-cookie']?.[0]?.split(';')[0] ?? '';

describe.each(Object.keys(commands))('the endpoint in %s', (language) => {
  testHostConformance((env) => startHost(language, env), {
    signIn: async (port) => readCookie(await signInAt(port, 'west@acme.example', 'demo')),
  });
});

describe.each(Object.keys(commands))('the host application in %s', (language) => {
  let portal: FakePortal;
  let port: number;
  let running: Awaited<ReturnType<typeof startHost>>;
  beforeAll(async () => {
    portal = await startFakePortal();
    running = await startHost(language, createEnvironment(portal));
    ({ port } = running);
  }, 60_000);
  afterEach(() => {
    portal.answer(mintAnswer());
    portal.received.length = 0;
  });
  afterAll(async () => {
    await running[Symbol.asyncDispose]();
    await portal[Symbol.asyncDispose]();
  });

  interface Input {
    path?: string;
    method?: string;
    host?: string;
    headers?: Record<string, string>;
    body?: string;
  }
  const request = ({ headers, host = 'acme.localhost', ...input }: Input = {}) =>
    send(`http://127.0.0.1:${port}`, {
      path: '/portal-embed/url',
      method: 'POST',
      ...input,
      headers: { host: `${host}:${port}`, 'content-type': 'application/json', ...headers },
    });

  const signIn = async (email = 'west@acme.example', password = 'demo') => {
    const answer = await signInAt(port, email, password);
    return { ...answer, cookie: readCookie(answer) };
  };
  const mint = async ({ headers, ...input }: Input = {}) =>
    request({ body: '{}', ...input, headers: { cookie: (await signIn()).cookie, ...headers } });

  const bodies = () => portal.received.map(({ body }) => body);

  it('gives a signed-in user a URL with the locked filter', async () => {
    const answer = await mint({ body: JSON.stringify({ hideNavbar: true }) });
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    const { embedUrl, expiresAt, expiresIn } = answer.json();
    expect(embedUrl).toContain('http://acme.portal.localhost');
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    expect(expiresIn).toBeGreaterThan(290);
    expect(bodies()).toEqual([
      {
        userEmail: 'west@acme.example',
        baseUrl: createEnvironment(portal).ACME_BASE_URL,
        hideNavbar: true,
        customFilters: [{ key: 'Superstore/Region', value: 'West' }],
      },
    ]);
    expect(portal.received[0]!.headers['x-api-key']).toBe(portal.tenant.apiKey);
  });

  it('sends the organization with a report', async () => {
    const reportId = '6a1f4c1e-0000-4000-8000-000000000001';
    await mint({ body: JSON.stringify({ reportId }) });
    const { ACME_ORGANIZATION_ID: organizationId } = createEnvironment(portal);
    expect(bodies()).toMatchObject([{ reportId, organizationId }]);
  });

  it('finds the tenant of a host name in any letter case', async () => {
    expect((await mint({ host: 'ACME.localhost.' })).status).toBe(200);
  });

  it('refuses a wrong password, and a session of another host name', async () => {
    expect((await signIn('west@acme.example', 'wrong')).status).toBe(401);
    const { cookie } = await signIn();
    const answer = await request({ host: 'globex.localhost', headers: { cookie }, body: '{}' });
    expect([answer.status, answer.json().code]).toEqual([401, 'not_signed_in']);
  });

  it.each<[string, Input, number, string]>([
    ['no session', { headers: { cookie: '' } }, 401, 'not_signed_in'],
    ['a forged session', { headers: { cookie: 'session=e30=.é' } }, 401, 'not_signed_in'],
    ['an unknown host name', { host: 'evil.localhost' }, 404, 'unknown_tenant'],
    ['another site', { headers: { 'sec-fetch-site': 'cross-site' } }, 403, 'cross_site'],
    ['another origin', { headers: { origin: 'https://evil.example' } }, 403, 'cross_site'],
    ['a form', { headers: { 'content-type': 'text/plain' } }, 400, 'invalid_request'],
    ['no JSON', { body: '{' }, 400, 'invalid_request'],
    ['a list', { body: '[]' }, 400, 'invalid_request'],
    ['a user in the body', { body: '{"userEmail":"all@acme.example"}' }, 400, 'invalid_request'],
    ['a wrong flag', { body: '{"hideMenu":"yes"}' }, 400, 'invalid_request'],
    ['a filter without a column', { body: noColumn }, 400, 'invalid_request'],
    ['a wrong id', { body: '{"reportId":"1"}' }, 400, 'invalid_request'],
    ['a large body', { body: ' '.repeat(256 * 1024 + 1) }, 400, 'invalid_request'],
    [
      'a compressed body',
      { headers: { 'content-encoding': 'gzip' } },
      415,
      'unsupported_media_type',
    ],
    [
      'other rows',
      { body: '{"customFilters":[{"key":"region","value":"East"}]}' },
      403,
      'forbidden',
    ],
    ['another method', { method: 'GET', body: '' }, 405, 'invalid_request'],
  ])('refuses %s', async (_, input, status, code) => {
    const answer = await mint(input);
    expect(answer.json()).toMatchObject({
      type: `urn:portal-embed:problem:${code}`,
      status,
      code,
      detail: expect.stringMatching(/\.$/) as string,
      requestId: expect.any(String) as string,
    });
    expect([answer.status, answer.headers['content-type']]).toEqual([
      status,
      'application/problem+json; charset=utf-8',
    ]);
    expect(bodies()).toEqual([]);
  });

  it.each([
    [problemAnswer(404, 'user_not_found'), 403, 'no_portal_user'],
    [problemAnswer(403, 'report_not_accessible'), 403, 'report_not_accessible'],
    [problemAnswer(401, 'invalid_api_key'), 502, 'portal_rejected_key'],
    [jsonAnswer(500), 503, 'portal_unavailable'],
    [jsonAnswer(302, undefined, { Location: 'http://evil.example' }), 503, 'portal_unavailable'],
    [jsonAnswer(200, { embedUrl: 'http://evil.example/x' }), 503, 'portal_unavailable'],
  ])('says what a refusal of the portal means: %#', async (fromPortal, status, code) => {
    portal.answer(fromPortal);
    const answer = await mint();
    expect([answer.status, answer.json().code]).toEqual([status, code]);
    expect(answer.body).not.toContain(portal.tenant.apiKey);
  });

  it.each([undefined, 7, 'tomorrow'])('refuses a URL that ends at %j', async (expiresAt) => {
    const embedUrl = `${createEnvironment(portal).ACME_BASE_URL}/identity?token=x`;
    portal.answer(jsonAnswer(200, { embedUrl, expiresAt }));
    const answer = await mint();
    expect([answer.status, answer.json().code]).toEqual([503, 'portal_unavailable']);
  });

  it('ends a request whose answer goes on and on', async () => {
    portal.answer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 500);
      response.on('close', () => clearInterval(timer));
    });
    const answer = await mint();
    expect([answer.status, answer.json().code]).toEqual([504, 'portal_timeout']);
  });

  it('passes on how long to wait', async () => {
    portal.answer(problemAnswer(429, 'rate_limited', { 'Retry-After': '7' }));
    const answer = await mint();
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '7']);
  });

  it('ends the portal sessions at sign-out', async () => {
    const { cookie } = await signIn();
    portal.answer(jsonAnswer(204));
    const answer = await request({ path: '/sign-out', headers: { cookie } });
    expect(answer.status).toBe(303);
    expect(answer.headers['set-cookie']![0]).toContain('Max-Age=0');
    expect(portal.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'DELETE /api/user/west%40acme.example/sessions',
    ]);
  });

  it('shows its page with a policy that admits the portal', async () => {
    const page = await request({ method: 'GET', path: '/' });
    expect(page.body).toContain('<portal-embed');
    const { origin } = new URL(createEnvironment(portal).ACME_BASE_URL);
    expect(page.headers['content-security-policy']).toContain(`frame-src ${origin}`);
  });
});

it.each([
  ['curl', 'bash', 'mint.sh'],
  ['Python', 'python3', 'mint.py'],
  ['Java', 'java', 'Mint.java'],
])('one request of %s mints a URL', async (_, program, name) => {
  await using portal = await startFakePortal();
  const file = path.join(folder, '../../packages/docs/examples/mint', name);
  const { stdout } = await promisify(execFile)(program, [file], {
    env: { PATH: process.env['PATH'], ...createEnvironment(portal) },
  });
  expect(stdout).toMatch(/http:\/\/acme\.portal\.localhost:\d+\/identity\?token=/);
  expect(portal.received).toMatchObject([
    { method: 'POST', url: '/api/identity/url', body: { userEmail: 'west@acme.example' } },
  ]);
});
