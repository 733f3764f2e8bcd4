import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { createTemporaryFolder } from 'test-support';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { allSettings, readConfig } from './config.ts';
import { ConfigurationError } from './errors.ts';

const gib = 2 ** 30;

/** Gives the machine this many cores and this much memory, and its control group less if given. */
function setMachine({ cores = 2, total = 4 * gib, constrained = 0 }): void {
  const spies = [
    vi.spyOn(os, 'availableParallelism').mockReturnValue(cores),
    vi.spyOn(os, 'totalmem').mockReturnValue(total),
    vi.spyOn(process, 'constrainedMemory').mockReturnValue(constrained),
  ];
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
}

it('each setting has a default', () => {
  setMachine({});
  const { engine, ...config } = readConfig({});
  expect(config).toEqual({
    port: 4000,
    host: '127.0.0.1',
    dataDir: path.resolve('.portal'),
    databaseUrl: undefined,
    databaseConnections: 10,
    databaseConnectSeconds: 5,
    filesCacheMb: 4_096,
    migrate: true,
    publicUrl: 'http://localhost:4000',
    adminUrl: 'http://localhost:4000',
    trustProxy: undefined,
    rateLimit: 10_000,
    refusalLimit: 60,
    viewerRateLimit: 120,
    authorRateLimit: 300,
    connections: [],
    oidcSecrets: new Map(),
    powerbiCredentials: new Map(),
    powerbi: {},
    metricsPort: undefined,
    metricsHost: '127.0.0.1',
    drainNoticeSeconds: 7,
    drainLimitSeconds: 10,
    mintLogDays: 90,
    operator: os.userInfo().username,
    logClientAddress: false,
    logLevel: 'info',
    unknownVariables: [],
    emptyVariables: [],
  });
  expect(engine).toEqual({
    queries: 4,
    userQueries: 2,
    threads: 2,
    sourceQueries: 8,
    memoryMb: 512,
    cacheMb: 64,
  });
});

/** A table in the format of oxfmt. */
function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const [head, ...body] = rows.map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column]!)),
  );
  const rule = widths.map((width) => '-'.repeat(width));
  return [head!, rule, ...body].map((row) => `| ${row.join(' | ')} |\n`).join('');
}

it('the reference lists each setting with its meaning and default, and advanced ones in a table of their own', async () => {
  const [usual, advanced] = [false, true].map((isAdvanced) => {
    const listed = allSettings.filter((each) => (each.isAdvanced ?? false) === isAdvanced);
    const rows = listed.map(({ variable, schema, byDefault }) => [
      `\`${variable}\``,
      schema.description!,
      byDefault,
    ]);
    return formatTable([['variable', 'meaning', 'default'], ...rows]);
  });
  const readme = fs.readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const tables = [usual!, advanced!].values();
  const updated = readme.replaceAll(
    /^\| variable +\| meaning .*\n(\|.*\n)+/gm,
    () => tables.next().value!,
  );
  expect(tables.next().done).toBe(true);
  await expect(updated).toMatchFileSnapshot('../README.md');
});

