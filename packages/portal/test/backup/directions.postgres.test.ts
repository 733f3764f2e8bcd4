import path from 'node:path';

import { expect, it, vi } from 'vitest';

import {
  createEmptyDatabase,
  createFilledDatabase,
  createFolder,
  hashTables,
  readDataFiles,
} from '../support/backup.ts';
import { runForResult } from '../support/command-line.ts';
import { readTar } from '../support/tar.ts';

// Creates three embedded databases.
vi.setConfig({ testTimeout: 120_000 });

/** The COPY text and the data files of a backup. */
async function backUp(database: { dataDir: string; databaseUrl: string | undefined }) {
  const file = path.join(createFolder(), 'portal.tar');
  await runForResult(database, ['backup', file]);
  // The manifest has the time, and the last entry its hash.
  const entries = (await readTar(file)).slice(1, -1);
  return entries.map(([name, content]) => `${name} ${content.toString('base64')}`);
}

it('copy moves every row and data file in all directions, and backups of both databases have the same bytes', async () => {
  const first = await createFilledDatabase();
  const hashes = await hashTables(first);
  const files = readDataFiles(first);
  const entries = await backUp(first);

  const embedded = { dataDir: createFolder(), databaseUrl: undefined };
  const copied = await runForResult(first, ['copy', '--to', embedded.dataDir]);
  expect(copied).toMatchObject({ files: Object.keys(files).length, missingFiles: [] });
  expect(await hashTables(embedded)).toEqual(hashes);
  expect(readDataFiles(embedded)).toEqual(files);
  expect(await backUp(embedded)).toEqual(entries);

  const second = { dataDir: createFolder(), databaseUrl: undefined };
  await runForResult(embedded, ['copy', '--to', second.dataDir]);
  expect(await hashTables(second)).toEqual(hashes);
  expect(readDataFiles(second)).toEqual(files);

  const { databaseUrl: target } = await createEmptyDatabase();
  // The data files stay in the data directory.
  expect(await runForResult(second, ['copy', '--to', target!])).toMatchObject({ files: 0 });
  const moved = { dataDir: second.dataDir, databaseUrl: target };
  expect(await hashTables(moved)).toEqual(hashes);
  expect(await backUp(moved)).toEqual(entries);

  const other = await createEmptyDatabase();
  await runForResult(moved, ['copy', '--to', other.databaseUrl!]);
  expect(await hashTables(other)).toEqual(hashes);

  const restored = { dataDir: createFolder(), databaseUrl: undefined };
  const file = path.join(createFolder(), 'portal.tar');
  await runForResult(moved, ['backup', file]);
  await runForResult(restored, ['restore', file]);
  expect(await hashTables(restored)).toEqual(hashes);
  expect(readDataFiles(restored)).toEqual(files);
});
