import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import pg from 'pg';
import { createPostgresConnection } from 'report-engine/testing/internals';
import { createTemporaryFolder, startPostgres, type PostgresCluster } from 'test-support';
import { startStopwatch } from 'test-support/stopwatch';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { isDatabaseUnavailable } from '../../src/db/connection/database-failures.ts';
import { openPostgres } from '../../src/db/connection/postgres.ts';
import { runCommand, runInProcess } from '../support/command-line.ts';
import { startFreezableProxy } from '../support/freezable-proxy.ts';

let cluster: PostgresCluster;
let admin: pg.Client;
let folder: string;
/** Path of `pg_hba.conf`, the rules for users. */
let hbaFile: string;
beforeAll(async () => {
  cluster = await startPostgres();
  admin = new pg.Client({ connectionString: cluster.url('postgres') });
  await admin.connect();
  const { rows } = await admin.query<{ hba_file: string }>('SHOW hba_file');
  hbaFile = rows[0]!.hba_file;
  const owner = fs.statSync(hbaFile);
  await admin.query(`CREATE ROLE reader LOGIN PASSWORD 'right'`);
  folder = createTemporaryFolder('portal-tls-');
  fs.chmodSync(folder, 0o755);
  openssl('req -x509 -nodes -newkey rsa:2048 -days 9 -subj /CN=Private -keyout ca.key -out ca.pem');
  issue('server', 'DNS:localhost,IP:127.0.0.1');
  issue('expired', 'IP:127.0.0.1', '-1');
  issue('elsewhere', 'DNS:db.example');
  issue('portal', 'DNS:client');
  openssl(
    'req -x509 -nodes -newkey rsa:2048 -days 9 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout self.key -out self.pem',
  );
  for (const name of fs.readdirSync(folder)) fs.chownSync(file(name), owner.uid, owner.gid);
});
afterAll(async () => {
  await admin.end();
  await cluster.stop();
  fs.rmSync(folder, { recursive: true });
});

const file = (name: string) => path.join(folder, name);
const openssl = (args: string) =>
  execFileSync('openssl', args.split(' '), { cwd: folder, stdio: 'pipe' });

/** Issues a certificate of the private authority. */
function issue(name: string, names: string, days = '9'): void {
  openssl(`req -nodes -newkey rsa:2048 -subj /CN=reader -keyout ${name}.key -out ${name}.csr`);
  fs.writeFileSync(file(`${name}.ext`), `subjectAltName=${names}`);
  openssl(
    `x509 -req -in ${name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days ${days} -extfile ${name}.ext -out ${name}.pem`,
  );
}

/** Changes the certificate (none for no TLS) and the rules for the user `reader`. */
async function configure(certificate: string | undefined, rule: string) {
  const settings = {
    ssl: certificate === undefined ? 'off' : 'on',
    ssl_cert_file: file(`${certificate ?? 'server'}.pem`),
    ssl_key_file: file(`${certificate ?? 'server'}.key`),
    ssl_ca_file: file('ca.pem'),
  };
  for (const [name, value] of Object.entries(settings))
    await admin.query(`ALTER SYSTEM SET ${name} = '${value}'`);
  fs.writeFileSync(hbaFile, `${rule}\nhost all portal all trust\n`);
  await admin.query('SELECT pg_reload_conf()');
}

const urlOf = (options: string, host = '127.0.0.1') => {
  const url = new URL(cluster.url('postgres'));
  url.username = 'reader';
  url.hostname = host;
  return `${url.href}?${options}`;
};

const never = new AbortController().signal;

/** The messages of a command on the portal's own database, and of a connection of datasets. */
async function findMessages(url: string): Promise<[string, string]> {
  const where = { dataDir: folder, databaseUrl: url };
  const { stderr } = await runInProcess(where, ['organizations', 'list']);
  const connection = createPostgresConnection({ name: 'warehouse', url, connections: 1 });
  const checked = connection.check(never).then(
    () => 'no failure',
    (error: Error) => error.message,
  );
  const message = await checked;
  await connection.close();
  return [stderr, message];
}

const anyone = 'host all reader all trust';

const verify = 'sslmode=verify-full';

const trusting = () => `${verify}&sslrootcert=${file('ca.pem')}`;

const withClient = (name: string) =>
  `${trusting()}&sslcert=${file(`${name}.pem`)}&sslkey=${file(`${name}.key`)}`;

interface Case {
  /** Name of the server's certificate. */
  server: string | undefined;
  rule?: string;
  host?: string;
  options: () => string;
  /** Part of the cause and of the advice. */
  expected: [string, string];
}

