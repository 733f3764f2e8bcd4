import path from 'node:path';

import { sql } from 'kysely';
import { expect, it, onTestFinished, vi } from 'vitest';

import { lendSnapshot } from '../../src/backup/embedded/lend.ts';
import { openCopy } from '../../src/backup/embedded/source.ts';
import { openDatabase } from '../../src/db/connection/open.ts';
import { createTestDatabase } from '../support/database.ts';

// On a busy machine, an embedded database opens slowly.
vi.setConfig({ testTimeout: 120_000 });

/** An open database, and where it is. */
async function openOwn() {
  const { dataDir, remove } = await createTestDatabase();
  onTestFinished(remove);
  const { db, close } = await openDatabase({ dataDir });
  onTestFinished(close);
  return { db, place: { dataDir, datasetFolder: path.join(dataDir, 'datasets') } };
}

it('the log that a copy needs survives checkpoints, and later rows are not in the copy', async () => {
  const { db, place } = await openOwn();
  const insert = (slug: string) =>
    sql`INSERT INTO organizations (id, slug, name, accent_color)
      VALUES (gen_random_uuid(), ${slug}, ${slug}, '#000000')`.execute(db);
  await insert('before');
  const lent = new AbortController();
  let checkpoints = 0;
  const lending = lendSnapshot(db, place, async ({ database }) => {
    lent.abort();
    await insert('after');
    const copy = await openCopy(database);
    const rows = await copy.query<{ slug: string }>('SELECT slug FROM organizations ORDER BY 1');
    await copy.close();
    expect(rows).toContainEqual({ slug: 'before' });
    expect(rows).not.toContainEqual({ slug: 'after' });
    // Each round of the loop was committed before the copy or after it.
    expect([checkpoints + 1, checkpoints + 2]).toContain(rows.length);
  });
  while (!lent.signal.aborted && checkpoints < 10) {
    await sql`SELECT pg_logical_emit_message(false, '', repeat('x', 17000000))`.execute(db);
    await sql`CHECKPOINT`.execute(db);
    if (lent.signal.aborted) break;
    await insert(`during-${checkpoints}`);
    if (!lent.signal.aborted) checkpoints += 1;
  }
  await lending;
  expect(checkpoints).toBeGreaterThan(2);
});

it('a copy that fails leaves no folder, no slot and no running backup', async () => {
  const { db, place } = await openOwn();
  const stopped = new AbortController();
  stopped.abort(new Error('stopped'));
  for (let attempt = 0; attempt < 2; attempt++)
    await expect(
      lendSnapshot(db, { ...place, signal: stopped.signal }, async () => {}),
    ).rejects.toThrow('stopped');
  const { rows } = await sql`SELECT FROM pg_replication_slots`.execute(db);
  expect(rows).toEqual([]);
  await lendSnapshot(db, place, async () => {});
});
