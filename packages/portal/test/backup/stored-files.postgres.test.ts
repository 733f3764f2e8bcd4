import fs from 'node:fs';
import path from 'node:path';

import { sql } from 'kysely';
import { expect, it } from 'vitest';

import { openDatabase } from '../../src/db/connection/open.ts';
import {
  createEmptyDatabase,
  createFilledDatabase,
  createFolder,
  readDataFiles,
} from '../support/backup.ts';
import { runForResult, runInProcess } from '../support/command-line.ts';
import type { TestDatabase } from '../support/database.ts';

const inDatabase = { PORTAL_FILES: 'database' };

/** A portal whose data files are in the database alone, and what its folder had. */
async function createStored(): Promise<{ database: TestDatabase; files: Record<string, unknown> }> {
  const database = await createFilledDatabase();
  const files = parseDescriptions(readDataFiles(database));
  await runForResult(database, ['files', 'copy', '--to', 'database']);
  fs.rmSync(path.join(database.dataDir, 'datasets'), { recursive: true });
  return { database, files };
}

/** The database keeps the properties of a description in another order. */
const parseDescriptions = (files: Record<string, string>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(files).map(([name, content]) => [
      name,
      name.endsWith('.json') ? JSON.parse(Buffer.from(content, 'base64').toString()) : content,
    ]),
  );

it('a backup has the data files of the database, and a restore puts them into the folder', async () => {
  const { database, files } = await createStored();
  expect(Object.keys(files).length).toBeGreaterThan(3);
  const file = path.join(createFolder(), 'stored.tar');
  const written = await runInProcess(database, ['backup', file, '--json'], inDatabase);
  expect(written.json()).toMatchObject({
    missingFiles: [],
    files: Object.keys(files).length,
  });
  const restored = await createEmptyDatabase();
  const { stdout } = await runInProcess(restored, ['restore', file], inDatabase);
  expect(stdout).toContain('Run `portal files copy --to database` here');
  expect(parseDescriptions(readDataFiles(restored))).toEqual(files);
});

it('a copy to another server has the data files of the database, and says how every instance gets them', async () => {
  const { database, files } = await createStored();
  const target = await createEmptyDatabase();
  const to = ['copy', '--to', target.databaseUrl!];
  const { code, stderr, stdout } = await runInProcess(database, to, inDatabase);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(
    'Set PORTAL_DATABASE_URL to the new address. Run `portal files copy --to database` here',
  );
  expect(parseDescriptions(readDataFiles(database))).toEqual(files);
});

it('a backup is refused if a file of the database is damaged', async () => {
  const { database } = await createStored();
  const { db, close } = await openDatabase(database);
  await sql`UPDATE file_chunks SET bytes = set_byte(bytes, 9, 255 - get_byte(bytes, 9))`.execute(
    db,
  );
  await close();
  const file = path.join(createFolder(), 'damaged.tar');
  const { code, stderr } = await runInProcess(database, ['backup', file], inDatabase);
  expect([code, stderr]).toEqual([1, expect.stringContaining('is damaged in the database')]);
  expect(fs.existsSync(file)).toBe(false);
});