it('each setting can be set', () => {
  expect(
    readConfig({
      PORTAL_PORT: '4001',
      PORTAL_HOST: '0.0.0.0',
      PORTAL_DATA_DIR: '/data',
      PORTAL_DATABASE_URL: 'postgresql://db/portal',
      PORTAL_DATABASE_CONNECTIONS: '20',
      PORTAL_DATABASE_CONNECT_LIMIT: '14',
      PORTAL_FILES: 'database',
      PORTAL_FILES_CACHE: '64',
      PORTAL_MIGRATE: 'off',
      PORTAL_PUBLIC_URL: 'https://Portal.Example/',
      PORTAL_ADMIN_URL: 'https://admin.portal.example',
      PORTAL_TRUST_PROXY: '2',
      PORTAL_RATE_LIMIT: '1',
      PORTAL_REFUSAL_LIMIT: '2',
      PORTAL_VIEWER_RATE_LIMIT: '3',
      PORTAL_AUTHOR_RATE_LIMIT: '4',
      PORTAL_CONNECTION_WAREHOUSE: 'postgres://db/sales',
      PORTAL_ENGINE_QUERIES: '8',
      PORTAL_ENGINE_THREADS: '5',
      PORTAL_ENGINE_MEMORY: '9000',
      PORTAL_ENGINE_QUERY_MEMORY: '1024',
      PORTAL_USER_QUERIES: '6',
      PORTAL_SOURCE_QUERIES: '9',
      PORTAL_CACHE_MEMORY: '7',
      PORTAL_METRICS_PORT: '9090',
      PORTAL_METRICS_HOST: '10.0.0.1',
      PORTAL_DRAIN_NOTICE: '11',
      PORTAL_DRAIN_LIMIT: '12',
      PORTAL_MINT_LOG_DAYS: '13',
      PORTAL_OPERATOR: 'olivia',
      PORTAL_LOG_CLIENT_ADDRESS: 'on',
      PORTAL_LOG_LEVEL: 'warn',
      PORTAL_OIDC_SECRET_ACME_EU: 'secret',
      PORTAL_POWERBI_SECRET_ACME: 'another secret',
      PORTAL_POWERBI_AUTHORITY: 'https://login.test',
      PORTAL_POWERBI_API: 'https://api.test',
    }),
  ).toEqual({
    port: 4001,
    host: '0.0.0.0',
    dataDir: '/data',
    databaseUrl: 'postgresql://db/portal',
    databaseConnections: 20,
    databaseConnectSeconds: 14,
    files: 'database',
    filesCacheMb: 64,
    migrate: false,
    publicUrl: 'https://portal.example',
    adminUrl: 'https://admin.portal.example',
    oidcSecrets: new Map([['acme-eu', 'secret']]),
    powerbiCredentials: new Map([['acme', { kind: 'secret', secret: 'another secret' }]]),
    powerbi: { authority: 'https://login.test', api: 'https://api.test' },
    trustProxy: 2,
    rateLimit: 1,
    refusalLimit: 2,
    viewerRateLimit: 3,
    authorRateLimit: 4,
    connections: [{ name: 'warehouse', engine: 'postgres', url: 'postgres://db/sales' }],
    engine: {
      queries: 8,
      threads: 5,
      memoryMb: 1024,
      userQueries: 6,
      sourceQueries: 9,
      cacheMb: 7,
    },
    metricsPort: 9090,
    metricsHost: '10.0.0.1',
    drainNoticeSeconds: 11,
    drainLimitSeconds: 12,
    mintLogDays: 13,
    operator: 'olivia',
    logClientAddress: true,
    logLevel: 'warn',
    unknownVariables: [],
    emptyVariables: [],
  });
});

