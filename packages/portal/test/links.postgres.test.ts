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
