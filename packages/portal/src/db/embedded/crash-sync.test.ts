import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { formatFileKey, syncAfterCrash } from './crash-sync.ts';

const shutDown = 1;
const inProduction = 6;

let folder: string;
let files: string[];

beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-crash-sync-'));
  await fs.mkdir(path.join(folder, 'global'));
  files = ['global', 'global/pg_control', 'first', 'second'];
  await fs.writeFile(path.join(folder, 'first'), 'rows');
  await fs.writeFile(path.join(folder, 'second'), 'rows');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await fs.rm(folder, { recursive: true });
});

async function writeState(state: number): Promise<void> {
  const control = Buffer.alloc(32);
  control.writeUInt32LE(state, 16);
  await fs.writeFile(path.join(folder, 'global', 'pg_control'), control);
}

/** Counts the syncs of single files. */
async function watchSyncs() {
  const handle = await fs.open(folder);
  const prototype = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  return vi.spyOn(prototype, 'sync');
}

const readKeys = async (names: string[]) =>
  (
    await Promise.all(
      names.map(async (name) =>
        formatFileKey(await fs.stat(path.join(folder, name), { bigint: true })),
      ),
    )
  ).toSorted();

it('a database that was shut down cleanly is not synced', async () => {
  await writeState(shutDown);
  expect(await syncAfterCrash(folder)).toEqual(new Map());
});

it('after a crash, one sync of the file system covers every file', async () => {
  await writeState(inProduction);
  const syncs = await watchSyncs();
  const synced = await syncAfterCrash(folder);
  expect([...synced.keys()].toSorted()).toEqual(await readKeys(files));
  expect(syncs).not.toHaveBeenCalled();
});

it('a database with an empty control file is synced, and its opening can report the damage', async () => {
  await fs.writeFile(path.join(folder, 'global', 'pg_control'), '');
  expect([...(await syncAfterCrash(folder)).keys()].toSorted()).toEqual(await readKeys(files));
});

it('without the sync command, each file is synced once', async () => {
  await writeState(inProduction);
  vi.stubEnv('PATH', folder);
  const syncs = await watchSyncs();
  const synced = await syncAfterCrash(folder);
  expect([...synced.keys()].toSorted()).toEqual(await readKeys(files));
  expect(syncs).toHaveBeenCalledTimes(files.length);
  const descriptors = await fs.readdir('/proc/self/fd');
  const opened = await Promise.all(
    descriptors.map((name) => fs.readlink(`/proc/self/fd/${name}`).catch(() => '')),
  );
  expect(opened.filter((file) => file.startsWith(folder))).toEqual([]);
});

it('the sync after a crash is of the file system of the database', async () => {
  await writeState(inProduction);
  const programs = path.join(folder, 'programs');
  await fs.mkdir(programs);
  const log = path.join(programs, 'log');
  await fs.writeFile(path.join(programs, 'sync'), `#!/bin/sh\necho "$@" > '${log}'\n`, {
    mode: 0o755,
  });
  vi.stubEnv('PATH', programs);
  await syncAfterCrash(folder);
  expect(await fs.readFile(log, 'utf8')).toBe(`--file-system ${folder}\n`);
});
