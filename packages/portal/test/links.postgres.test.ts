import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { lockExisting } from '../src/db/query/links.ts';
import { countLockWaits } from './support/lock-waits.ts';
import { startTestPortal, type TestPortal } from './support/portal.ts';

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
    SELECT organization_id, gen_random_uuid(), id, 'Crowded ' || n, '{"all":[]}'
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
