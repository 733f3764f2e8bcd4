import { sql } from 'kysely';
import { send } from 'test-support';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { foldRowCounts } from '../../src/db/query/row-counts.ts';
import {
  deleteOldIdentityUrls,
  deleteIdleSessions,
  expireMintEntries,
} from '../../src/jobs/store.ts';
import { createSweepTasks, startSweeper, type SweepTask } from '../../src/jobs/sweeper.ts';
import { createLogger } from '../../src/logger.ts';
import { setLogRetention } from '../../src/organizations/service.ts';
import { sha256 } from '../../src/secrets.ts';
import { setOidc } from '../../src/sign-in/oidc/provider-settings.ts';
import { signInAs } from '../support/admin.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { startScriptedProvider } from '../support/scripted-provider.ts';
import { mint, open, startSession } from '../support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const logger = createLogger('silent');

/** Sweeps everything once, as a running service does. */
async function sweepOnce(
  tasks: readonly SweepTask[] = createSweepTasks({ mintLogDays: 90 }),
): Promise<Map<string, number>> {
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

  it('deletes identity URLs an hour after they expire, used or not', async () => {
    const { acme, db } = portal;
    await open(await mint(portal, acme, whole()));
    await mint(portal, acme, whole());
    await sql`UPDATE identity_urls SET expires_at = now() - interval '61 minutes'`.execute(db);
    await sweepOnce();
    expect(await count('identity_urls')).toBe(0);
  });

  it('keeps URLs that can be redeemed, and expired ones for an hour, whose page gives the reason', async () => {
    const { acme, db } = portal;
    const used = await mint(portal, acme, whole());
    await open(used);
    await sql`UPDATE identity_urls SET expires_at = now() - interval '59 minutes'`.execute(db);
    const fresh = await mint(portal, acme, whole());
    await sweepOnce();
    expect((await open(used)).body).toContain('used already');
    expect((await open(fresh)).status).toBe(200);
  });

  it('deletes sessions an hour after their last use, and no others', async () => {
    const { acme, db } = portal;
    const start = async (idle: string) => {
      const { bearer } = await startSession(portal, acme, whole());
      await sql`UPDATE portal_sessions SET touched_at = now() - ${idle}::interval
        WHERE bearer_hash = ${sha256(bearer)}`.execute(db);
      return sha256(bearer).toString('hex');
    };
    await start('61 minutes');
    const kept = [await start('59 minutes'), await start('29 minutes'), await start('0 minutes')];
    await sweepOnce();
    const { rows } = await sql<{ hash: string }>`
      SELECT encode(bearer_hash, 'hex') AS hash FROM portal_sessions`.execute(db);
    expect(rows.map(({ hash }) => hash).toSorted()).toEqual(kept.toSorted());
  });

  it('keeps an old session that is in use', async () => {
    const { acme, db } = portal;
    const { bearer } = await startSession(portal, acme, whole());
    await sql`UPDATE portal_sessions SET created_at = now() - interval '9 hours',
      touched_at = now() - interval '29 minutes'`.execute(db);
    await sweepOnce();
    const headers = { authorization: `Bearer ${bearer}` };
    expect((await send(`${acme.address}/viewer/reports`, { headers })).status).toBe(200);
  });

  it('deletes sessions of the administration an hour after their last use, and no others', async () => {
    const { acme, db } = portal;
    for (const name of ['idle', 'busy']) await signInAs(portal, acme, 1, `${name}@sweep.example`);
    await sql`UPDATE admin_sessions SET created_at = now() - interval '9 hours',
        touched_at = now() - CASE name WHEN 'idle@sweep.example' THEN 61 ELSE 59 END * interval '1 minute'
      FROM admin_accounts JOIN users ON users.id = user_id
      WHERE admin_accounts.id = account_id`.execute(db);
    await sweepOnce();
    const { rows } = await sql<{ email: string }>`
      SELECT email FROM admin_sessions JOIN admin_accounts ON admin_accounts.id = account_id
      JOIN users ON users.id = user_id`.execute(db);
    expect(rows).toEqual([{ email: 'busy@sweep.example' }]);
  });

  it('deletes attempts to sign in and unfinished sign-ins of more than an hour ago', async () => {
    const { acme, db } = portal;
    const { issuer } = await startScriptedProvider();
    const provider = { issuer, clientId: 'portal', passwords: true, trustEmails: false };
    await setOidc(acme.ctx, provider);
    const ages = sql`(VALUES (59), (61)) AS ages (minutes)`;
    // The count and the nonce have the age in minutes, so that the rows are told apart.
    await sql`INSERT INTO sign_in_attempts (key, attempts, expires_at)
      SELECT sha256(minutes::text::bytea), minutes, now() - minutes * interval '1 minute'
      FROM ${ages}`.execute(db);
    await sql`INSERT INTO admin_oidc_flows
        (state_hash, browser_hash, provider_id, nonce, verifier, created_at)
      SELECT sha256(minutes::text::bytea), '', id, minutes, '', now() - minutes * interval '1 minute'
      FROM ${ages}, organization_oidc`.execute(db);
    await sweepOnce();
    const { rows } = await sql`SELECT attempts::text AS minutes FROM sign_in_attempts
      WHERE expires_at < now() UNION ALL SELECT nonce FROM admin_oidc_flows`.execute(db);
    expect(rows).toEqual([{ minutes: '59' }, { minutes: '59' }]);
  });

  describe('for the activity log', () => {
    const ageMints = (interval: string) =>
      portal.db.transaction().execute(async (transaction) => {
        // The log's triggers reject changes, so the test disables them.
        await sql`ALTER TABLE activity_entries DISABLE TRIGGER USER`.execute(transaction);
        await sql`UPDATE activity_entries SET created_at = now() - ${interval}::interval`.execute(
          transaction,
        );
        await sql`ALTER TABLE activity_entries ENABLE TRIGGER USER`.execute(transaction);
      });
    const readEntries = async () => {
      const { rows } = await sql<{ entry: string }>`
        SELECT action || coalesce(' ' || refusal, '') AS entry
        FROM activity_entries ORDER BY id`.execute(portal.db);
      return rows.map(({ entry }) => entry);
    };

    it('removes successful mints from the activity log after 90 days, and nothing else', async () => {
      const { acme } = portal;
      await mint(portal, acme, whole());
      await portal.api('POST', '/api/identity/url', { json: { userEmail: 'nobody@x.example' } });
      await ageMints('91 days');
      await mint(portal, acme, whole());
      const before = await readEntries();
      expect(before).toContain('mintIdentityUrl user_not_found');
      const swept = await sweepOnce();
      const others = before.filter((entry) => entry !== 'mintIdentityUrl');
      expect(await readEntries()).toEqual([...others, 'mintIdentityUrl']);
      expect(swept.get('activity_entries')).toBe(before.length - others.length - 1);
    });

    it('keeps mints of 89 days in the activity log, and all mints with mintLogDays 0', async () => {
      await mint(portal, portal.acme, whole());
      await ageMints('89 days');
      const before = await readEntries();
      await sweepOnce();
      await ageMints('900 days');
      await sweepOnce(createSweepTasks({ mintLogDays: 0 }));
      expect(await readEntries()).toEqual(before);
    });
  });

  it('removes entries of both logs that their organization no longer keeps, and no others', async () => {
    const { acme, globex, db } = portal;
    const ages = sql`(VALUES (9), (11), (99)) AS ages (days)`;
    const before = sql`now() - days * interval '1 day'`;
    for (const { id, reportId } of [acme, globex]) {
      await sql`INSERT INTO audit_entries (organization_id, user_id, user_email, user_email_key,
          report_id, report_name, action, created_at)
        SELECT ${id}, gen_random_uuid(), 'old@x.example', 'old@x.example', ${reportId}, 'Orders', 1, ${before}
        FROM ${ages}`.execute(db);
      await sql`INSERT INTO activity_entries (organization_id, user_id, user_email, action, subject, created_at)
        SELECT ${id}, gen_random_uuid(), 'old@x.example', 'old', days, ${before} FROM ${ages}`.execute(
        db,
      );
    }
    const listDays = async (log: string, { id }: { id: string }) => {
      const { rows } = await sql<{ days: number }>`
        SELECT extract(day FROM now() - created_at)::int AS days FROM ${sql.table(log)} AS entries
        WHERE organization_id = ${id} AND to_jsonb(entries)->>'user_email' = 'old@x.example'
        ORDER BY days`.execute(db);
      return rows.map(({ days }) => days);
    };
    await setLogRetention(acme.ctx, { accessLogDays: 10, activityLogDays: undefined });
    await sweepOnce();
    expect(await listDays('audit_entries', acme)).toEqual([9]);
    expect(await listDays('activity_entries', acme)).toEqual([9, 11, 99]);
    await setLogRetention(acme.ctx, { accessLogDays: null, activityLogDays: 10 });
    await sweepOnce();
    expect(await listDays('activity_entries', acme)).toEqual([9]);
    for (const log of ['audit_entries', 'activity_entries'])
      expect(await listDays(log, globex)).toEqual([9, 11, 99]);
  });

  it('works through more than one batch', async () => {
    const { acme, db } = portal;
    await mint(portal, acme, whole());
    await sql`INSERT INTO identity_urls
      SELECT (jsonb_populate_record(url, jsonb_build_object(
        'token_hash', '\\x' || lpad(to_hex(n), 64, '0'), 'expires_at', now() - interval '1 day'))).*
      FROM identity_urls AS url, generate_series(1, 2500) AS n`.execute(db);
    const batches: number[] = [];
    const tasks = createSweepTasks({ mintLogDays: 0 }).map(({ name, sweep }) => ({
      name,
      sweep: async (transaction: TestPortal['db'], limit: number) => {
        const swept = await sweep(transaction, limit);
        if (name === 'identity_urls' && swept > 0) batches.push(swept);
        return swept;
      },
    }));
    const swept = await sweepOnce(tasks);
    expect(batches).toEqual([1_000, 1_000, 500]);
    expect(swept.get('identity_urls')).toBe(2_500);
    expect(await count('identity_urls')).toBe(1);
  });

  it('limits the number of rows in a batch of each task', async () => {
    const { acme, db } = portal;
    const age = sql`now() - interval '1 day'`;
    for (const _ of [1, 2]) await startSession(portal, acme, whole());
    await sql`UPDATE identity_urls SET expires_at = ${age}`.execute(db);
    await sql`UPDATE portal_sessions SET touched_at = ${age}`.execute(db);
    for (const sweep of [deleteOldIdentityUrls, deleteIdleSessions])
      expect([await sweep(db, 1), await sweep(db, 5), await sweep(db, 5)]).toEqual([1, 1, 0]);
    await foldRowCounts(db, 1_000_000);
    for (const name of ['one', 'two'])
      await portal.api('POST', '/api/user', {
        json: { email: `${name}@fold.example`, name, role: 3 },
      });
    expect([await foldRowCounts(db, 1), await foldRowCounts(db, 5)]).toEqual([1, 1]);
    await expireMintEntries(db, { days: 0, limit: 1_000_000 });
    for (const _ of [1, 2]) await mint(portal, acme, whole());
    const expire = (limit: number) => expireMintEntries(db, { days: 0, limit });
    expect([await expire(1), await expire(5)]).toEqual([1, 1]);
  });

  it('deletes the oldest rows first', async () => {
    const { acme, db } = portal;
    for (const days of [2, 3]) {
      await startSession(portal, acme, whole());
      const age = sql`now() - ${days}::integer * interval '1 day'`;
      await sql`UPDATE identity_urls SET expires_at = ${age} WHERE expires_at > now()`.execute(db);
      await sql`UPDATE portal_sessions SET touched_at = ${age}
        WHERE touched_at > now() - interval '1 hour'`.execute(db);
    }
    await deleteOldIdentityUrls(db, 1);
    await deleteIdleSessions(db, 1);
    const { rows } = await sql<{ days: number }>`
      SELECT extract(day FROM now() - expires_at)::int AS days FROM identity_urls
      UNION ALL SELECT extract(day FROM now() - touched_at)::int FROM portal_sessions`.execute(db);
    expect(rows).toEqual([{ days: 2 }, { days: 2 }]);
  });

  it('finishes the current batch when it is stopped, and starts no other', async () => {
    let begun = 0;
    let finished = 0;
    let succeeded = 0;
    let finish = () => {};
    const held = new Promise<void>((resolve) => (finish = resolve));
    const batch = async (transaction: TestPortal['db'], limit: number) => {
      begun++;
      await sql`SELECT 1`.execute(transaction);
      if (begun === 2) await held;
      finished++;
      return limit;
    };
    const sweeper = startSweeper({
      db: portal.db,
      tasks: [{ name: 'endless', sweep: batch }],
      logger,
      intervalMs: 1,
      onSuccess: () => (succeeded += 1),
    });
    await expect.poll(() => begun).toBe(2);
    const stopped = sweeper.stop();
    finish();
    await stopped;
    expect([begun, finished]).toEqual([2, 2]);
    // A sweep requested after stop starts no batch either.
    const atStop = begun;
    await sweeper.sweep();
    expect(begun).toBe(atStop);
    expect(succeeded).toBe(0);
  });

  it('calls onSuccess after a complete sweep, not after a failure', async () => {
    const outcomes: string[] = [];
    const sweepWith = async (sweep: SweepTask['sweep']) => {
      const sweeper = startSweeper({
        db: portal.db,
        tasks: [{ name: 'task', sweep }],
        logger,
        intervalMs: 3_600_000,
        onSuccess: () => outcomes.push('success'),
      });
      await sweeper.sweep().catch(() => outcomes.push('failure'));
      await sweeper.stop();
    };
    await sweepWith(() => Promise.reject(new Error('broken')));
    expect(outcomes).toEqual(['failure']);
    await sweepWith(async () => 0);
    expect(outcomes).toContain('success');
  });

  it('continues after a failure', async () => {
    let attempts = 0;
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const sweeper = startSweeper({
      db: portal.db,
      tasks: [{ name: 'failing', sweep: () => Promise.reject(new Error(`no ${++attempts}`)) }],
      logger: createLogger('warn', destination),
      intervalMs: 1,
    });
    await expect.poll(() => attempts).toBeGreaterThan(2);
    await sweeper.stop();
    expect(lines[0]).toMatch(/no 1.*sweeping failed/);
  });

  it('changes in the row counts of a deleted organization are dropped', async () => {
    const { db } = portal;
    await foldRowCounts(db, 1_000_000);
    await sql`
      INSERT INTO row_count_changes (organization_id, list, hour, change) VALUES
        (gen_random_uuid(), 'users', NULL, 1),
        (gen_random_uuid(), 'audit_entries', date_trunc('hour', now()), 1)`.execute(db);
    expect([await foldRowCounts(db, 10), await foldRowCounts(db, 10)]).toEqual([2, 0]);
  });

  it('the tasks of the sweeper are named after their tables', () => {
    const namesOf = (mintLogDays: number) =>
      createSweepTasks({ mintLogDays }).map(({ name }) => name);
    const always = [
      'identity_urls',
      'portal_sessions',
      'admin_sessions',
      'sign_in_attempts',
      'admin_oidc_flows',
      'row_count_changes',
      'audit_entries',
      'activity_entries',
    ];
    expect(namesOf(0)).toEqual(always);
    expect(namesOf(1)).toEqual([...always, 'activity_entries']);
  });

  it('onSwept is not called for a task without rows', async () => {
    const tasks = [
      { name: 'none', sweep: async () => 0 },
      { name: 'one', sweep: async () => 1 },
    ];
    expect([...(await sweepOnce(tasks)).keys()]).toEqual(['one']);
  });
});