it.each([
  ['PORTAL_PORT', 0, 65_535],
  ['PORTAL_METRICS_PORT', 0, 65_535],
  ['PORTAL_DATABASE_CONNECTIONS', 3, 1_000],
  ['PORTAL_DATABASE_CONNECT_LIMIT', 1, 60],
  ['PORTAL_FILES_CACHE', 64, 1_048_576],
  ['PORTAL_RATE_LIMIT', 0, 100_000_000],
  ['PORTAL_REFUSAL_LIMIT', 0, 1_000_000],
  ['PORTAL_VIEWER_RATE_LIMIT', 0, 100_000_000],
  ['PORTAL_ENGINE_QUERIES', 1, 256],
  ['PORTAL_ENGINE_THREADS', 1, 1_024],
  ['PORTAL_ENGINE_MEMORY', 64, 16_777_216],
  ['PORTAL_ENGINE_QUERY_MEMORY', 64, 1_048_576],
  ['PORTAL_USER_QUERIES', 1, 256],
  ['PORTAL_SOURCE_QUERIES', 1, 256],
  ['PORTAL_CACHE_MEMORY', 0, 1_048_576],
  ['PORTAL_DRAIN_NOTICE', 0, 3_600],
  ['PORTAL_DRAIN_LIMIT', 0, 3_600],
  ['PORTAL_MINT_LOG_DAYS', 0, 36_500],
])('%s must be a whole number from %i to %i', (name, min, max) => {
  // Enough for the largest number of queries, and for the largest memory of one.
  setMachine({ total: 2 ** 44 });
  const read = (value: number | string) =>
    readConfig({ PORTAL_PUBLIC_URL: 'http://localhost:4000', [name]: String(value) });
  for (const value of [min, max]) read(value);
  for (const value of [min - 1, max + 1, 1.5, 'many', `${min}s`, `${min} MiB`])
    expect(() => read(value)).toThrow(
      new RegExp(
        `^  ${name} must be a (port number|whole number of (connections|days|MiB|queries|requests|seconds|threads)) from ${min} to ${max}(, without a unit)?$`,
        'm',
      ),
    );
});

it.each([
  ['true', true],
  ['0', 0],
  ['3', 3],
  ['loopback', 'loopback'],
  ['linklocal, uniquelocal', 'linklocal, uniquelocal'],
  ['10.0.0.1,::1', '10.0.0.1,::1'],
  ['10.0.0.0/32', '10.0.0.0/32'],
  ['fc00::/128', 'fc00::/128'],
  ['10.0.0.0/255.0.0.0', '10.0.0.0/255.0.0.0'],
])('PORTAL_TRUST_PROXY can be %s', (value, trustProxy) => {
  expect(readConfig({ PORTAL_TRUST_PROXY: value })).toMatchObject({ trustProxy });
});

it.each([
  'false',
  '-1',
  'proxy.example',
  'loopback,proxy',
  '10.0.0.0/33',
  '10.0.0.0/0',
  '10.0.0.0/8/8',
  'fc00::/129',
  'fc00::/255.0.0.0',
])('PORTAL_TRUST_PROXY cannot be %s', (value) => {
  expect(() => readConfig({ PORTAL_TRUST_PROXY: value })).toThrow(
    'PORTAL_TRUST_PROXY must be true, a number of proxies, or a list of addresses',
  );
});

