import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { pruneEntries } from '../../src/access-log/service.ts';
import { listActivity, pruneActivity } from '../../src/activity-log/service.ts';
import type { UserActor } from '../../src/actor/actor.ts';
import { pruneLog } from '../../src/db/query/prune-log.ts';
import { foldRowCounts } from '../../src/db/query/row-counts.ts';
import { deleteOrganization, findOrganization } from '../../src/organizations/service.ts';
import { keyActor } from '../support/actors.ts';
import { insertAuditEntries } from '../support/audit.ts';
import { createTestOrganization, type TestOrganization } from '../support/organization.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint, open } from '../support/viewer.ts';

const oldAndNew = [
  { days: 500, email: 'old@x.example' },
  { days: 2, email: 'new@x.example' },
];

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
  for (const organization of [portal.acme, portal.globex])
    await insertAuditEntries(portal.db, organization, oldAndNew);
});
afterAll(() => portal.close());

/** Creates another organization with entries in its access log. */
async function createLoggedOrganization(entries = oldAndNew): Promise<TestOrganization> {
  const { db } = portal;
  const organization = await createTestOrganization(portal, `own-${randomUUID()}`);
  if (entries.length > 0) await insertAuditEntries(db, organization, entries);
  return organization;
}

/** Names of the tables whose rows belong to organizations. */
async function listTables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'organization_id'
      AND table_name IN (SELECT tablename FROM pg_tables WHERE schemaname = 'public')`.execute(
    portal.db,
  );
  return rows.map(({ name }) => name);
}

/** Returns the rows of an organization by table, without the tables that have none. */
async function readRows(organizationId: string): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {};
  for (const name of await listTables()) {
    const { rows } = await sql<{ text: string }>`
      SELECT row::text AS text FROM ${sql.table(name)} AS row
      WHERE organization_id = ${organizationId} ORDER BY 1`.execute(portal.db);
    if (rows.length > 0) tables[name] = rows.map(({ text }) => text);
  }
  return tables;
}

/** Returns both logs as one text. */
async function readLogs(): Promise<string> {
  const { rows } = await sql<{ logs: string }>`
    SELECT (SELECT json_agg(a ORDER BY a.id) FROM audit_entries a)::text
      || (SELECT json_agg(a ORDER BY a.id) FROM activity_entries a)::text AS logs`.execute(
    portal.db,
  );
  return rows[0]!.logs;
}

const readEmails = async (organizationId: string) => {
  const { rows } = await sql<{ user_email: string }>`
    SELECT user_email FROM audit_entries WHERE organization_id = ${organizationId}
    ORDER BY created_at`.execute(portal.db);
  return rows.map((row) => row.user_email);
};

const countPages = async (key: string) => {
  const answer = await portal.api('GET', '/api/report-audit?pageSize=1', { key });
  return answer.json().totalPages as number;
};

describe.each(['audit_entries', 'activity_entries'] as const)('the log %s', (log) => {
  it.each([
    ['UPDATE', sql`UPDATE ${sql.table(log)} SET created_at = now()`],
    ['an UPDATE that changes nothing', sql`UPDATE ${sql.table(log)} SET action = action`],
    ['DELETE', sql`DELETE FROM ${sql.table(log)}`],
    ['TRUNCATE', sql`TRUNCATE ${sql.table(log)}`],
    ['TRUNCATE … CASCADE of a referenced table', sql`TRUNCATE organizations CASCADE`],
    [
      'MERGE',
      sql`
      MERGE INTO ${sql.table(log)} AS log USING (SELECT 1) AS one ON true
      WHEN MATCHED THEN DELETE`,
    ],
  ])(`the log ${log} rejects %s`, async (_name, statement) => {
    const before = await readLogs();
    await expect(statement.execute(portal.db)).rejects.toThrow(/is append-only/);
    expect(await readLogs()).toBe(before);
  });
});

describe('the count of an entry of the activity log', () => {
  /** Causes a refusal and returns the condition that selects its entry. */
  const createRefusal = async () => {
    const subject = `${randomUUID()}@acme.example`;
    await portal.api('DELETE', `/api/user/${subject}`);
    return sql`subject = ${subject}`;
  };
  const increment = sql`count = count + 1, last_at = clock_timestamp()`;

  it('the count can grow by one', async () => {
    const isEntry = await createRefusal();
    const update = sql`UPDATE activity_entries SET ${increment} WHERE ${isEntry}`;
    expect((await update.execute(portal.db)).numAffectedRows).toBe(1n);
  });

  it.each([
    ['by two', sql`count = count + 2, last_at = clock_timestamp()`],
    ['downwards', sql`count = count - 1, last_at = clock_timestamp()`],
    ['without a time', sql`count = count + 1`],
    ['with an earlier time', sql`count = count + 1, last_at = created_at - interval '1 second'`],
    ['with another subject', sql`${increment}, subject = 'other'`],
    ['with another code', sql`${increment}, refusal = 'user_exists'`],
    ['with another creation time', sql`${increment}, created_at = now()`],
    ['without its merge key', sql`${increment}, merge_key = NULL`],
    ['with another actor', sql`${increment}, api_key_id = gen_random_uuid()`],
  ])('the count cannot be changed %s', async (_name, change) => {
    const isEntry = await createRefusal();
    const before = await readLogs();
    await expect(
      sql`UPDATE activity_entries SET ${change} WHERE ${isEntry}`.execute(portal.db),
    ).rejects.toThrow(/is append-only/);
    expect(await readLogs()).toBe(before);
  });

  it('the count of a successful operation cannot change', async () => {
    await expect(
      sql`UPDATE activity_entries SET ${increment} WHERE refusal IS NULL`.execute(portal.db),
    ).rejects.toThrow(/is append-only/);
  });
});

describe('pruning', () => {
  it('removes only entries of one organization from before the given time', async () => {
    const [own, other] = [await createLoggedOrganization(), await createLoggedOrganization()];
    const before = await countPages(own.apiKey);
    expect(await pruneEntries(own.ctx, new Date(Date.now() - 400 * 86_400_000))).toBe(1);
    expect(await readEmails(own.id)).toEqual(['new@x.example']);
    expect(await readEmails(other.id)).toEqual(['old@x.example', 'new@x.example']);
    expect(await countPages(own.apiKey)).toBe(before - 1);
    expect(await pruneActivity(own.ctx, new Date(0))).toBe(0);
  });

  it('permits no other deletion, not even in its own transaction', async () => {
    const { acme, db } = portal;
    const before = await readLogs();
    const work = db.transaction().execute(async (transaction) => {
      await pruneLog(transaction, 'audit_entries', acme.id, 'infinity');
      await sql`DELETE FROM audit_entries`.execute(transaction);
    });
    await expect(work).rejects.toThrow(/is append-only/);
    expect(await readLogs()).toBe(before);
    await expect(sql`DELETE FROM audit_entries`.execute(db)).rejects.toThrow(/is append-only/);
  });

  it('is recorded with its time and the number of entries', async () => {
    const { id, ctx } = await createLoggedOrganization();
    const [beforeAudit, beforeActivity] = [new Date(Date.now() - 400 * 86_400_000), new Date(0)];
    await pruneEntries(ctx, beforeAudit);
    const entry = { subject: id, refusal: null };
    const pruneAudit = {
      ...entry,
      action: 'pruneAudit',
      details: { before: beforeAudit.toISOString(), pruned: 1 },
    };
    expect(await listActivity(ctx, { limit: 1 })).toMatchObject([pruneAudit]);
    await pruneActivity(ctx, beforeActivity);
    expect(await listActivity(ctx, { limit: 2 })).toMatchObject([
      {
        ...entry,
        action: 'pruneActivity',
        details: { before: beforeActivity.toISOString(), pruned: 0 },
      },
      pruneAudit,
    ]);
    const everything = new Date(Date.now() + 60_000);
    const pruned = await pruneActivity(ctx, everything);
    expect(await listActivity(ctx, { limit: 2 })).toMatchObject([
      { details: { before: everything.toISOString(), pruned } },
    ]);
    expect(pruned).toBeGreaterThan(2);
  });

  it('is not available to API keys', async () => {
    const asKey = { ...portal.acme.ctx, actor: keyActor(portal.acme.id) };
    await expect(pruneEntries(asKey, new Date())).rejects.toMatchObject({
      code: 'missing_permission',
    });
    await expect(pruneActivity(asKey, new Date())).rejects.toMatchObject({
      code: 'missing_permission',
    });
  });
});

it('an administrator can neither prune the logs nor delete the organization', async () => {
  const { ctx, id } = portal.acme;
  const before = await readLogs();
  const actor: UserActor = { kind: 'user', id: randomUUID(), email: 'ada@acme.example', role: 1 };
  const asAdministrator = { ...ctx, actor };
  for (const change of [
    () => pruneEntries(asAdministrator, new Date()),
    () => pruneActivity(asAdministrator, new Date()),
    () => deleteOrganization(asAdministrator),
  ])
    await expect(change()).rejects.toMatchObject({ code: 'missing_permission' });
  expect(await readLogs()).toBe(before);
  expect(await findOrganization(portal.db, 'acme')).toBe(id);
});

describe('deleting an organization', () => {
  it('a plain DELETE of an organization is rejected while its access log has entries', async () => {
    const { globex, db } = portal;
    const statement = sql`DELETE FROM organizations WHERE id = ${globex.id}`;
    await expect(statement.execute(db)).rejects.toThrow(/is append-only/);
    expect(await readEmails(globex.id)).toHaveLength(2);
  });

  it('an operator who deletes an organization removes everything except the entry of the deletion', async () => {
    const { db } = portal;
    const deleted = await createLoggedOrganization();
    const kept = await createLoggedOrganization();
    for (const organization of [deleted, kept]) {
      const { emails, reportId } = organization;
      await open(await mint(portal, organization, { userEmail: emails.west }));
      await mint(portal, organization, { userEmail: emails.west, reportId });
    }
    await foldRowCounts(db, 100_000);
    const before = await readRows(kept.id);
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining(['api_keys', 'identity_urls', 'portal_sessions', 'audit_entries']),
    );
    expect((await listTables()).length).toBeGreaterThan(10);
    await deleteOrganization(deleted.ctx);
    // Otherwise the sweeper would remove the changes of its row counts later.
    await foldRowCounts(db, 100_000);

    const left = await readRows(deleted.id);
    expect(left).toEqual({ activity_entries: [expect.any(String)] });
    expect((await portal.api('GET', '/api/user', { key: deleted.apiKey })).status).toBe(401);
    // Nothing of another organization has changed.
    expect(await readRows(kept.id)).toEqual(before);
  });

  it('an organization that is deleted during mints and openings leaves nothing behind', async () => {
    const { db } = portal;
    const deleted = await createLoggedOrganization([]);
    const statuses = new Set<number>();
    const opened = new Set<number>();
    const mintUntilDeleted = async () => {
      const {
        apiKey: key,
        address: baseUrl,
        id: organizationId,
        reportId,
        emails: names,
      } = deleted;
      for (;;)
        for (const userEmail of [names.west, names.east, names.both])
          for (const report of [{}, { organizationId, reportId }]) {
            const json = { userEmail, baseUrl, ...report };
            const answer = await portal.api('POST', '/api/identity/url', { key, json });
            statuses.add(answer.status);
            if (answer.status === 200) opened.add((await open(answer.json().embedUrl)).status);
            // The key was deleted.
            if (answer.status === 401) return;
          }
    };
    const minting = Promise.all(Array.from({ length: 8 }, mintUntilDeleted));
    while (!opened.has(200)) await delay(5);
    await deleteOrganization(deleted.ctx);
    await minting;
    // 404: the key was checked before its deletion.
    for (const status of statuses) expect([200, 401, 404]).toContain(status);
    // 410: the URL was deleted before it was opened.
    for (const status of opened) expect([200, 410]).toContain(status);
    const { rows } = await sql<{ n: number }>`
      SELECT (SELECT count(*) FROM identity_urls WHERE organization_id = ${deleted.id})
        + (SELECT count(*) FROM audit_entries WHERE organization_id = ${deleted.id})
        + (SELECT count(*) FROM activity_entries
           WHERE organization_id = ${deleted.id} AND refusal IS NULL) AS n`.execute(db);
    // Only the entry of the deletion is left.
    expect(rows[0]!.n).toBe(1);
  });
});
