import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';

import pg from 'pg';
import { findFreePort } from 'testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openDatabase } from '../src/db/open.ts';
import { insertAuditEntries } from './support/audit.ts';
import { keyPattern, listCommands, runCommand, runHere } from './support/command-line.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';
import { createTestOrganization, type TestOrganization } from './support/organization.ts';
import { program } from './support/processes.ts';

let database: TestDatabase;
let globex: TestOrganization;
beforeAll(async () => {
  database = await createTestDatabase();
  const { db, close } = await openDatabase(database);
  globex = await createTestOrganization({ db, publicUrl: 'http://localhost:4000' }, 'globex');
  await close();
});
afterAll(() => database.remove());

const portal = (...args: string[]) => runHere(database, args);

/** Runs a command that must succeed and returns its JSON. */
async function done(...args: string[]) {
  const result = await portal(...args, '--json');
  expect([args, result.code, result.stderr]).toEqual([args, 0, '']);
  return result.json();
}

/** Runs a command that must be refused and returns its exit code and the error's own. */
async function refused(...args: string[]): Promise<[number | null, string]> {
  const result = await portal(...args, '--json');
  expect(result.stdout).toBe('');
  const { error } = JSON.parse(result.stderr) as { error: { code: string; detail: string } };
  expect(error.detail).toMatch(/\w/);
  return [result.code, error.code];
}

const ofGlobex = ['-o', 'globex'];
const invalid = [2, 'invalid_request'];

