import { connect } from 'node:net';

import { startFakePortal } from 'test-support/fake-portal';
import type { FakePortal } from 'test-support/fake-portal';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startApp } from '../test/host-app.ts';
import type { RunningApp } from '../test/host-app.ts';
import { portalEmbed } from './index.ts';
import type { Tenant } from './index.ts';

let portal: FakePortal;
let direct: RunningApp;
let proxied: RunningApp;
let tenants: Record<string, Tenant>;

const user = () => ({ email: 'west@acme.example' });

beforeAll(async () => {
  portal = await startFakePortal();
  const tenant = (name: string) => ({
    apiUrl: portal.url,
    apiKey: `pk_${name}`,
    organizationId: '11111111-0000-4000-8000-000000000001',
    portalUrl: `https://${name}.portal.example`,
  });
  tenants = { 'acme.example': tenant('acme'), 'Globex.example': tenant('globex') };
  direct = await startApp((app) => app.use('/portal-embed', portalEmbed({ tenants, user })));
  proxied = await startApp((app) => {
    app.set('trust proxy', 'loopback');
    app.use('/portal-embed', portalEmbed({ tenants, user }));
  });
});
beforeEach(() => portal.received.splice(0));
afterAll(async () => {
  await direct[Symbol.asyncDispose]();
  await proxied[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

const keysUsed = () => portal.received.map((each) => each.headers['x-api-key']);

describe('the host name', () => {
  it.each([
    ['acme.example', 'pk_acme'],
    ['acme.example:3000', 'pk_acme'],
    ['ACME.Example', 'pk_acme'],
    ['acme.example.', 'pk_acme'],
    ['acme.example.:443', 'pk_acme'],
    ['globex.example', 'pk_globex'],
  ])('%s belongs to %s', async (host, key) => {
    expect((await direct.mint({ host })).status).toBe(200);
    expect(keysUsed()).toEqual([key]);
  });

  it.each([
    'evil.example',
    'acme.example.evil.example',
    'xacme.example',
    'acme.example..',
    'acme.example@evil.example',
    'evil.example@acme.example',
    'acme.example:globex.example',
    'acme.example:',
    'acme.example:80:80',
    'acme.example/globex.example',
    'acme.example globex.example',
    'acme.example,globex.example',
    'acme.example#',
    'acme.example%00',
    '127.0.0.1',
    '[::1]',
    'constructor',
    '__proto__',
    'toString',
  ])('%s is no tenant', async (host) => {
    const answer = await direct.mint({ host });
    expect(answer).toMatchObject({ status: 404, json: { code: 'unknown_tenant' } });
    expect(portal.received).toHaveLength(0);
  });
});

describe('a request that a platform created, without raw headers', () => {
  let adapted: RunningApp;
  beforeAll(async () => {
    adapted = await startApp((app) => {
      app.use((req, _, next) => {
        const { headers } = req;
        const made = { headers, rawHeaders: [], headersDistinct: {} };
        for (const [name, value] of Object.entries(made))
          Object.defineProperty(req, name, { value });
        next();
      });
      app.use('/portal-embed', portalEmbed({ tenants, user }));
    });
  });
  afterAll(() => adapted[Symbol.asyncDispose]());

  it('belongs to the tenant of its only host name', async () => {
    expect((await adapted.mint({ host: 'Globex.example:443' })).status).toBe(200);
    expect(keysUsed()).toEqual(['pk_globex']);
  });

  it.each(['evil.example', 'acme.example, globex.example', 'acme.example,acme.example', ''])(
    'belongs to no tenant if the host name is %j',
    async (host) => {
      expect((await adapted.mint({ host })).status).toBe(404);
      expect(portal.received).toHaveLength(0);
    },
  );
});

const sendRaw = (port: number, head: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (received += chunk));
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
    socket.write(
      `${head}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    );
  });

describe('a raw request', () => {
  it.each([
    ['without Host', 'POST /portal-embed/url HTTP/1.0'],
    ['with an empty Host', 'POST /portal-embed/url HTTP/1.1\r\nHost:'],
    [
      'with two Hosts',
      'POST /portal-embed/url HTTP/1.1\r\nHost: acme.example\r\nHost: globex.example',
    ],
    [
      'with the same Host twice',
      'POST /portal-embed/url HTTP/1.1\r\nHost: acme.example\r\nHost: acme.example',
    ],
    [
      'with a second host in its target',
      'POST http://globex.example/portal-embed/url HTTP/1.1\r\nHost: acme.example',
    ],
  ])('%s reaches no tenant', async (_, head) => {
    expect(await sendRaw(direct.port, head)).toMatch(/^HTTP\/1\.1 (400|404) /);
    expect(portal.received).toHaveLength(0);
  });
});

const forwarded = (host: string | string[]) => ({ 'X-Forwarded-Host': host });

const sendFrom = (origin: string) =>
  proxied.send({
    method: 'POST',
    path: '/portal-embed/url',
    host: 'internal:8080',
    headers: {
      ...forwarded('acme.example'),
      'X-Forwarded-Proto': 'https',
      'Content-Type': 'application/json',
      Origin: origin,
    },
    body: {},
  });

describe('X-Forwarded-Host', () => {
  it('is ignored without "trust proxy"', async () => {
    await direct.mint({ host: 'acme.example', headers: forwarded('globex.example') });
    await direct.mint({ host: 'evil.example', headers: forwarded('globex.example') });
    expect(keysUsed()).toEqual(['pk_acme']);
  });

  it('selects the tenant behind a trusted proxy', async () => {
    const answer = await proxied.mint({
      host: 'internal',
      headers: forwarded('Globex.example:443'),
    });
    expect(answer.status).toBe(200);
    expect(keysUsed()).toEqual(['pk_globex']);
  });

  it('with two hosts reaches no tenant', async () => {
    for (const value of [
      'acme.example, globex.example',
      'acme.example, internal',
      ['acme.example', 'globex.example'],
    ])
      expect(await proxied.mint({ host: 'acme.example', headers: forwarded(value) })).toMatchObject(
        { status: 404, json: { code: 'unknown_tenant' } },
      );
    expect(portal.received).toHaveLength(0);
  });

  it('decides the own origin, together with X-Forwarded-Proto', async () => {
    expect((await sendFrom('https://acme.example')).status).toBe(200);
    expect((await sendFrom('http://acme.example')).status).toBe(403);
    expect((await sendFrom('http://internal:8080')).status).toBe(403);
  });
});