it.each([
  ['PORTAL_DATABASE_URL', 'mysql://db/portal', 'must begin with postgres://, such as'],
  ['PORTAL_MIGRATE', 'yes', 'must be on or off'],
  ['PORTAL_PUBLIC_URL', 'portal.example', 'does not begin with https:// or http://'],
  ['PORTAL_PUBLIC_URL', 'https://portal.example/sub', 'has a path or a query'],
  ['PORTAL_PUBLIC_URL', 'https://ann:hunter2@portal.example', 'has a user or a password'],
  ['PORTAL_PUBLIC_URL', 'https://my_portal', 'has a host name that cannot be used'],
  ['PORTAL_PUBLIC_URL', 'https://portal:port', 'is not an address'],
  ['PORTAL_HOST', 'http://127.0.0.1', 'must be an address of this machine'],
  ['PORTAL_HOST', '127.0.0.1:4000', 'must be an address of this machine'],
  ['PORTAL_METRICS_HOST', '*', 'must be an address of this machine'],
  ['PORTAL_OPERATOR', 'x'.repeat(201), 'must have at most 200 characters'],
  ['PORTAL_LOG_LEVEL', 'loud', 'must be fatal, error, warn, info, debug, trace or silent'],
])('an invalid %s is rejected', (name, value, message) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${name} ${message}`);
});

it('PORTAL_OIDC_SECRET_SLUG is the client secret of the organization with this slug', () => {
  const { oidcSecrets } = readConfig({
    PORTAL_OIDC_SECRET_ACME_EAST: 'x',
    PORTAL_OIDC_SECRET_ACME_EAST_2: 'y',
    PORTAL_OIDC_SECRET_B: '',
  });
  expect([...oidcSecrets]).toEqual([
    ['acme-east', 'x'],
    ['acme-east-2', 'y'],
  ]);
});

it.each(['PORTAL_OIDC_SECRET_', 'PORTAL_OIDC_SECRET_acme', 'PORTAL_OIDC_SECRET_A__B'])(
  '%s is refused without its secret in the message',
  (variable) => {
    const read = () => readConfig({ [variable]: 'hunter2' });
    expect(read).toThrow(`${variable} must have the slug of an organization`);
    expect(read).not.toThrow('hunter2');
  },
);

it('PORTAL_CONNECTION_NAME defines a connection, whose name is in lower case with hyphens', () => {
  const [warehouse, old] = ['clickhouses://u:p%40ss@ch.example:8443/sales', 'postgresql://db/old'];
  const connections = readConfig({
    PORTAL_CONNECTION_DATA_WAREHOUSE_2: warehouse,
    PORTAL_CONNECTION_OLD: old,
    PORTAL_CONNECTION_UNUSED: '',
  }).connections;
  expect(connections).toEqual([
    { name: 'data-warehouse-2', engine: 'clickhouse', url: warehouse },
    { name: 'old', engine: 'postgres', url: old },
  ]);
});

it.each([
  ['PORTAL_CONNECTION_', 'postgres://db/x', 'must have a name of capital letters'],
  ['PORTAL_CONNECTION_ware', 'postgres://db/x', 'must have a name of capital letters'],
  ['PORTAL_CONNECTION_A__B', 'postgres://db/x', 'must have a name of capital letters'],
  [`PORTAL_CONNECTION_${'X'.repeat(63)}`, 'postgres://db/x', 'must have a name of capital letters'],
  ['PORTAL_CONNECTION_A', 'mysql://root:secret@db/x', 'must be an address such as'],
  ['PORTAL_CONNECTION_A', 'postgres://user:se#cret@db/x', 'must be an address such as'],
  ['PORTAL_CONNECTION_A', 'postgres://user:secret%@db/x', 'must be an address such as'],
  ['PORTAL_CONNECTION_A', 'warehouse', 'must be an address such as'],
  ['PORTAL_CONNECTION_A', 'postgres:///x', 'must name a host'],
  ['PORTAL_CONNECTION_A', 'clickhouse:///secret', 'must name a host'],
  ['PORTAL_CONNECTION_A', 'clickhouse://ch?host=x', 'has the unknown option "host"'],
])('%s=%s is rejected, and the error does not have the value', (name, value, problem) => {
  const read = () => readConfig({ [name]: value });
  expect(read).toThrow(`\n  ${name} ${problem}`);
  expect(read).not.toThrow('secret');
});

it('the name of a connection may have 62 characters', () => {
  const read = readConfig({ [`PORTAL_CONNECTION_${'X'.repeat(62)}`]: 'postgres://db/x' });
  expect(read.connections).toMatchObject([{ name: 'x'.repeat(62) }]);
});

it('a connection of ClickHouse may name a root certificate', () => {
  const url = 'clickhouses://ch.example/sales?sslrootcert=/etc/ca.pem';
  expect(readConfig({ PORTAL_CONNECTION_A: url }).connections).toMatchObject([{ url }]);
});

it('a connection of PostgreSQL may be a socket', () => {
  const url = 'postgres:///x?host=/run/postgresql';
  expect(readConfig({ PORTAL_CONNECTION_A: url }).connections).toMatchObject([{ url }]);
});

it('the error names every invalid variable, each on its own line', () => {
  const read = () => readConfig({ PORTAL_PORT: 'x', PORTAL_MIGRATE: 'x' });
  expect(read).toThrow(ConfigurationError);
  expect(read).toThrow(
    'The configuration is not valid:\n  PORTAL_PORT must be a port number from 0 to 65535\n  PORTAL_MIGRATE must be on or off',
  );
});

it('an empty variable counts as unset', () => {
  const names = ['PORTAL_PORT', 'PORTAL_DATABASE_URL', 'PORTAL_OPERATOR'];
  const config = readConfig(Object.fromEntries(names.map((name) => [name, ''])));
  expect(config).toEqual({ ...readConfig({}), emptyVariables: names });
});

it('the default public URL includes the port unless it is the default port of HTTP', () => {
  expect(readConfig({ PORTAL_PORT: '4001' }).publicUrl).toBe('http://localhost:4001');
  expect(readConfig({ PORTAL_PORT: '80' }).publicUrl).toBe('http://localhost');
});

describe('the size of the report engine', () => {
  it.each([
    // As many queries as cores, from 4 to 16, which share half of the memory.
    [
      { cores: 1, total: 4 * gib },
      { queries: 4, threads: 1, memoryMb: 512 },
    ],
    [
      { cores: 2, total: 8 * gib },
      { queries: 4, threads: 2, memoryMb: 1_024 },
    ],
    [
      { cores: 8, total: 16 * gib },
      { queries: 8, threads: 4, memoryMb: 1_024 },
    ],
    [
      { cores: 64, total: 256 * gib },
      { queries: 16, threads: 4, memoryMb: 8_192 },
    ],
    // Only as many as have 256 MiB.
    [
      { cores: 8, total: 2 * gib },
      { queries: 4, threads: 4, memoryMb: 256 },
    ],
    [
      { cores: 2, total: gib },
      { queries: 2, threads: 2, memoryMb: 256 },
    ],
    [
      { cores: 2, total: gib / 4 },
      { queries: 1, threads: 2, memoryMb: 128 },
    ],
    // A container.
    [
      { cores: 8, total: 64 * gib, constrained: 4 * gib },
      { queries: 8, threads: 4, memoryMb: 256 },
    ],
    [
      { cores: 2, total: 8 * gib, constrained: 2 ** 63 },
      { queries: 4, threads: 2, memoryMb: 1_024 },
    ],
  ])('follows from cores and memory: %o', (machine, size) => {
    setMachine(machine);
    expect(readConfig({}).engine).toMatchObject(size);
  });

  it.each([
    [{ MEMORY: '8192' }, { queries: 8, memoryMb: 1_024 }],
    [
      { MEMORY: '8192', QUERIES: '4' },
      { queries: 4, memoryMb: 2_048 },
    ],
    [
      { MEMORY: '8192', QUERIES: '3' },
      { queries: 3, memoryMb: 2_730 },
    ],
    [
      { MEMORY: '8192', QUERY_MEMORY: '2048' },
      { queries: 4, memoryMb: 2_048 },
    ],
    [
      { MEMORY: '8192', QUERY_MEMORY: '512' },
      { queries: 8, memoryMb: 512 },
    ],
    [
      { MEMORY: '8192', QUERY_MEMORY: '4096', QUERIES: '2' },
      { queries: 2, memoryMb: 4_096 },
    ],
    [{ MEMORY: '64' }, { queries: 1, memoryMb: 64 }],
    [{ THREADS: '7' }, { threads: 7 }],
  ])('follows from PORTAL_ENGINE_… %o', (set, size) => {
    setMachine({ cores: 8 });
    const env = Object.fromEntries(
      Object.entries(set).map(([name, value]) => [`PORTAL_ENGINE_${name}`, value]),
    );
    expect(readConfig(env).engine).toMatchObject(size);
  });

  it.each([
    [
      {
        PORTAL_ENGINE_MEMORY: '2048',
        PORTAL_ENGINE_QUERIES: '4',
        PORTAL_ENGINE_QUERY_MEMORY: '513',
      },
      'PORTAL_ENGINE_QUERIES × PORTAL_ENGINE_QUERY_MEMORY (4 × 513 MiB) is more than PORTAL_ENGINE_MEMORY (2048 MiB). Raise PORTAL_ENGINE_MEMORY, or lower one of the others.',
    ],
    [
      { PORTAL_ENGINE_QUERY_MEMORY: '2049' },
      '(1 × 2049 MiB) is more than PORTAL_ENGINE_MEMORY (2048 MiB, half of the memory of this machine or container)',
    ],
    [
      { PORTAL_ENGINE_MEMORY: '512', PORTAL_ENGINE_QUERIES: '9' },
      'PORTAL_ENGINE_MEMORY (512 MiB) is too little for 9 queries (PORTAL_ENGINE_QUERIES), because each needs 64 MiB.',
    ],
  ])('is refused if its settings contradict each other: %o', (env, problem) => {
    setMachine({});
    expect(() => readConfig(env)).toThrow(problem);
  });
});

describe('the address of the database', () => {
  it.each([
    'postgres://db/portal',
    'postgresql://portal:p%40ss%2Fw%23@db.example:5433/portal?sslmode=verify-full&sslrootcert=/a/ca.pem',
    'postgres://db',
    'postgres:///portal?host=/run/postgresql',
    'postgres://db/portal?sslmode=require&uselibpqcompat=true&application_name=a@b',
  ])('may be %s', (url) => {
    expect(readConfig({ PORTAL_DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it.each([
    ['p@hunter2/x', 'percent-encoded: %40 for @'],
    ['hunter2#x', 'percent-encoded'],
    ['12#hunter2', 'percent-encoded'],
    ['12?hunter2', 'percent-encoded'],
    ['12/hunter2', 'percent-encoded'],
    ['hunter2%', 'percent-encoded'],
  ])('with the password %s is refused without the password', (password, problem) => {
    const read = () =>
      readConfig({ PORTAL_DATABASE_URL: `postgres://portal:${password}@db/portal` });
    expect(read).toThrow(problem);
    expect(read).not.toThrow('hunter2');
  });

  it.each([
    ['sslmod=verify-full', 'has the unknown option sslmod. Did you mean sslmode?'],
    ['ssl_mode=verify-full', 'has the unknown option ssl_mode. Did you mean sslmode?'],
    ['sslrotcert=/ca.pem', 'has the unknown option sslrotcert. Did you mean sslrootcert?'],
    ['sslmode=full', 'has an unknown sslmode. Write disable, prefer,'],
  ])(
    'with the mistyped option %s is refused, because it would not be encrypted',
    (option, problem) => {
      expect(() => readConfig({ PORTAL_DATABASE_URL: `postgres://db/portal?${option}` })).toThrow(
        problem,
      );
    },
  );
});

