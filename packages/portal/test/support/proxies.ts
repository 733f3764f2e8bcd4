import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import https from 'node:https';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';

import { permissions } from '@portal-embed/contract';
import pg from 'pg';
import { findFreePort, type PostgresCluster } from 'test-support';
import { vi } from 'vitest';

import { createApiKey } from '../../src/api-keys/service.ts';
import { openDatabase } from '../../src/db/connection/open.ts';
import { setOrigins } from '../../src/organizations/service.ts';
import { inviteUser } from '../../src/sign-in/service.ts';
import { createUser } from '../../src/users/service.ts';
import { testPassword } from './admin.ts';
import { createTestOrganization } from './organization.ts';
import { startPortalProcess } from './processes.ts';

/** The samples of `deploy/` in front of two portals, with the ports and folders of a test. */

export const deployFolder = path.join(import.meta.dirname, '../../deploy');

/** Names that the certificate of the tests has. */
export const names = {
  api: 'portal.example.com',
  admin: 'admin.portal.example.com',
  readers: 'acme.portal.example.com',
} as const;

/** Writes `portal.key` and `portal.pem` to a folder, and returns the certificate. */
export function writeCertificate(folder: string, days: number): Buffer {
  const openssl = (command: string) =>
    execFileSync('openssl', command.split(' '), { cwd: folder, stdio: 'pipe' });
  const subject = `-subj /CN=portal -addext subjectAltName=DNS:${names.api},DNS:*.${names.api}`;
  openssl(`req -new -nodes -newkey rsa:2048 ${subject} -keyout portal.key -out portal.csr`);
  openssl(
    `x509 -req -in portal.csr -signkey portal.key -copy_extensions copy -days ${days} -out portal.pem`,
  );
  const certificate = fs.readFileSync(path.join(folder, 'portal.pem'));
  const folderOfHaproxy = path.join(folder, 'certs');
  fs.mkdirSync(folderOfHaproxy, { recursive: true });
  fs.writeFileSync(
    path.join(folderOfHaproxy, 'portal.pem'),
    Buffer.concat([certificate, fs.readFileSync(path.join(folder, 'portal.key'))]),
  );
  return certificate;
}

