import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { countByDay } from '../../src/access-log/store.ts';
import type { Database } from '../../src/db/connection/open.ts';
import { foldRowCounts } from '../../src/db/query/row-counts.ts';
import { changeSettings } from '../../src/organizations/service.ts';
import { insertAuditEntries } from '../support/audit.ts';
import { createTestOrganization } from '../support/organization.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

describe('the access log by day', () => {
  const timeZone = 'Pacific/Kiritimati';
  /** @param zone default: 14 hours ahead of UTC */
  async function createDaily(zone = timeZone) {
    const organization = await createTestOrganization(portal, `daily-${randomUUID()}`);
    const look = {
      name: 'Daily',
      language: null,
      homeUrl: null,
      unappliedFilters: 'note',
    } as const;
    await changeSettings(organization.ctx, { ...look, timeZone: zone });
    return organization;
  }
  /** Runs `work` in one transaction, so that the current day stays the same. */
  const onOneDay = (work: (db: Database) => Promise<void>) => portal.db.transaction().execute(work);
  const midnight = new Date().setUTCHours(0, 0, 0, 0);
  const daysAgo = (days: number, hour: number, minute = 0) =>
    new Date(midnight + ((hour - days * 24) * 60 + minute) * 60_000);
  const dayOf = (time: Date) => time.toISOString().slice(0, 10);
  const insertRefusal = (
    db: Database,
    organizationId: string,
    { at, lastAt = null, count = 1, refusal = 'user_not_found' }: Refusal,
  ) =>
    sql`INSERT INTO activity_entries
        (organization_id, created_at, last_at, operator, action, subject, count, refusal)
      VALUES (${organizationId}, ${at}, ${lastAt}, 'olivia', 'deleteUser', 'x', ${count}, ${refusal})`.execute(
      db,
    );
  interface Refusal {
    at: Date;
    lastAt?: Date | null;
    count?: number;
    refusal?: string | null;
  }
  const withoutZeros = (days: { day: string; count: number }[]) =>
    days.filter(({ count }) => count !== 0).map(({ day, count }) => [day, count]);

  it('counts openings of one organization in its time zone, before and after the counts are folded', async () => {
    const organization = await createDaily();
    const { id } = organization;
    await onOneDay(async (db) => {
      const insert = (of: { id: string; reportId: string }, times: Date[]) =>
        insertAuditEntries(
          db,
          of,
          times.map((at) => ({ email: 'daily@x.example', at })),
        );
      const count = async () => withoutZeros((await countByDay(db, id)).opened);
      // Noon in UTC is two o'clock of the next day.
      await insert(organization, [daysAgo(10, 12), daysAgo(10, 12), daysAgo(5, 9)]);
      await insert(portal.globex, [daysAgo(10, 12)]);
      const [early, late] = [dayOf(daysAgo(9, 0)), dayOf(daysAgo(5, 0))];
      expect(await count()).toEqual([
        [early, 2],
        [late, 1],
      ]);
      await foldRowCounts(db, 1_000_000);
      await insert(organization, [daysAgo(5, 9)]);
      expect(await count()).toEqual([
        [early, 2],
        [late, 2],
      ]);
    });
  });

  it('counts neither exports nor viewings as another user', async () => {
    const organization = await createDaily('Asia/Kolkata');
    await onOneDay(async (db) => {
      // 18:40 in UTC is 00:10 in Kolkata, but entries count at the start of their UTC hour: 23:30 the day before.
      const at = daysAgo(10, 18, 40);
      for (const action of [1, 1, 1, 2, 3])
        await insertAuditEntries(db, organization, [{ email: 'daily@x.example', at, action }]);
      const read = async () => withoutZeros((await countByDay(db, organization.id)).opened);
      const expected = [[dayOf(daysAgo(10, 0)), 3]];
      expect(await read()).toEqual(expected);
      const other = { id: portal.globex.id, reportId: organization.reportId };
      for (const action of [2, 3])
        await insertAuditEntries(db, other, [{ email: 'daily@x.example', at, action }]);
      await foldRowCounts(db, 1_000_000);
      expect(await read()).toEqual(expected);
    });
  });

  it('counts equal refusals of one organization on the day of the last one', async () => {
    const { id } = await createDaily();
    await onOneDay(async (db) => {
      await insertRefusal(db, id, { at: daysAgo(10, 12), count: 3 });
      await insertRefusal(db, id, { at: daysAgo(10, 12) });
      await insertRefusal(db, id, { at: daysAgo(10, 12), refusal: null });
      await insertRefusal(db, portal.globex.id, { at: daysAgo(10, 12) });
      // The day ends at ten o'clock in UTC.
      await insertRefusal(db, id, { at: daysAgo(5, 9, 58), lastAt: daysAgo(5, 10, 2), count: 2 });
      expect(withoutZeros((await countByDay(db, id)).refused)).toEqual([
        [dayOf(daysAgo(9, 0)), 4],
        [dayOf(daysAgo(4, 0)), 2],
      ]);
    });
  });

  it('includes the first moment of its 30 days', async () => {
    const organization = await createDaily();
    await onOneDay(async (db) => {
      const { rows } = await sql<{ at: Date }>`
        SELECT (date_trunc('day', now() AT TIME ZONE ${timeZone}) - interval '29 days')
          AT TIME ZONE ${timeZone} AS at`.execute(db);
      const { at } = rows[0]!;
      await insertAuditEntries(db, organization, [{ email: 'first@x.example', at }]);
      await insertRefusal(db, organization.id, { at });
      const { opened, refused } = await countByDay(db, organization.id);
      expect([opened.length, opened[0]!.count, refused[0]!.count]).toEqual([30, 1, 1]);
    });
  });
});
