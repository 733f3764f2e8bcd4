import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';

import { send } from 'test-support';
import { buildFirst } from 'test-support/build';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { openDatabase } from '../../src/db/connection/open.ts';
import {
  createEmptyDatabase,
  createFolder,
  fillTables,
  hashTables,
  readDataFiles,
} from '../support/backup.ts';
import { runForResult, runInProcess } from '../support/command-line.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { buildProgram, startPortalProcess, type PortalProcess } from '../support/processes.ts';

buildFirst();

// On a busy machine, an embedded database opens slowly.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let database: TestDatabase;
let hashes: Record<string, string>;
let portal: PortalProcess;
beforeAll(async () => {
  database = await createTestDatabase();
  const { db, close } = await openDatabase(database);
  const { acme } = await fillTables(db, database.dataDir);
  // More than a pipe holds, so that a backup to it waits.
  const folder = path.join(database.dataDir, 'datasets', acme.id);
  fs.writeFileSync(path.join(folder, 'large.csv'), Buffer.alloc(32 * 2 ** 20));
  await close();
  hashes = await hashRows(database);
  portal = await startPortalProcess(database);
});
afterAll(async () => {
  await portal.stop();
  await database.remove();
});

/** The hashes without those of counts, which the server folds meanwhile. */
const hashRows = async (place: Parameters<typeof hashTables>[0]) => {
  const { row_counts: _, row_count_changes: __, ...rest } = await hashTables(place);
  return rest;
};

/** Folders of a copy and of its data files. */
const listCopies = () =>
  ['.', 'datasets'].flatMap((folder) =>
    fs.readdirSync(path.join(database.dataDir, folder)).filter((name) => /^\.?backup-/.test(name)),
  );

/** Starts a backup to a pipe that nobody reads, and waits until it has something to read. */
async function startStalled(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [await buildProgram(), 'backup', '-'], {
    env: { PATH: process.env['PATH'], PORTAL_DATA_DIR: database.dataDir },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'readable');
  return child;
}

it('a backup while the server holds the database has every row and data file', async () => {
  const file = path.join(createFolder(), 'portal.tar');
  const { stderr, stdout, code } = await runInProcess(database, ['backup', file]);
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(
      /^This needs \d+ MB of free disk in \S+ for a copy of the database, and 500 MB of memory\.\n$/,
    ),
  ]);
  expect(stdout).toMatch(/^Wrote /);
  expect(listCopies()).toEqual([]);
  const restored = await createEmptyDatabase();
  await runForResult(restored, ['restore', file]);
  expect(readDataFiles(restored)).toEqual(readDataFiles(database));
  expect(await hashRows(restored)).toEqual(hashes);
});

it('a copy while the server holds the database has every row', async () => {
  const target = { dataDir: createFolder(), databaseUrl: undefined };
  await runForResult(database, ['copy', '--to', target.dataDir]);
  expect(await hashRows(target)).toEqual(hashes);
});

it('the server removes the copy when the command is killed, and allows one at a time', async () => {
  const stalled = await startStalled();
  expect(listCopies()).toHaveLength(2);
  const second = await runInProcess(database, ['backup', path.join(createFolder(), 'portal.tar')]);
  expect([second.code, second.stderr]).toEqual([
    1,
    expect.stringContaining('Another backup or copy of this database is running.'),
  ]);
  expect((await send(`${portal.publicUrl}/readyz`)).status).toBe(200);
  stalled.kill('SIGKILL');
  await expect.poll(listCopies, { timeout: 10_000 }).toEqual([]);
  await runForResult(database, ['backup', path.join(createFolder(), 'portal.tar')]);
});

it('a restore is refused while a server holds the database', async () => {
  const file = path.join(createFolder(), 'portal.tar');
  await runForResult(database, ['backup', file]);
  const { code, stderr } = await runInProcess(database, ['restore', file]);
  expect([code, stderr]).toEqual([4, expect.stringContaining(`in use by process ${portal.pid}`)]);
});

it('a server that is stopped during a backup removes the copy', async () => {
  const stalled = await startStalled();
  expect(await portal.stop()).toBe(0);
  expect(listCopies()).toEqual([]);
  stalled.kill('SIGKILL');
  portal = await startPortalProcess(database);
  await runForResult(database, ['backup', path.join(createFolder(), 'portal.tar')]);
});
