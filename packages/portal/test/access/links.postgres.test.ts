import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { createGroup } from '../../src/access/create-group.ts';
import { listReportUsers } from '../../src/access/report-holders-store.ts';
import { linkGroupReports, unlinkGroupReports } from '../../src/access/report-links.ts';
import { linkReports, unlinkReports } from '../../src/access/report-links.ts';
import { linkGroups, linkUsers, unlinkGroups, unlinkUsers } from '../../src/access/role-links.ts';
import { lockRole } from '../../src/access/roles-store.ts';
import type { Database } from '../../src/db/connection/open.ts';
import { lockExisting } from '../../src/db/query/links.ts';
import { addMembers, removeMembers } from '../../src/groups/service.ts';
import { lockGroup } from '../../src/groups/store.ts';
import { lockUser, lockUsers } from '../../src/users/store.ts';
import { addItems } from '../support/items.ts';
import { countLockWaits } from '../support/lock-waits.ts';
import { type TestOrganization } from '../support/organization.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

it.each(['reports', 'groups'] as const)(
  'rows of %s that a transaction links cannot be deleted until it ends',
  async (table) => {
    const { acme, db } = portal;
    const id = table === 'reports' ? acme.groupReportId : acme.groupId;
    const outcomes: string[] = [];
    let deleting: Promise<unknown> | undefined;
    await db.transaction().execute(async (transaction) => {
      expect(await lockExisting(transaction, table, acme.id, [id])).toEqual(new Set([id]));
      deleting = sql`DELETE FROM ${sql.table(table)} WHERE id = ${id}`
        .execute(db)
        .then(() => outcomes.push('deleted'));
      await expect.poll(() => countLockWaits(db)).toBe(1);
      outcomes.push('linked');
    });
    await deleting;
    expect(outcomes).toEqual(['linked', 'deleted']);
  },
);

it('a page of roles counts each user twice, for the ID and the e-mail', async () => {
  const { acme, db } = portal;
  await sql`
    INSERT INTO users (organization_id, id, email, email_key, name, role,
      can_edit_report, can_create_report, can_overwrite_report)
    SELECT ${acme.id}::uuid, gen_random_uuid(), 'holder' || n || '@acme.example',
      'holder' || n || '@acme.example', 'Holder', 3, false, false, false
    FROM generate_series(1, 252) AS n`.execute(db);
  await sql`
    INSERT INTO rls_roles (organization_id, id, dataset_id, name, predicate)
    SELECT organization_id, gen_random_uuid(), id, 'Crowded ' || n, '"all"'
    FROM datasets, generate_series(1, 200) AS n WHERE organization_id = ${acme.id}`.execute(db);
  await db.transaction().execute(async (transaction) => {
    // Checking the foreign keys of 50,400 links takes many seconds.
    await sql`SET LOCAL session_replication_role = replica`.execute(transaction);
    await sql`
      INSERT INTO rls_role_users (organization_id, role_id, user_id)
      SELECT organization_id, rls_roles.id, users.id
      FROM rls_roles JOIN users USING (organization_id)
      WHERE rls_roles.name LIKE 'Crowded %' AND users.email LIKE 'holder%'`.execute(transaction);
  });
  const refused = await portal.api('GET', '/api/datasets/rls?pageSize=200');
  expect([refused.status, refused.json().errors?.[0].path]).toEqual([400, 'pageSize']);
});

it.each(['reports', 'groups'] as const)(
  'the %s of another organization do not exist for a link',
  async (table) => {
    const { acme, globex, db } = portal;
    const id = table === 'reports' ? globex.reportId : globex.groupId;
    expect(await lockExisting(db, table, globex.id, [id])).toEqual(new Set([id]));
    expect(await lockExisting(db, table, acme.id, [id])).toEqual(new Set());
  },
);

it.each<[string, string, (db: Database, of: TestOrganization) => Promise<unknown>, string]>([
  ['one user', 'users', (db, { id, emails }) => lockUser(db, id, emails.west), 'west'],
  ['several users', 'users', (db, { id, emails }) => lockUsers(db, id, [emails.west]), 'west'],
  ['a group', 'groups', (db, { id }) => lockGroup(db, id, 'Leads'), 'Leads'],
  [
    'a role',
    'rls_roles',
    (db, { id, datasetId }) => lockRole(db, id, { datasetId, name: 'West' }),
    'West',
  ],
  [
    'a report',
    'reports',
    (db, { id, reportId }) => lockExisting(db, 'reports', id, [reportId]),
    'Orders',
  ],
])(
  'a transaction that links %s keeps others from deleting it, not from linking it',
  async (_what, table, lock, name) => {
    const { globex, db } = portal;
    const countUnlocked = async (strength: 'KEY SHARE' | 'UPDATE') => {
      const { rows } = await sql`
        SELECT name FROM ${sql.table(table)} WHERE organization_id = ${globex.id} AND name = ${name}
        FOR ${sql.raw(strength)} SKIP LOCKED`.execute(db);
      return rows.length;
    };
    await db.transaction().execute(async (transaction) => {
      await lock(transaction, globex);
      expect([await countUnlocked('KEY SHARE'), await countUnlocked('UPDATE')]).toEqual([1, 0]);
    });
  },
);

const first = '00000000-0000-4000-8000-000000000001';
const last = 'ffffffff-ffff-4fff-bfff-ffffffffffff';

