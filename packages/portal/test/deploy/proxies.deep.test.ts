import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import https from 'node:https';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { permissions } from '@portal-embed/contract';
import pg from 'pg';
import { createTemporaryFolder, findFreePort, send, startPostgres } from 'testing';
import { buildFirst } from 'testing/build';
import { chooseRepetitions } from 'testing/repetitions';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { createApiKey } from '../../src/api-keys/service.ts';
import { openDatabase, type OpenDatabase } from '../../src/db/connection/open.ts';
import { setOrigins } from '../../src/organizations/service.ts';
import { inviteUser } from '../../src/sign-in/service.ts';
import { createUser } from '../../src/users/service.ts';
import { testPassword } from '../support/admin.ts';
import { createTestOrganization, type TestOrganization } from '../support/organization.ts';
import { startPortalProcess, type PortalProcess } from '../support/processes.ts';

buildFirst();

/** The samples of `deploy/` in front of two portals, with the ports and folders of the test. */

const deploy = path.join(import.meta.dirname, '../../deploy');
const restarts = chooseRepetitions(2, 20);
const megabytes = chooseRepetitions(5, 250);
const requestGapMs = 50;

let folder: string;
let certificate: Buffer;
let cluster: Awaited<ReturnType<typeof startPostgres>>;
beforeAll(async () => {
  folder = createTemporaryFolder('portal-proxies-');
  const names = 'DNS:portal.example.com,DNS:*.portal.example.com';
  execFileSync(
    'openssl',
    `req -x509 -nodes -newkey rsa:2048 -days 2 -subj /CN=portal -addext subjectAltName=${names} -keyout portal.key -out portal.pem`.split(
      ' ',
    ),
    { cwd: folder, stdio: 'pipe' },
  );
  certificate = fs.readFileSync(path.join(folder, 'portal.pem'));
  cluster = await startPostgres();
});
afterAll(async () => {
  await cluster.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Replaces parts of a sample. Each part must be in it. */
function adapt(name: string, parts: Record<string, string>): string {
  let text = fs.readFileSync(path.join(deploy, name), 'utf8');
  for (const [part, other] of Object.entries(parts)) {
    if (!text.includes(part)) throw new Error(`${name} does not have: ${part}`);
    text = text.replaceAll(part, other);
  }
  return text;
}

interface Ports {
  http: number;
  https: number;
  portals: readonly [number, number];
}

function startHaproxy({ http, https: secure, portals }: Ports) {
  const certificates = path.join(folder, 'certs');
  fs.mkdirSync(certificates, { recursive: true });
  fs.writeFileSync(
    path.join(certificates, 'portal.pem'),
    Buffer.concat([certificate, fs.readFileSync(path.join(folder, 'portal.key'))]),
  );
  const file = path.join(folder, 'haproxy.cfg');
  fs.writeFileSync(
    file,
    adapt('haproxy.cfg', {
      'bind :80': `bind 127.0.0.1:${http}`,
      'bind :443': `bind 127.0.0.1:${secure}`,
      '/etc/haproxy/certs/': certificates,
      '/etc/haproxy/errors/unavailable.http': path.join(deploy, 'unavailable.http'),
      'portal-1:4000': `127.0.0.1:${portals[0]}`,
      'portal-2:4000': `127.0.0.1:${portals[1]}`,
    }),
  );
  return spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
}

function startNginx({ http, https: secure, portals }: Ports) {
  const site = adapt('nginx.conf', {
    'listen 80;': `listen 127.0.0.1:${http};`,
    'listen 443 ssl http2;': `listen 127.0.0.1:${secure} ssl http2;`,
    '/etc/nginx/certs/portal.pem': path.join(folder, 'portal.pem'),
    '/etc/nginx/certs/portal.key': path.join(folder, 'portal.key'),
    'root /etc/nginx/portal;': `root ${deploy};`,
    'portal-1:4000': `127.0.0.1:${portals[0]}`,
    'portal-2:4000': `127.0.0.1:${portals[1]}`,
  });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  const file = path.join(folder, 'nginx.conf');
  fs.writeFileSync(
    file,
    `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}
http { access_log off; ${temporary}
${site}
}`,
  );
  return spawn('nginx', ['-p', folder, '-c', file, '-e', 'stderr'], { stdio: 'ignore' });
}

interface Options {
  method?: string;
  headers?: Record<string, string>;
  body?: string | AsyncIterable<string>;
}

interface Received {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** A client that trusts only the certificate of the test, and resolves each name to this machine. */
const createClient = (port: number) => {
  const agent = new https.Agent({ keepAlive: true, ca: certificate });
  return (name: string, target: string, { method = 'GET', headers, body }: Options = {}) =>
    new Promise<Received>((resolve, reject) => {
      const request = https.request(
        { host: '127.0.0.1', servername: name, port, path: target, method, agent },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({ status: response.statusCode!, headers: response.headers, body: text }),
          );
        },
      );
      request.on('error', reject);
      request.setHeader('host', `${name}:${port}`);
      for (const [header, value] of Object.entries(headers ?? {})) request.setHeader(header, value);
      if (body === undefined || typeof body === 'string') request.end(body);
      else
        void (async () => {
          for await (const chunk of body)
            if (!request.write(chunk))
              await Promise.race([once(request, 'drain'), once(request, 'close')]);
          request.end();
        })();
    });
};

const admin = 'admin.portal.example.com';
const api = 'portal.example.com';
const readers = 'acme.portal.example.com';

describe.each([
  ['haproxy', startHaproxy],
  ['nginx', startNginx],
] as const)('%s with the sample in deploy/', (name, startProxy) => {
  let ports: Ports;
  let client: ReturnType<typeof createClient>;
  let opened: OpenDatabase;
  let acme: TestOrganization;
  let apiKey: string;
  let portals: PortalProcess[];
  let startPortal: (index: number) => Promise<PortalProcess>;
  let proxy: ReturnType<typeof spawn>;

  beforeAll(async () => {
    ports = {
      http: await findFreePort(),
      https: await findFreePort(),
      portals: [await findFreePort(), await findFreePort()],
    };
    client = createClient(ports.https);
    const server = new pg.Client({ connectionString: cluster.url('postgres') });
    await server.connect();
    await server.query(`CREATE DATABASE ${name}`);
    await server.end();
    const database = { databaseUrl: cluster.url(name), dataDir: path.join(folder, name) };
    opened = await openDatabase(database);
    const publicUrl = `https://${api}:${ports.https}`;
    acme = await createTestOrganization(
      { db: opened.db, dataDir: database.dataDir, publicUrl },
      'acme',
    );
    await setOrigins(acme.ctx, {
      addresses: [`https://${readers}:${ports.https}`],
      embedOrigins: [],
    });
    ({ key: apiKey } = await createApiKey(acme.ctx, { name: 'proxies', permissions }));
    const env = {
      PORTAL_PUBLIC_URL: publicUrl,
      PORTAL_ADMIN_URL: `https://${admin}:${ports.https}`,
      PORTAL_TRUST_PROXY: 'loopback',
      PORTAL_LOG_CLIENT_ADDRESS: 'on',
      PORTAL_DRAIN_NOTICE: name === 'haproxy' ? '' : '0',
    };
    startPortal = (index) => startPortalProcess(database, { port: ports.portals[index]!, env });
    portals = [await startPortal(0), await startPortal(1)];
    proxy = startProxy(ports);
    await vi.waitFor(
      async () => {
        const { status } = await client(api, '/api/report');
        if (status !== 401) throw new Error(`The proxy answers ${status}.`);
      },
      { timeout: 20_000, interval: 100 },
    );
  });
  afterAll(async () => {
    proxy.kill('SIGKILL');
    await Promise.all(portals.map((each) => each.kill()));
    await opened.close();
  });

  const mint = async (headers: Record<string, string> = {}) =>
    client(api, '/api/identity/url', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey, ...headers },
      body: JSON.stringify({
        userEmail: acme.emails.west,
        baseUrl: `https://${readers}:${ports.https}`,
      }),
    });
  const openLink = async (minted: Received) => {
    const { pathname, search, hostname } = new URL(JSON.parse(minted.body).embedUrl);
    return client(hostname, pathname + search, { headers: { 'sec-fetch-mode': 'navigate' } });
  };

  it('opens a link at the https address of the organization', async () => {
    const page = await openLink(await mint());
    expect(page.status).toBe(200);
    expect(page.headers['strict-transport-security']).toBeDefined();
  });

  it('does not let clients choose their address or another organization', async () => {
    const forged = {
      'x-forwarded-host': 'globex.portal.example.com',
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-proto': 'http',
      forwarded: 'for=203.0.113.7;host=globex.portal.example.com;proto=http',
    };
    expect((await openLink(await mint(forged))).status).toBe(200);
    const refused = await client(api, '/api/report', {
      headers: { 'x-api-key': 'wrong', ...forged },
    });
    expect(refused.status).toBe(401);
    const output = () => portals.map((each) => each.output()).join('');
    await expect.poll(output).toContain('"client":"127.0.0.1"');
    expect(output()).not.toContain('203.0.113.7');
  });

  it('redirects http to https, and hides the health checks', async () => {
    const plain = await send(`http://127.0.0.1:${ports.http}/api/report`, {
      headers: { host: api },
    });
    expect([plain.status, plain.headers.location]).toEqual([301, `https://${api}/api/report`]);
    expect((await client(api, '/readyz')).status).toBe(404);
    expect((await client(api, '/livez')).status).toBe(404);
  });

  it(`takes an upload of ${megabytes} MB`, async () => {
    await createUser(acme.ctx, { email: 'ada@acme.example', name: 'Ada', role: 1 });
    const { token } = await inviteUser(acme.ctx, { email: 'ada@acme.example' });
    const origin = `https://${admin}:${ports.https}`;
    const accepted = await client(admin, '/admin/api/invitation/accept', {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ token, password: testPassword }),
    });
    expect(accepted.status).toBe(200);
    const cookie = [accepted.headers['set-cookie'] ?? []]
      .flat()
      .map((each) => each.split(';', 1)[0]);
    const rows = 'West,'.padEnd(99, '7').concat('\n').repeat(10_000);
    async function* content() {
      yield 'Region,Note\n';
      for (let sent = 0; sent < megabytes; sent += 1) yield rows;
    }
    const uploaded = await client(
      admin,
      `/admin/api/organizations/${acme.id}/uploads?fileName=large.csv`,
      {
        method: 'POST',
        headers: { origin, cookie: cookie.join('; ') },
        body: content(),
      },
    );
    expect([uploaded.status, uploaded.body.slice(0, 300)]).toEqual([200, expect.any(String)]);
    expect(JSON.parse(uploaded.body).sample.rowCount).toBe(megabytes * 10_000);
  });

  it(`fails no mint and no link in ${restarts} rolling restarts`, async () => {
    const over = new AbortController();
    const outcomes: Record<string, number> = {};
    const count = (outcome: string | number) => (outcomes[outcome] = (outcomes[outcome] ?? 0) + 1);
    const request = async () => {
      const minted = await mint();
      count(minted.status);
      if (minted.status === 200) count((await openLink(minted)).status);
    };
    const requests: Promise<void>[] = [];
    const load = async () => {
      while (!over.signal.aborted) {
        requests.push(request().catch((error: Error) => void count(error.message)));
        await delay(requestGapMs);
      }
    };
    const loading = load();
    for (let restart = 0; restart < restarts; restart += 1) {
      const index = restart % 2;
      expect(await portals[index]!.stop('SIGTERM')).toBe(0);
      portals[index] = await startPortal(index);
      // The proxy finds it again.
      await delay(6_000);
    }
    over.abort();
    await loading;
    await Promise.all(requests);
    expect(Object.keys(outcomes)).toEqual(['200']);
  });

  it('shows a page while no instance runs, and reports soon after one has returned', async () => {
    await Promise.all(portals.map((each) => each.kill()));
    const page = await client(readers, '/');
    expect(page.status).toBeOneOf([502, 503]);
    expect(page.body).toContain('<h1>Reports are unavailable</h1>');
    expect(page.headers['retry-after']).toBe('10');
    portals[0] = await startPortal(0);
    await expect.poll(async () => (await mint()).status, { timeout: 20_000 }).toBe(200);
  });
});
