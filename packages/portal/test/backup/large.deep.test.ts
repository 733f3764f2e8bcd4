import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

import { sql } from 'kysely';
import { startPostgres } from 'test-support';
import { expect, it, onTestFinished } from 'vitest';

import { openDatabase } from '../../src/db/connection/open.ts';
import { createFolder, fillTables, hashTables } from '../support/backup.ts';
import { runForResult } from '../support/command-line.ts';
import { createTestDatabase } from '../support/database.ts';
import { readTar } from '../support/tar.ts';

const rows = 300_000;

it('tables of several parts have the same bytes on both databases', async () => {
  const cluster = await startPostgres();
  onTestFinished(() => cluster.stop());
  const embedded = await createTestDatabase();
  onTestFinished(embedded.remove);
  const { db, close } = await openDatabase(embedded);
  const { acme } = await fillTables(db, embedded.dataDir);
  await sql`
    INSERT INTO audit_entries
      (organization_id, user_id, user_email, user_email_key, report_id, report_name, action)
    SELECT ${acme.id}, gen_random_uuid(), 'reader-' || n || '@acme.example',
      'reader-' || n || '@acme.example', gen_random_uuid(), repeat('Report ', n % 9), 1
    FROM generate_series(1, ${rows}::int) AS n`.execute(db);
  // Larger than a part.
  await sql`UPDATE content_versions SET content = repeat('x', 9000000)
    WHERE ctid = (SELECT min(ctid) FROM content_versions)`.execute(db);
  await close();

  const backUp = async (database: { dataDir: string; databaseUrl: string | undefined }) => {
    const file = path.join(createFolder(), 'portal.tar');
    await runForResult(database, ['backup', file]);
    const entries = (await readTar(file)).slice(1, -1);
    fs.rmSync(file);
    return entries;
  };
  const first = await backUp(embedded);
  const parts = first.filter(([name]) => name.startsWith('tables/audit_entries/'));
  expect(parts.length).toBeGreaterThan(5);
  for (const [, content] of parts) {
    const text = gunzipSync(content);
    expect(text.byteLength).toBeLessThanOrEqual(8 * 2 ** 20);
    expect(text.at(-1)).toBe('\n'.codePointAt(0));
  }
  const databaseUrl = cluster.url('postgres');
  await runForResult(embedded, ['copy', '--to', databaseUrl]);
  const moved = { dataDir: embedded.dataDir, databaseUrl };
  expect(await hashTables(moved)).toEqual(await hashTables(embedded));
  const second = await backUp(moved);
  expect(second.map(([name]) => name)).toEqual(first.map(([name]) => name));
  const different = first.filter(([, content], index) => !second[index]![1].equals(content));
  expect(different.map(([name]) => name)).toEqual([]);

  const back = { dataDir: createFolder(), databaseUrl: undefined };
  await runForResult(moved, ['copy', '--to', back.dataDir]);
  expect(await hashTables(back)).toEqual(await hashTables(moved));
});