const cases: Record<string, Case> = {
  'a self-signed certificate': {
    server: 'self',
    options: () => verify,
    expected: ["the server's certificate is self-signed", 'PEM file of this certificate'],
  },
  'an unknown authority': {
    server: 'server',
    options: () => verify,
    expected: ['by an authority that the portal does not know', 'add sslrootcert=FILE'],
  },
  'an expired certificate': {
    server: 'expired',
    options: trusting,
    expected: ["the server's certificate has expired", 'renew it'],
  },
  'a certificate for another host': {
    server: 'elsewhere',
    options: trusting,
    host: 'localhost',
    expected: ['is for another host name', 'DNS:db.example'],
  },
  'a server without TLS': {
    server: undefined,
    options: () => verify,
    expected: ['the server does not support TLS', 'set ssl = on'],
  },
  'a server that requires TLS': {
    server: 'server',
    rule: 'hostssl all reader all trust',
    options: () => '',
    expected: ['does not accept this user without TLS', 'add sslmode=verify-full'],
  },
  'a server that requires a client certificate': {
    server: 'server',
    rule: 'hostssl all reader all trust clientcert=verify-ca',
    options: trusting,
    expected: ['the server requires a client certificate', 'add sslcert=FILE and sslkey=FILE'],
  },
  'a client certificate of another authority': {
    server: 'server',
    rule: 'hostssl all reader all trust clientcert=verify-ca',
    options: () => withClient('self'),
    expected: ["does not accept the portal's client certificate", 'add sslcert=FILE'],
  },
  'a key of another certificate': {
    server: 'server',
    options: () => `${trusting()}&sslcert=${file('portal.pem')}&sslkey=${file('self.key')}`,
    expected: ['a certificate or key file in the address cannot be used', 'check the PEM files'],
  },
};

it.each(Object.entries(cases))(
  'the error of %s names this cause and what to do, and does not mention a password',
  async (_, { server, rule = anyone, host, options, expected }) => {
    await configure(server, rule);
    const find = () => findMessages(urlOf(options(), host));
    await expect.poll(async () => (await find()).join('\n')).toContain(expected[0]);
    for (const message of await find()) {
      for (const part of expected) expect(message).toContain(part);
      expect(message).not.toMatch(/user and password/);
    }
  },
);

it('the error of a wrong password says to check user and password', async () => {
  await configure('server', 'host all reader all scram-sha-256');
  const url = urlOf(trusting()).replace('reader@', 'reader:wrong@');
  await expect
    .poll(async () => (await findMessages(url))[0])
    .toContain('Check user and password in PORTAL_DATABASE_URL');
});

describe('a private authority is trusted', () => {
  const hasConnected = async (options: string, env: Record<string, string> = {}) => {
    const where = { dataDir: folder, databaseUrl: urlOf(options, 'localhost') };
    return (await runCommand(where, ['organizations', 'list'], env)).stderr;
  };

  it.each([
    ['with sslrootcert', trusting, false],
    [
      'with sslrootcert for a self-signed certificate',
      () => `${verify}&sslrootcert=${file('self.pem')}`,
      false,
    ],
    ['with NODE_EXTRA_CA_CERTS', () => verify, true],
    ['with a client certificate', () => withClient('portal'), false],
  ])('%s', async (_, options, isExtra) => {
    const isSelf = options().includes('self.pem');
    const isClient = options().includes('sslcert');
    await configure(isSelf ? 'self' : 'server', isClient ? 'hostssl all reader all cert' : anyone);
    const env: Record<string, string> = isExtra ? { NODE_EXTRA_CA_CERTS: file('ca.pem') } : {};
    await expect.poll(() => hasConnected(options(), env)).toContain('portal migrate');
  });
});

it('a query over TLS fails within 3 s on a silent network, and succeeds once it recovers', async () => {
  await configure('server', anyone);
  const network = await startFreezableProxy(Number(new URL(cluster.url('postgres')).port));
  const url = new URL(urlOf(trusting()));
  url.port = String(network.port);
  const { pool, close } = openPostgres(url.href, {
    types: pg.types,
    connections: 1,
    connectLimitMs: 2_000,
    statementTimeoutMs: undefined,
  });
  pool.on('error', () => {});
  onTestFinished(async () => {
    network.thaw();
    await close();
    await network.close();
  });
  const { rows } = await pool.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
  expect(rows).toEqual([{ ssl: true }]);
  network.freeze();
  const stop = startStopwatch();
  const failure = await pool.query('SELECT 1').catch((error: unknown) => error);
  expect(isDatabaseUnavailable(failure)).toBe(true);
  expect(stop()).toBeLessThan(3_000);
  network.thaw();
  await expect
    .poll(() =>
      pool.query('SELECT 1 AS one').then(
        (found) => found.rows,
        () => [],
      ),
    )
    .toEqual([{ one: 1 }]);
});