it('two servers cannot have the same port', () => {
  expect(() => readConfig({ PORTAL_PORT: '9464', PORTAL_METRICS_PORT: '9464' })).toThrow(
    'PORTAL_METRICS_PORT and PORTAL_PORT are both 9464. Set them to different ports.',
  );
});

it('any free port needs a public URL', () => {
  expect(() => readConfig({ PORTAL_PORT: '0' })).toThrow(
    'PORTAL_PORT can be 0, for any free port, only with PORTAL_PUBLIC_URL',
  );
  expect(readConfig({ PORTAL_PORT: '0', PORTAL_PUBLIC_URL: 'https://portal.example' }).port).toBe(
    0,
  );
});

it('all contradictions are named at once', () => {
  const read = () =>
    readConfig({
      PORTAL_FILES: 'database',
      PORTAL_METRICS_PORT: '4000',
      PORTAL_ENGINE_MEMORY: '64',
      PORTAL_ENGINE_QUERIES: '2',
    });
  expect(read).toThrow(
    /PORTAL_FILES can.*\n  PORTAL_METRICS_PORT and.*\n  PORTAL_ENGINE_MEMORY \(/,
  );
});

it('an operator may have a name of 200 characters', () => {
  const name = 'x'.repeat(200);
  expect(readConfig({ PORTAL_OPERATOR: name }).operator).toBe(name);
});

it('the error for an invalid origin says what an origin has', () => {
  expect(() => readConfig({ PORTAL_PUBLIC_URL: 'portal.example' })).toThrow(
    'PORTAL_PUBLIC_URL does not begin with https:// or http://. It must be an origin such as https://portal.example.com: http or https, a host name of letters, digits, dots and hyphens (no underscore), perhaps a port, and no user, path or query',
  );
  expect(() => readConfig({ PORTAL_TRUST_PROXY: 'x' })).toThrow(
    'PORTAL_TRUST_PROXY must be true, a number of proxies, or a list of addresses such as loopback,10.0.0.0/8',
  );
});

it('the operator defaults to `operator` if the system has no user name', () => {
  const unnamed = vi.spyOn(os, 'userInfo').mockImplementation(() => {
    throw new Error('no such user');
  });
  onTestFinished(() => unnamed.mockRestore());
  expect(readConfig({}).operator).toBe('operator');
});

describe('the address of the administration pages', () => {
  it.each(['http://admin.portal.example', 'http://10.0.0.4:4000', 'http://localhost.example'])(
    'is refused as plain http beyond this machine: %s',
    (address) => {
      expect(() => readConfig({ PORTAL_ADMIN_URL: address })).toThrow(
        'PORTAL_ADMIN_URL must be https, because passwords are sent to it.',
      );
    },
  );

  it.each(['http://localhost:4000', 'http://admin.localhost:4000', 'http://127.0.0.1:4000'])(
    'may be plain http on this machine: %s',
    (address) => {
      expect(readConfig({ PORTAL_ADMIN_URL: address }).adminUrl).toBe(address);
    },
  );

  it('is the public URL, unless that is plain http beyond this machine', () => {
    const of = (url: string) => readConfig({ PORTAL_PUBLIC_URL: url }).adminUrl;
    expect(of('https://portal.example')).toBe('https://portal.example');
    expect(of('http://portal.example')).toBeUndefined();
  });
});

it('files in the embedded database are refused with the reason', () => {
  expect(() => readConfig({ PORTAL_FILES: 'database' })).toThrow(
    'PORTAL_FILES can be database only with PostgreSQL, because a large file would block the embedded database.',
  );
  expect(readConfig({ PORTAL_FILES: 'folder' }).files).toBe('folder');
});

it('a certificate of Power BI is read, and is not beside a secret', () => {
  const folder = createTemporaryFolder('portal-certificate-');
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'acme.pem');
  fs.writeFileSync(file, 'the PEM');
  const { powerbiCredentials } = readConfig({ PORTAL_POWERBI_CERTIFICATE_ACME_EU: file });
  expect([...powerbiCredentials]).toEqual([['acme-eu', { kind: 'certificate', pem: 'the PEM' }]]);
  const read = (env: Record<string, string>) => () => readConfig(env);
  expect(read({ PORTAL_POWERBI_SECRET_ACME: 'a', PORTAL_POWERBI_CERTIFICATE_ACME: file })).toThrow(
    'PORTAL_POWERBI_CERTIFICATE_ACME is set beside PORTAL_POWERBI_SECRET_ACME; remove one of them',
  );
  expect(read({ PORTAL_POWERBI_CERTIFICATE_ACME: `${file}.gone` })).toThrow(
    'PORTAL_POWERBI_CERTIFICATE_ACME must be the path of a file that the portal can read',
  );
  expect(read({ PORTAL_POWERBI_SECRET_acme: 'a secret' })).toThrow(/slug of an organization/);
  expect(read({ PORTAL_POWERBI_API: 'http://api.test' })).toThrow('must be https');
});
