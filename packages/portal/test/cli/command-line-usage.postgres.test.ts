import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';

import pg from 'pg';
import { findFreePort } from 'test-support';
import { buildFirst } from 'test-support/build';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { run } from '../../src/cli/run.ts';
import { version } from '../../src/version.ts';
import {
  createGlobex,
  listCommands,
  ofGlobex,
  runCommand,
  runInProcess,
  runForError,
} from '../support/command-line.ts';
import type { TestDatabase } from '../support/database.ts';

buildFirst();

let database: TestDatabase;
beforeAll(async () => {
  ({ database } = await createGlobex());
});
afterAll(() => database.remove());

const portal = (...args: string[]) => runInProcess(database, args);
const getError = (...args: string[]) => runForError(database, args);

it('portal prints its help, with exit code 2 if no command is given', async () => {
  const [bare, requested] = [
    await runCommand(database, []),
    await runCommand(database, ['--help']),
  ];
  expect([bare.code, bare.stdout]).toEqual([2, '']);
  expect(requested.code).toBe(0);
  for (const help of [bare.stderr, requested.stdout])
    for (const word of ['serve', 'migrate', 'organizations', 'api-keys', 'Exit codes:'])
      expect(help).toContain(word);
});

it('portal --version prints the version and, in a clone, the commit', async () => {
  const commit = execFileSync('git', ['rev-parse', '--short=7', 'HEAD'], { encoding: 'utf8' });
  expect((await portal('--version')).stdout).toBe(`${version} (${commit.trim()})\n`);
});

it('the help of every command has an example', async () => {
  const commands = await listCommands();
  expect(commands.length).toBeGreaterThan(20);
  for (const command of commands) {
    const { stdout } = await portal(...command.split(' '), '--help');
    expect(stdout).toMatch(new RegExp(`Examples?:\n(?:.*\n)*  \\$ .*portal ${command}`));
    expect(stdout).toContain('--json');
  }
});

it('the help of each command that takes a <moment> explains it', async () => {
  const explaining: string[] = [];
  for (const command of await listCommands()) {
    const { stdout } = await portal(...command.split(' '), '--help');
    const [explains, takesMoment] = ['A <moment> is', /--\S+ <moment>/].map((text) =>
      new RegExp(text).test(stdout),
    );
    expect([command, explains]).toEqual([command, takesMoment]);
    if (explains) explaining.push(command);
  }
  expect(explaining).toContain('users update');
});

it('an invalid command line exits with code 2 and a hint', async () => {
  for (const args of [
    ['user'],
    ['users', 'crate'],
    ['users', 'list'],
    ['users', 'list', ...ofGlobex, '--colour'],
    ['users', 'create', 'x@globex.example', ...ofGlobex, '--name', 'x', '--role', 'king'],
    ['api-keys', 'create', ...ofGlobex, '--name', 'x', '--permission', 'everything'],
    ['audit', 'prune', ...ofGlobex, '--before', 'yesterday'],
    ['audit', 'prune', ...ofGlobex, '--before', '2099-01-01'],
    ['activity', 'prune', ...ofGlobex, '--before', '2099-01-01'],
    ['audit', 'prune', ...ofGlobex],
  ]) {
    const { code, stdout, stderr } = await portal(...args);
    expect([args, code, stdout]).toEqual([args, 2, '']);
    expect(stderr).toContain('--help');
    expect([args, ...(await getError(...args))]).toEqual([args, 2, expect.any(String)]);
  }
  expect(await getError('users', 'crate')).toEqual([2, 'usage']);
  const detailOf = async (...args: string[]) =>
    JSON.parse((await portal(...args, '--json')).stderr).error.detail;
  expect(await detailOf('users', 'crate')).toMatch(/^unknown command 'crate'/);
  expect(await detailOf()).toBe('There is no command. Add one; `portal --help` lists them.');
  expect((await portal('users', 'crate')).stderr).toContain('Did you mean create?');
});

it('an invalid configuration exits with code 2 and names the variable', async () => {
  const result = await runInProcess(database, ['migrate'], { PORTAL_PORT: 'x' });
  expect(result.code).toBe(2);
  expect(result.stderr).toContain('PORTAL_PORT must be a port number from 0 to 65535');
});

it.each([
  ['PORTAL_TRUST_PROXY', '10.0.0.0/99'],
  ['PORTAL_PUBLIC_URL', 'http://my_portal:4774'],
  ['PORTAL_PUBLIC_URL', 'http://user:secret@portal.example'],
  ['PORTAL_PUBLIC_URL', 'http://portal.example/sub'],
  ['PORTAL_PUBLIC_URL', 'portal.example'],
])('portal serve with %s=%s exits with code 2', async (name, value) => {
  const result = await runInProcess(database, ['serve'], { [name]: value });
  expect([result.code, result.stderr]).toEqual([2, expect.stringContaining(name)]);
});

it.each(['192.0.2.1', 'portal.invalid'])(
  'portal serve on %s, which is not an address of this machine, exits with code 2',
  async (PORTAL_HOST) => {
    const result = await runCommand(database, ['serve'], { PORTAL_HOST });
    expect([result.code, result.stderr]).toEqual([
      2,
      expect.stringContaining(`PORTAL_HOST is ${PORTAL_HOST}, which is not`),
    ]);
  },
);

it.each(['sslrootcert', 'sslcert', 'sslkey'])(
  'a command exits with code 2 if the file of %s is missing, and names the option and the file',
  async (option) => {
    const databaseUrl = `${database.databaseUrl}?${option}=/nowhere/file.pem`;
    const result = await runInProcess({ ...database, databaseUrl }, ['organizations', 'list']);
    expect([result.code, result.stderr]).toEqual([
      2,
      expect.stringMatching(new RegExp(`The file of ${option} in .*/nowhere/file\\.pem`)),
    ]);
  },
);