describe('portal', () => {
  it('shows what it can do, with exit code 2 when it was not asked to', async () => {
    const [bare, asked] = [await runCommand(database, []), await runCommand(database, ['--help'])];
    expect([bare.code, bare.stdout]).toEqual([2, '']);
    expect(asked.code).toBe(0);
    for (const help of [bare.stderr, asked.stdout])
      for (const word of ['serve', 'migrate', 'organizations', 'api-keys', 'Exit codes:'])
        expect(help).toContain(word);
  });

  it('says its version', async () => {
    expect((await portal('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('shows an example with the help of every command', async () => {
    const commands = await listCommands();
    expect(commands.length).toBeGreaterThan(20);
    for (const command of commands) {
      const { stdout } = await portal(...command.split(' '), '--help');
      expect(stdout).toMatch(new RegExp(`Examples?:\n(?:.*\n)*  \\$ .*portal ${command}`));
      expect(stdout).toContain('--json');
    }
  });

  it('answers a command line it does not know with exit code 2 and a hint', async () => {
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
      expect([args, ...(await refused(...args))]).toEqual([args, 2, expect.any(String)]);
    }
    expect(await refused('users', 'crate')).toEqual([2, 'usage']);
    expect((await portal('users', 'crate')).stderr).toContain('Did you mean create?');
  });

  it('answers a configuration that is wrong with exit code 2 and the variable’s name', async () => {
    const result = await runCommand(database, ['migrate'], { PORTAL_PORT: 'x' });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('PORTAL_PORT must be a port number');
  });

  it('answers a PostgreSQL that is away with exit code 5', async () => {
    const databaseUrl = `postgres://portal@127.0.0.1:${await findFreePort()}/portal`;
    const result = await runCommand({ ...database, databaseUrl }, ['organizations', 'list']);
    expect(result.code).toBe(5);
    expect(result.stderr).toContain('PORTAL_DATABASE_URL');
  });

  it.each(['prefer', 'require', 'verify-ca', 'verify-full'])(
    'writes its error alone when sslmode is %s and the server has no TLS',
    async (mode) => {
      const databaseUrl = `${database.databaseUrl}?sslmode=${mode}`;
      const list = ['organizations', 'list', '--json'];
      const result = await runCommand({ ...database, databaseUrl }, list);
      expect([result.code, result.stdout]).toEqual([2, '']);
      const { error } = JSON.parse(result.stderr);
      expect(error.code).toBe('invalid_configuration');
      expect(error.detail).toContain('sslmode in PORTAL_DATABASE_URL');
    },
  );

  it.each([
    ['LATIN1', "LOCALE 'C'"],
    ['SQL_ASCII', "LOCALE 'C'"],
    ['EUC_JP', "LOCALE 'C'"],
    ['UTF8', "LOCALE 'C'"],
    ['UTF8', "LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'tr'"],
  ])('takes no database in %s with %s, and leaves it empty', async (encoding, locale) => {
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
    const result = await runHere(where, ['migrate', '--json']);
    expect(result.code).toBe(2);
    expect(JSON.parse(result.stderr).error.detail).toContain(`the encoding ${encoding}`);
    const empty = new pg.Client({ connectionString: address.href });
    await empty.connect();
    const { rowCount } = await empty.query("SELECT FROM pg_tables WHERE schemaname = 'public'");
    await empty.end();
    expect(rowCount).toBe(0);
  });

  it('says what to check when PostgreSQL does not know the user', async () => {
    const address = new URL(database.databaseUrl!);
    address.username = 'nobody';
    const where = { ...database, databaseUrl: address.href };
    const result = await runHere(where, ['organizations', 'list', '--json']);
    expect(result.code).toBe(2);
    expect(JSON.parse(result.stderr).error.detail).toContain('Check user');
  });
});

describe('portal organizations', () => {
  it('refuses a slug twice, another’s address and what is no origin', async () => {
    await done('organizations', 'create', 'acme', '--name', 'Acme');
    expect(await refused('organizations', 'create', 'acme', '--name', 'Acme')).toEqual([
      3,
      'organization_exists',
    ]);
    expect(await refused('organizations', 'create', 'A_b', '--name', 'x')).toEqual(invalid);
    const set = ['organizations', 'set-addresses', 'acme'];
    await done(...set, 'https://acme.example');
    expect(await refused(...set, globex.address)).toEqual([3, 'address_taken']);
    expect(await refused(...set, 'https://acme.example/x')).toEqual(invalid);
    const [acme] = await done('organizations', 'list');
    expect(acme.addresses).toEqual(['https://acme.example']);
    expect((await portal('organizations', 'list')).stdout).toMatch(/^acme +Acme +/m);
  });

  it('deletes none without its name given twice, and all of one with it', async () => {
    await done('organizations', 'create', 'gone', '--name', 'Gone');
    await done('users', 'create', 'ann@gone.example', '-o', 'gone', '--name', 'Ann');
    await done('api-keys', 'create', '-o', 'gone', '--name', 'x', '--all-permissions');
    const remove = ['organizations', 'delete', 'gone', '--confirm'];
    expect(await refused(...remove, 'acme')).toEqual(invalid);
    await done(...remove, 'gone');
    expect(await refused('users', 'list', '-o', 'gone')).toEqual([3, 'organization_not_found']);
  });
});

describe('portal users', () => {
  it('refuses an e-mail twice, one that is none, and whom there is not', async () => {
    const { west } = globex.emails;
    const create = ['users', 'create', ...ofGlobex, '--name', 'x'];
    expect(await refused(...create, west.toUpperCase())).toEqual([3, 'user_exists']);
    expect(await refused(...create, 'zoe')).toEqual(invalid);
    const missing = 'nobody@globex.example';
    expect(await refused('users', 'delete', missing, ...ofGlobex)).toEqual([3, 'user_not_found']);
    expect(await refused('users', 'update', missing, ...ofGlobex, '--name', 'x')).toEqual([
      3,
      'user_not_found',
    ]);
    expect(await refused('users', 'link-reports', west, globex.id, ...ofGlobex)).toEqual([
      3,
      'unknown_references',
    ]);
  });

  it('lists a page as a table that names the next one', async () => {
    const { stdout } = await portal('users', 'list', ...ofGlobex, '--page-size', '2');
    expect(stdout).toMatch(/^both@globex\.example +both +viewer +2$/m);
    expect(stdout).toContain('--page 2');
    const none = await portal('users', 'list', ...ofGlobex, '--email', 'nobody');
    expect(none.stdout).toBe('There is no such user.\n');
  });

  it('leaves alone what an update does not name', async () => {
    const { outsider } = globex.emails;
    const update = ['users', 'update', outsider, ...ofGlobex];
    await done(...update, '--department', 'Sales', '--expires', '2099-01-31');
    expect(await done(...update, '--role', 'administrator')).toMatchObject({
      name: 'outsider',
      role: 1,
      department: 'Sales',
      expirationDate: '2099-01-31T00:00:00.000Z',
    });
    expect(await refused(...update)).toEqual(invalid);
    expect(await done(...update, '--never-expires')).toMatchObject({
      department: 'Sales',
      expirationDate: null,
    });
  });
});

describe('portal groups', () => {
  it('refuses a name twice, a group that there is not, and members that there are not', async () => {
    const { east } = globex.emails;
    expect(await refused('groups', 'create', 'Leads', ...ofGlobex)).toEqual([3, 'group_exists']);
    expect(await refused('groups', 'add', 'Other', east, ...ofGlobex)).toEqual([
      3,
      'group_not_found',
    ]);
    expect(await refused('groups', 'add', 'Leads', 'no@x.example', east, ...ofGlobex)).toEqual([
      3,
      'unknown_references',
    ]);
    expect((await portal('groups', 'list', ...ofGlobex)).stdout).toMatch(/^Leads +\S+ +1 +1$/m);
  });
});

describe('portal api-keys', () => {
  it('shows a new key once, alone on its line, and never again', async () => {
    const create = ['api-keys', 'create', ...ofGlobex, '--name', 'Directory', '--expires', '90d'];
    const created = await portal(...create, '--permission', 'users:read', 'users:write');
    expect(created.code).toBe(0);
    const key = created.stdout.split('\n').find((line) => keyPattern.test(line));
    expect(key).toBeDefined();
    for (const command of [
      ['api-keys', 'list', ...ofGlobex],
      ['api-keys', 'list', ...ofGlobex, '--json'],
      ['activity', 'list', ...ofGlobex, '--json', '--action', 'createApiKey'],
    ]) {
      const { stdout } = await portal(...command);
      expect(stdout).toContain('users:read');
      expect(stdout).not.toContain('pek_');
    }
  });

  it('refuses a key without permissions, one that is rotated already and another’s', async () => {
    expect(await refused('api-keys', 'create', ...ofGlobex, '--name', 'x')).toEqual(invalid);
    const create = ['api-keys', 'create', ...ofGlobex, '--name', 'x', '--permission', 'rls:read'];
    const { id } = await done(...create);
    const rotate = ['api-keys', 'rotate', id, ...ofGlobex, '--old-works-until', '1h'];
    const successor = await done(...rotate);
    expect(await refused(...rotate)).toEqual([3, 'api_key_ended']);
    await done('api-keys', 'revoke', successor.id, ...ofGlobex);
    const again = ['api-keys', 'rotate', successor.id, ...ofGlobex, '--old-works-until', '1h'];
    expect(await refused(...again)).toEqual([3, 'api_key_ended']);
    expect(await refused('api-keys', 'revoke', id, '-o', 'acme')).toEqual([3, 'api_key_not_found']);
    expect(await refused('api-keys', 'revoke', 'x', ...ofGlobex)).toEqual(invalid);
  });
});

describe('portal audit export', () => {
  it('writes every entry once, however many there are and however close together', async () => {
    const { db, close } = await openDatabase(database);
    const entry = { days: 1, email: 'many@globex.example' };
    await insertAuditEntries(
      db,
      globex,
      Array.from({ length: 2_500 }, () => entry),
    );
    await insertAuditEntries(db, globex, [{ days: 500, email: 'old@globex.example' }]);
    await close();
    const { stdout } = await portal('audit', 'export', ...ofGlobex, '--json');
    const entries = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(entries).toHaveLength(2_501);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(2_501);
    expect(entries[0].userEmail).toBe('old@globex.example');
  });

  it('writes CSV in which no cell is a formula', async () => {
    const { db, close } = await openDatabase(database);
    const entry = { days: 2, email: 'new@globex.example', reportName: '=1+1,"x"' };
    await insertAuditEntries(db, globex, [entry]);
    await close();
    const filter = ['--from', '3d', '--user', 'NEW@globex.example'];
    const { stdout } = await portal('audit', 'export', ...ofGlobex, ...filter);
    const lines = stdout.split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^id,createdAt,organizationId,userId,userEmail,reportId,reportName/);
    expect(lines[1]).toContain(`,new@globex.example,${globex.reportId},"'=1+1,""x""",1,`);
  });

  it('overwrites no file', async () => {
    const file = path.join(database.dataDir, 'export.csv');
    const write = ['audit', 'export', ...ofGlobex, '--output', file];
    expect((await portal(...write)).stdout).toBe(`Wrote 2502 entries to ${file}.\n`);
    const before = fs.readFileSync(file, 'utf8');
    expect(before.trimEnd().split('\r\n')).toHaveLength(2_503);
    const again = await portal(...write);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('EEXIST')]);
    expect(fs.readFileSync(file, 'utf8')).toBe(before);
  });

  it('ends quietly when nobody reads on', async () => {
    const child = spawn(process.execPath, [program, 'audit', 'export', ...ofGlobex, '--json'], {
      env: { PORTAL_DATABASE_URL: database.databaseUrl ?? '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.once('data', () => child.stdout.destroy());
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect([code, stderr]).toEqual([0, '']);
  });
});

describe('portal activity list', () => {
  it('narrows by action, refusal and mints, and goes on behind an entry', async () => {
    const list = ['activity', 'list', ...ofGlobex];
    const newest = await done(...list, '--limit', '3');
    expect(newest).toHaveLength(3);
    const older = await done(...list, '--before-id', String(newest[2].id), '--limit', '1');
    expect(older[0].id).toBeLessThan(newest[2].id);
    for (const entry of await done(...list, '--refused')) expect(entry.refusal).not.toBeNull();
    const groups = await done(...list, '--action', 'createGroup');
    expect(groups).toMatchObject([
      { refusal: 'group_exists', subject: 'Leads', actor: { kind: 'operator', name: 'olivia' } },
      { refusal: null, subject: 'Leads', actor: { kind: 'operator', name: 'operator' } },
    ]);
    const { stdout } = await portal(...list, '--without-mints');
    expect(stdout).toMatch(/ olivia +createGroup +Leads +group_exists$/m);
  });
});
