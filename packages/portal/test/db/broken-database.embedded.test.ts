import { execFile } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import { send } from 'test-support';
import { buildFirst } from 'test-support/build';
import { startStopwatch } from 'test-support/stopwatch';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { openDatabase } from '../../src/db/connection/open.ts';
import { runCommand } from '../support/command-line.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createTestOrganization } from '../support/organization.ts';
import { startTestPortal } from '../support/portal.ts';
import { startPortalProcess } from '../support/processes.ts';

buildFirst();

const module = new URL('../../src/db/embedded/embedded.ts', import.meta.url).href;
const preload = fileURLToPath(new URL('../support/full-disk.mjs', import.meta.url));

describe.each([
  ['never finishes', () => new Promise<never>(() => {})],
  ['finishes without a result', () => Promise.resolve([])],
])('a query that %s', (_name, lose) => {
  it('a broken database answers a query with 503, and so do later requests', async () => {
    const portal = await startTestPortal();
    const spy = vi.spyOn(PGlite.prototype, 'execProtocolStream').mockImplementation(lose);
    onTestFinished(() => spy.mockRestore());
    const json = { email: 'ann@acme.example', name: 'Ann', role: 3 };
    const stop = startStopwatch();
    const requests = [
      portal.api('GET', '/api/user'),
      portal.api('POST', '/api/user', { json }),
      portal.api('GET', '/readyz', { key: null }),
    ];
    for (const answer of await Promise.all(requests)) {
      expect([answer.status, answer.json().code]).toEqual([503, 'database_unavailable']);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(stop()).toBeLessThan(15_000);
    // Closing does not wait for the query either.
    await portal.close();
  });
});

it('a slow query is not interrupted', async () => {
  const database = await createTestDatabase();
  const { db, close } = await openDatabase(database);
  const { rows } = await sql`SELECT 1 AS one FROM pg_sleep(3)`.execute(db);
  expect(rows).toEqual([{ one: 1 }]);
  await close();
  await database.remove();
});

it('the times of several slow queries do not add up', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const database = await createTestDatabase();
  const { db, close } = await openDatabase(database);
  const spy = vi.spyOn(PGlite.prototype, 'execProtocolStream');
  onTestFinished(() => {
    vi.useRealTimers();
    spy.mockRestore();
  });
  for (let query = 0; query < 2; query++) {
    spy.mockClear();
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    spy.mockImplementationOnce(async function (this: PGlite, ...input) {
      await released;
      return PGlite.prototype.execProtocolStream.call(this, ...input);
    });
    const answer = sql`SELECT 1 AS one`.execute(db);
    await expect.poll(() => spy.mock.calls.length).toBe(1);
    vi.advanceTimersByTime(1_750);
    release();
    expect((await answer).rows).toEqual([{ one: 1 }]);
    vi.advanceTimersByTime(250);
  }
  spy.mockRestore();
  await close();
  await database.remove();
});

/** Sends a request without its body, and resolves when the portal waits for the body. */
async function startUpload(publicUrl: string, apiKey: string, length: number): Promise<Socket> {
  const { hostname, port } = new URL(publicUrl);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  socket.write(
    `POST /api/user HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${apiKey}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`,
  );
  expect(String(await once(socket, 'data'))).toContain('100 Continue');
  return socket;
}

describe('a full disk', () => {
  let database: TestDatabase;
  let mark: string;
  let env: Record<string, string>;
  beforeEach(async () => {
    database = await createTestDatabase();
    mark = path.join(database.dataDir, 'full');
    env = { NODE_OPTIONS: `--import ${preload}`, FULL_DISK: mark };
  });
  afterEach(() => database.remove());

  it('makes the portal answer 503, log the cause and exit with code 1', async () => {
    const opened = await openDatabase(database);
    const { dataDir } = database;
    const scope = { db: opened.db, dataDir, publicUrl: 'http://localhost:4000' };
    const acme = await createTestOrganization(scope, 'acme');
    await opened.close();
    const headers = { 'x-api-key': acme.apiKey };
    const portal = await startPortalProcess(database, {
      env: { ...env, PORTAL_DRAIN_NOTICE: '600', PORTAL_DRAIN_LIMIT: '600' },
    });
    const createUser = async (name: string) => {
      const json = { email: `${name}@acme.example`, name, role: 3 };
      const options = { method: 'POST', headers, json };
      return (await send(`${portal.publicUrl}/api/user`, options)).status;
    };
    expect(await createUser('before')).toBe(201);
    // Both requests are in flight when the disk is full: the portal may notice it in other work first.
    const after = JSON.stringify({ email: 'after@acme.example', name: 'after', role: 3 });
    const [answered] = await Promise.all([
      startUpload(portal.publicUrl, acme.apiKey, after.length),
      startUpload(portal.publicUrl, acme.apiKey, 9),
    ]);
    fs.writeFileSync(mark, '');
    const answer = once(answered, 'data');
    answered.write(after);
    expect(String(await answer)).toContain('HTTP/1.1 503 ');
    const stop = startStopwatch();
    expect(await portal.exited).toBe(1);
    expect(stop()).toBeLessThan(15_000);
    const lines = portal.output().split('\n');
    expect(lines.filter((line) => line.includes('"level":60'))).toEqual([
      expect.stringMatching(/answers no more .*No space left on device.*Free disk space/),
    ]);

    fs.rmSync(mark);
    const { db, close } = await openDatabase(database);
    const created = db.selectFrom('users').select('email').where('name', 'in', ['before', 'after']);
    expect(await created.execute()).toEqual([{ email: 'before@acme.example' }]);
    await close();
  });

  it('fails every query at once, also on a new connection, and does not block closing', async () => {
    const script = `
      const { openEmbedded } = await import(${JSON.stringify(module)});
      const { pool, close } = await openEmbedded(${JSON.stringify(database.dataDir)}, {});
      (await import('node:fs')).writeFileSync(${JSON.stringify(mark)}, '');
      for (const statement of ['CREATE TABLE change ()', 'SELECT 1', 'SELECT 1'])
        await pool.query(statement).catch((error) => console.log(error.code));
      await close();`;
    const args = ['--input-type=module', '-e', script];
    const stopping = new AbortController();
    onTestFinished(() => stopping.abort());
    const { NODE_OPTIONS: runSources } = process.env;
    const fromSource = { ...env, NODE_OPTIONS: `${runSources} ${env['NODE_OPTIONS']}` };
    const options = { env: { ...process.env, ...fromSource }, signal: stopping.signal };
    const { stdout } = await promisify(execFile)(process.execPath, args, options);
    expect(stdout).toBe('57P02\n57P02\n57P02\n');
  });

  it('makes a command exit with code 5 and report the cause', async () => {
    // As after a crash at the end of a segment of the log: opening the database starts a new one.
    const crashed = await createTestDatabase();
    onTestFinished(() => crashed.remove());
    const { db, close } = await openDatabase(database);
    await sql`CREATE TABLE change ()`.execute(db);
    await sql`SELECT pg_switch_wal()`.execute(db);
    fs.cpSync(database.dataDir, crashed.dataDir, { recursive: true });
    await close();
    fs.writeFileSync(mark, '');
    const list = ['organizations', 'list', '--json'];
    const result = await runCommand(crashed, list, env);
    expect([result.code, result.stdout]).toEqual([5, '']);
    const { error } = JSON.parse(result.stderr);
    expect(error.code).toBe('database_unavailable');
    expect(error.detail).toMatch(/No space left on device.*Free disk space/);
  });
});
