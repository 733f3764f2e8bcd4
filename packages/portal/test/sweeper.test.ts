import { setTimeout as delay } from 'node:timers/promises';

import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { createLogger } from '../src/logger.ts';
import { startSweeper, sweepTasks, type SweepTask } from '../src/sweeper/service.ts';
import { startTestPortal, type TestPortal } from './support/portal.ts';
import { mint, open, startSession } from './support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const logger = createLogger('silent');

/** Sweeps everything once, as a running service does. */
async function sweepOnce(tasks: readonly SweepTask[] = sweepTasks): Promise<Map<string, number>> {
  const swept = new Map<string, number>();
  const onSwept = (task: string, count: number) => swept.set(task, (swept.get(task) ?? 0) + count);
  const options = { db: portal.db, tasks, logger, intervalMs: 3_600_000, onSwept };
  const sweeper = startSweeper(options);
  await sweeper.sweep();
  await sweeper.stop();
  return swept;
}

const count = async (table: 'identity_urls' | 'portal_sessions'): Promise<number> => {
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM ${sql.table(table)}`.execute(
    portal.db,
  );
  return rows[0]!.n;
};

describe('the sweeper', () => {
  const whole = () => ({ userEmail: portal.acme.emails.west });
  beforeEach(async () => {
    await sql`DELETE FROM identity_urls`.execute(portal.db);
    await sql`DELETE FROM portal_sessions`.execute(portal.db);
  });

  it('deletes identity URLs an hour after their end, used or not', async () => {
    const { acme, db } = portal;
    await open(await mint(portal, acme, whole()));
    await mint(portal, acme, whole());
    await sql`UPDATE identity_urls SET expires_at = now() - interval '61 minutes'`.execute(db);
    await sweepOnce();
    expect(await count('identity_urls')).toBe(0);
  });

  it('leaves URLs that can be redeemed, and those of the last hour, whose page says why', async () => {
    const { acme, db } = portal;
    const used = await mint(portal, acme, whole());
    await open(used);
    await sql`UPDATE identity_urls SET expires_at = now() - interval '59 minutes'`.execute(db);
    const fresh = await mint(portal, acme, whole());
    await sweepOnce();
    expect((await open(used)).body).toContain('used already');
    expect((await open(fresh)).status).toBe(200);
  });

  it('deletes sessions that are over and leaves those in use', async () => {
    const { acme, db } = portal;
    await startSession(portal, acme, whole());
    await sql`UPDATE portal_sessions SET touched_at = now() - interval '61 minutes'`.execute(db);
    await startSession(portal, acme, whole());
    await sweepOnce();
    expect(await count('portal_sessions')).toBe(1);
  });

  it('works through more than one batch', async () => {
    const { acme, db } = portal;
    await mint(portal, acme, whole());
    await sql`INSERT INTO identity_urls
      SELECT (jsonb_populate_record(url, jsonb_build_object(
        'token_hash', '\\x' || lpad(to_hex(n), 64, '0'), 'expires_at', now() - interval '1 day'))).*
      FROM identity_urls AS url, generate_series(1, 2500) AS n`.execute(db);
    const swept = await sweepOnce();
    expect(swept.get('identity_urls')).toBe(2_500);
    expect(await count('identity_urls')).toBe(1);
  });

  it('finishes the batch at work when it is stopped, and begins no other', async () => {
    let begun = 0;
    let finished = 0;
    const batch = async (transaction: TestPortal['db'], limit: number) => {
      begun++;
      await sql`SELECT 1`.execute(transaction);
      await delay(100);
      finished++;
      return limit;
    };
    const sweeper = startSweeper({
      db: portal.db,
      tasks: [{ name: 'endless', sweep: batch }],
      logger,
      intervalMs: 1,
    });
    await expect.poll(() => begun).toBeGreaterThan(1);
    await sweeper.stop();
    const atStop = begun;
    expect(finished).toBe(atStop);
    await delay(250);
    expect(begun).toBe(atStop);
  });

  it('goes on after a failure', async () => {
    let attempts = 0;
    const sweeper = startSweeper({
      db: portal.db,
      tasks: [{ name: 'failing', sweep: () => Promise.reject(new Error(`no ${++attempts}`)) }],
      logger,
      intervalMs: 1,
    });
    await expect.poll(() => attempts).toBeGreaterThan(2);
    await sweeper.stop();
  });
});