/** Expects `lock` to lock the row `first` while it waits for the row `last`. */
async function expectOrder(table: string, lock: (db: Database) => Promise<unknown>): Promise<void> {
  const { db } = portal;
  const { locking } = await db.transaction().execute(async (other) => {
    await sql`SELECT FROM ${sql.table(table)} WHERE id = ${last} FOR UPDATE`.execute(other);
    const waiting = db.transaction().execute(lock);
    await expect.poll(() => countLockWaits(db)).toBe(1);
    const { rows } = await sql`
      SELECT id FROM ${sql.table(table)} WHERE id = ${first} FOR UPDATE SKIP LOCKED`.execute(db);
    expect(rows).toEqual([]);
    return { locking: waiting };
  });
  await locking;
}

it('users are locked in the order of their ids, so that changes of their links cannot deadlock', async () => {
  const { globex, db } = portal;
  const emails = ['a@order.example', 'b@order.example'];
  await sql`
    INSERT INTO users (organization_id, id, email, email_key, name, role,
      can_edit_report, can_create_report, can_overwrite_report)
    SELECT ${globex.id}::uuid, id, email, email, 'Order', 3, false, false, false
    FROM unnest(${[last, first]}::uuid[], ${emails}::text[]) AS made (id, email)`.execute(db);
  await expectOrder('users', (transaction) => lockUsers(transaction, globex.id, emails));
});

it('reports are locked in the order of their ids, so that changes of their links cannot deadlock', async () => {
  const { globex } = portal;
  for (const id of [last, first])
    await addItems(globex.ctx, portal.datasetFolder, {
      reports: { [id]: { id, dataset: 'sales' } },
    });
  await expectOrder('reports', (transaction) =>
    lockExisting(transaction, 'reports', globex.id, [last, first]),
  );
});

it('removing one link of a user, group or role keeps all others', async () => {
  const { ctx, datasetId, emails, groupId, groupReportId, reportId } = portal.globex;
  const reports = [reportId, groupReportId];
  const usersEmails = [emails.west, emails.east];
  const memberEmails = usersEmails;
  const night = await createGroup(ctx, { name: 'Night', memberEmails, reports });
  await addMembers(ctx, { group: 'Leads', memberEmails });
  await linkGroupReports(ctx, { group: 'Leads', reports });
  for (const userEmail of usersEmails) await linkReports(ctx, { userEmail, reports });
  for (const role of ['West', 'East']) {
    await linkUsers(ctx, { datasetId, role, usersEmails });
    await linkGroups(ctx, { datasetId, role, groups: [groupId, night] });
  }

  const links = sql.join(
    ['group_members', 'report_users', 'report_groups', 'rls_role_users', 'rls_role_groups'].map(
      (table) => sql`SELECT ${sql.lit(table)} AS name, to_jsonb(link) - 'organization_id' AS link
        FROM ${sql.table(table)} AS link WHERE organization_id = ${ctx.organizationId}`,
    ),
    sql` UNION ALL `,
  );
  const readLinks = async () => {
    const { rows } = await sql<{ text: string }>`
      SELECT name || ' ' || link AS text FROM (${links}) AS links`.execute(portal.db);
    return rows.map(({ text }) => text);
  };
  const role = { datasetId, role: 'West' };
  for (const [name, remove] of [
    ['group_members', () => removeMembers(ctx, { group: 'Night', memberEmails: [emails.west] })],
    ['report_users', () => unlinkReports(ctx, { userEmail: emails.west, reports: [reportId] })],
    ['report_groups', () => unlinkGroupReports(ctx, { group: 'Night', reports: [reportId] })],
    ['rls_role_users', () => unlinkUsers(ctx, { ...role, usersEmails: [emails.west] })],
    ['rls_role_groups', () => unlinkGroups(ctx, { ...role, groups: [night] })],
  ] as const) {
    const before = await readLinks();
    await remove();
    const after = await readLinks();
    const removed = before.filter((link) => !after.includes(link));
    expect([after.length, removed]).toEqual([
      before.length - 1,
      [expect.stringMatching(new RegExp(`^${name} `))],
    ]);
  }
});

it('the users of a report are in the order of their e-mails and found by a search, even if there are many', async () => {
  const { globex, db } = portal;
  await db.transaction().execute(async (transaction) => {
    // Checking the foreign keys of many links takes seconds.
    await sql`SET LOCAL session_replication_role = replica`.execute(transaction);
    await sql`
      WITH made AS (
        INSERT INTO users (organization_id, id, email, email_key, name, role,
          can_edit_report, can_create_report, can_overwrite_report)
        SELECT ${globex.id}::uuid, gen_random_uuid(), email, email, 'Reader', 3, false, false, false
        FROM generate_series(1, 10001) AS n, format('reader%s@globex.example', n + 10000) AS email
        RETURNING organization_id, id
      )
      INSERT INTO report_users (organization_id, report_id, user_id)
      SELECT organization_id, ${globex.reportId}, id FROM made`.execute(transaction);
  });
  await sql`ANALYZE users, report_users`.execute(db);
  const list = async (page: number, search = '') => {
    const { total, rows } = await listReportUsers(db, globex.id, globex.reportId, { page, search });
    return { total, emails: rows.map(({ email }) => email) };
  };
  const { both, east, none } = globex.emails;
  const pageOne = await list(1);
  expect(pageOne.total).toBeGreaterThan(10_000);
  expect(pageOne.emails.slice(0, 4)).toEqual([both, east, none, 'reader10001@globex.example']);
  expect((await list(2)).emails[0]).toBe(
    `reader${10_001 + pageOne.emails.length - 3}@globex.example`,
  );
  expect(await list(1, 'reader2000')).toEqual({
    total: 2,
    emails: ['reader20000@globex.example', 'reader20001@globex.example'],
  });
});