/** Replaces parts of a sample. Each part must be in it. */
function adapt(name: string, parts: Record<string, string>): string {
  let text = fs.readFileSync(path.join(deployFolder, name), 'utf8');
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

const proxyLog = 'proxy.log';

function startHaproxy(folder: string, { http, https: secure, portals }: Ports) {
  const file = path.join(folder, 'haproxy.cfg');
  fs.writeFileSync(
    file,
    adapt('haproxy.cfg', {
      'bind :80': `bind 127.0.0.1:${http}`,
      'bind :443': `bind 127.0.0.1:${secure}`,
      '/etc/haproxy/certs/': path.join(folder, 'certs'),
      '/etc/haproxy/errors/unavailable.http': path.join(deployFolder, 'unavailable.http'),
      'portal-1:4000': `127.0.0.1:${portals[0]}`,
      'portal-2:4000': `127.0.0.1:${portals[1]}`,
    }),
  );
  const log = fs.openSync(path.join(folder, proxyLog), 'a');
  return spawn('haproxy', ['-W', '-db', '-f', file], { stdio: ['ignore', log, 'ignore'] });
}

function startNginx(folder: string, { http, https: secure, portals }: Ports) {
  const site = adapt('nginx.conf', {
    'listen 80;': `listen 127.0.0.1:${http};`,
    'listen 443 ssl http2;': `listen 127.0.0.1:${secure} ssl http2;`,
    '/etc/nginx/certs/portal.pem': path.join(folder, 'portal.pem'),
    '/etc/nginx/certs/portal.key': path.join(folder, 'portal.key'),
    'root /etc/nginx/portal;': `root ${deployFolder};`,
    '/var/log/nginx/portal.log': path.join(folder, proxyLog),
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
http { ${temporary}
${site}
}`,
  );
  return spawn('nginx', ['-p', folder, '-c', file, '-e', 'stderr'], { stdio: 'ignore' });
}

const proxies = {
  haproxy: { start: startHaproxy, reload: 'SIGUSR2' },
  nginx: { start: startNginx, reload: 'SIGHUP' },
} as const;
export type ProxyName = keyof typeof proxies;

interface Options {
  method?: string;
  headers?: Record<string, string>;
  body?: string | AsyncIterable<string>;
}

export interface Received {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** A client that trusts only one certificate, and resolves each name to this machine. */
export function createClient(port: number, certificate: Buffer) {
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
      // The answer to a refused upload arrives before its end.
      else void pipeline(Readable.from(body), request).catch(() => {});
    });
}

/** Starts two portals on a database of their own, behind a proxy of the sample. */
export async function startProxiedPortals(
  name: ProxyName,
  {
    cluster,
    folder,
    dataDir = path.join(folder, name),
    certificate = writeCertificate(folder, 2),
  }: { cluster: PostgresCluster; folder: string; dataDir?: string; certificate?: Buffer },
) {
  const ports = {
    http: await findFreePort(),
    https: await findFreePort(),
    portals: [await findFreePort(), await findFreePort()],
  } as const;
  const client = createClient(ports.https, certificate);
  const server = new pg.Client({ connectionString: cluster.url('postgres') });
  await server.connect();
  await server.query(`CREATE DATABASE ${name}`);
  await server.end();
  const database = { databaseUrl: cluster.url(name), dataDir };
  const opened = await openDatabase(database);
  const publicUrl = `https://${names.api}:${ports.https}`;
  const acme = await createTestOrganization({ db: opened.db, dataDir, publicUrl }, 'acme');
  const address = `https://${names.readers}:${ports.https}`;
  await setOrigins(acme.ctx, { addresses: [address], embedOrigins: [] });
  const { key: apiKey } = await createApiKey(acme.ctx, { name: 'proxies', permissions });
  const env = {
    PORTAL_PUBLIC_URL: publicUrl,
    PORTAL_ADMIN_URL: `https://${names.admin}:${ports.https}`,
    PORTAL_TRUST_PROXY: 'loopback',
    PORTAL_LOG_CLIENT_ADDRESS: 'on',
    // Unset: the default.
    PORTAL_DRAIN_NOTICE: '',
  };
  const startPortal = (index: number) =>
    startPortalProcess(database, { port: ports.portals[index]!, env });
  const portals = [await startPortal(0), await startPortal(1)];
  const { start, reload } = proxies[name];
  const proxy: ChildProcess = start(folder, ports);
  const call = (method: string, target: string, json?: unknown, headers = {}) =>
    client(names.api, target, {
      method,
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey, ...headers },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
  const untilServing = () =>
    vi.waitFor(
      async () => {
        const { status } = await client(names.api, '/api/report');
        if (status !== 401) throw new Error(`The proxy answers ${status}.`);
      },
      { timeout: 30_000, interval: 100 },
    );

  return {
    acme,
    ports,
    client,
    portals,
    startPortal,
    call,
    untilServing,
    mint: (headers: Record<string, string> = {}) =>
      call('POST', '/api/identity/url', { userEmail: acme.emails.west, baseUrl: address }, headers),
    openLink: async (minted: Received) => {
      const { pathname, search, hostname } = new URL(JSON.parse(minted.body).embedUrl);
      return client(hostname, pathname + search, { headers: { 'sec-fetch-mode': 'navigate' } });
    },
    /** Signs in as an administrator; returns a function that uploads a file. */
    signIn: async () => {
      const email = 'ada@acme.example';
      await createUser(acme.ctx, { email, name: 'Ada', role: 1 });
      const { token } = await inviteUser(acme.ctx, { email });
      const origin = env.PORTAL_ADMIN_URL;
      const accepted = await client(names.admin, '/admin/api/invitation/accept', {
        method: 'POST',
        headers: { origin, 'content-type': 'application/json' },
        body: JSON.stringify({ token, password: testPassword }),
      });
      if (accepted.status !== 200) throw new Error(`The sign-in failed: ${accepted.body}`);
      const cookie = [accepted.headers['set-cookie'] ?? []]
        .flat()
        .map((each) => each.split(';', 1)[0])
        .join('; ');
      return (fileName: string, body: string | AsyncIterable<string>) =>
        client(names.admin, `/admin/api/organizations/${acme.id}/uploads?fileName=${fileName}`, {
          method: 'POST',
          headers: { origin, cookie },
          body,
        });
    },
    readProxyLog: () => fs.readFileSync(path.join(folder, proxyLog), 'utf8'),
    /** Lets the proxy read its files again, without an interruption. */
    reloadProxy: () => proxy.kill(reload),
    close: async () => {
      // SIGKILL would leave the workers of the proxy.
      proxy.kill('SIGTERM');
      await once(proxy, 'exit');
      await Promise.all(portals.map((each) => each.kill()));
      await opened.close();
    },
  };
}

export type ProxiedPortals = Awaited<ReturnType<typeof startProxiedPortals>>;

/**
 * Sends requests until an action has ended, one every 50 ms.
 *
 * @returns how often each status, or message of an error, was the result
 */
export async function countOutcomes(
  request: (count: (outcome: string | number) => void) => Promise<void>,
  action: () => Promise<void>,
): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  const count = (outcome: string | number) => (outcomes[outcome] = (outcomes[outcome] ?? 0) + 1);
  const over = new AbortController();
  const requests: Promise<void>[] = [];
  const load = async () => {
    while (!over.signal.aborted) {
      requests.push(request(count).catch((error: Error) => void count(error.message)));
      await delay(50);
    }
  };
  const loading = load();
  try {
    await action();
  } finally {
    over.abort();
    await loading;
    await Promise.all(requests);
  }
  return outcomes;
}