it('a command creates no embedded database where there is none', async () => {
  const dataDir = path.join(database.dataDir, 'none');
  const result = await runInProcess({ dataDir, databaseUrl: undefined }, ['organizations', 'list']);
  expect([result.code, result.stderr]).toEqual([
    2,
    `portal: There is no portal database in ${dataDir}. Check PORTAL_DATA_DIR, or create one with \`portal migrate\`.\n`,
  ]);
  expect(fs.existsSync(dataDir)).toBe(false);
});

it('a command exits with code 5 if the socket of PostgreSQL is missing', async () => {
  const databaseUrl = 'postgres://portal@localhost/portal?host=/nowhere';
  const result = await runInProcess({ ...database, databaseUrl }, ['organizations', 'list']);
  expect([result.code, result.stderr]).toEqual([5, expect.stringContaining('does not answer')]);
});

it('a command exits with code 5 if PostgreSQL is unreachable', async () => {
  const databaseUrl = `postgres://portal@127.0.0.1:${await findFreePort()}/portal`;
  const result = await runCommand({ ...database, databaseUrl }, ['organizations', 'list']);
  expect(result.code).toBe(5);
  expect(result.stderr).toContain('PORTAL_DATABASE_URL');
});

it.each(['prefer', 'require', 'verify-ca', 'verify-full'])(
  'a command prints only its error if sslmode is %s and the server has no TLS',
  async (mode) => {
    const databaseUrl = `${database.databaseUrl}?sslmode=${mode}`;
    const list = ['organizations', 'list', '--json'];
    const result = await runCommand({ ...database, databaseUrl }, list);
    expect([result.code, result.stdout]).toEqual([2, '']);
    const { error } = JSON.parse(result.stderr);
    expect(error.code).toBe('invalid_configuration');
    expect(error.detail).toContain(
      'the server does not support TLS, which sslmode in the address requires',
    );
    expect(error.detail).not.toContain('password');
  },
);

it.each([
  ['LATIN1', "LOCALE 'C'"],
  ['LATIN1', "LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'en'"],
  ['SQL_ASCII', "LOCALE 'C'"],
  ['EUC_JP', "LOCALE 'C'"],
  ['UTF8', "LOCALE 'C'"],
  ['UTF8', "LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'tr'"],
])(
  'portal migrate rejects a database with the encoding %s and %s, and leaves it empty',
  async (encoding, locale) => {
    const name = `other_${encoding.toLowerCase()}`;
    const address = new URL(database.databaseUrl!);
    address.pathname = `/${name}`;
    const server = new pg.Client({ connectionString: database.databaseUrl });
    await server.connect();
    await server.query(`DROP DATABASE IF EXISTS ${name}`);
    await server.query(
      `CREATE DATABASE ${name} TEMPLATE template0 ENCODING '${encoding}' ${locale}`,
    );
    await server.end();
    const where = { ...database, databaseUrl: address.href };
    const result = await runInProcess(where, ['migrate', '--json']);
    expect(result.code).toBe(2);
    expect(JSON.parse(result.stderr).error.detail).toContain(
      `the encoding ${encoding} and the locale C; the portal needs UTF8 and a locale that knows upper and lower case. Create it with: CREATE DATABASE portal TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'`,
    );
    const empty = new pg.Client({ connectionString: address.href });
    await empty.connect();
    const { rowCount } = await empty.query("SELECT FROM pg_tables WHERE schemaname = 'public'");
    await empty.end();
    expect(rowCount).toBe(0);
  },
);

it('a command says what to check if PostgreSQL does not know the user', async () => {
  const address = new URL(database.databaseUrl!);
  address.username = 'nobody';
  const where = { ...database, databaseUrl: address.href };
  const result = await runInProcess(where, ['organizations', 'list', '--json']);
  expect(result.code).toBe(2);
  expect(JSON.parse(result.stderr).error.detail).toContain('Check user');
});

describe('a stream that cannot be written', () => {
  const broken = (code: string) =>
    new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error(`write ${code}`), { code })),
    });
  const runWith = (args: string[], stdout: Writable, stderr: Writable) => {
    const env = {
      PORTAL_DATA_DIR: database.dataDir,
      PORTAL_DATABASE_URL: database.databaseUrl ?? '',
    };
    return run(args, { env, stdout, stderr, cwd: process.cwd() });
  };
  const collect = () => {
    let written = '';
    const stream = new Writable({
      write: (chunk, _encoding, done) => {
        written += String(chunk);
        done();
      },
    });
    return { stream, written: () => written };
  };

  it('ends a command without an error if its reader has closed it', async () => {
    const { stream, written } = collect();
    expect(await runWith(['organizations', 'list'], broken('EPIPE'), stream)).toBe(0);
    expect(written()).toBe('');
  });

  it('fails a command for any other reason', async () => {
    const { stream, written } = collect();
    expect(await runWith(['organizations', 'list'], broken('EIO'), stream)).toBe(1);
    expect(written()).toBe('portal: write EIO\n');
  });

  it('does not hide the exit code of a command that fails', async () => {
    const [stdout, stderr] = [broken('EPIPE'), broken('EPIPE')];
    expect(await runWith(['users', 'list', '-o', 'nobody'], stdout, stderr)).toBe(3);
    for (const stream of [stdout, stderr])
      expect(() => stream.emit('error', new Error('late'))).not.toThrow();
  });
});
