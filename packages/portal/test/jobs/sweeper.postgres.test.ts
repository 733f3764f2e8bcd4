import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { foldRowCounts } from '../../src/db/query/row-counts.ts';
import { deleteOldIdentityUrls, deleteIdleSessions, tryLock } from '../../src/jobs/store.ts';
import { startSweeper } from '../../src/jobs/sweeper.ts';
import { createLogger } from '../../src/logger.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint, startSession } from '../support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

it('one instance sweeps at a time, and another may once that one has ended', async () => {
  let batches = 0;
  const sweeper = startSweeper({
    db: portal.db,
    tasks: [{ name: 'counted', sweep: () => Promise.resolve(++batches && 1) }],
    logger: createLogger('silent'),
    intervalMs: 3_600_000,
  });
  await sweeper.sweep();
  const before = batches;
  expect(before).toBeGreaterThan(0);
  await portal.db.transaction().execute(async (otherInstance) => {
    expect(await tryLock(otherInstance)).toBe(true);
    await sweeper.sweep();
    expect(batches).toBe(before);
  });
  await sweeper.sweep();
  expect(batches).toBe(before + 1);
  await sweeper.stop();
});

it('a sweep skips rows that other transactions use', async () => {
  const { acme, db } = portal;
  const whole = { userEmail: acme.emails.west };
  await sql`DELETE FROM identity_urls`.execute(db);
  for (const _ of [1, 2]) {
    await startSession(portal, acme, whole);
    await mint(portal, acme, whole);
  }
  await sql`DELETE FROM identity_urls WHERE used_at IS NOT NULL`.execute(db);
  await sql`UPDATE identity_urls SET expires_at = now() - interval '1 day'`.execute(db);
  await sql`UPDATE portal_sessions SET touched_at = now() - interval '1 day'`.execute(db);
  await foldRowCounts(db, 1_000_000);
  for (const email of ['one@skip.example', 'two@skip.example'])
    await portal.api('POST', '/api/user', { json: { email, name: 'Skip', role: 3 } });
  const sweeps = {
    identity_urls: deleteOldIdentityUrls,
    portal_sessions: deleteIdleSessions,
    row_count_changes: foldRowCounts,
  };
  for (const [table, sweep] of Object.entries(sweeps)) {
    await db.transaction().execute(async (other) => {
      await sql`SELECT FROM ${sql.table(table)} LIMIT 1 FOR UPDATE`.execute(other);
      const swept = await db.transaction().execute(async (transaction) => {
        await sql`SET LOCAL lock_timeout = '5s'`.execute(transaction);
        return sweep(transaction, 100);
      });
      expect([table, swept]).toEqual([table, 1]);
    });
    expect([table, await sweep(db, 100)]).toEqual([table, 1]);
  }
});

it('the lock of the sweeper has the same number in every release, and not that of migrations', async () => {
  const { db } = portal;
  const tryWhileLocked = (number: number) =>
    db.transaction().execute(async (other) => {
      // Only an exclusive lock is refused while another session has a shared one.
      await sql`SELECT pg_advisory_xact_lock_shared(${number}::bigint)`.execute(other);
      return db.transaction().execute(tryLock);
    });
  expect(await tryWhileLocked(4_207_315_012)).toBe(false);
  expect(await tryWhileLocked(4_207_315_011)).toBe(true);
});
