import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { createGroup } from '../../src/access/create-group.ts';
import { operatorContext } from '../../src/actor/actor.ts';
import { createApiKey, revokeApiKey } from '../../src/api-keys/service.ts';
import { countReaders, selectOpenings } from '../../src/organizations/overview-store.ts';
import { readOverview } from '../../src/organizations/overview.ts';
import { changeSettings, createOrganization, setOrigins } from '../../src/organizations/service.ts';
import { ReportTimes } from '../../src/platforms/report-times.ts';
import { createUser, updateUser } from '../../src/users/service.ts';
import { signInAs, type AdminBrowser } from '../support/admin.ts';
import { insertAuditEntries } from '../support/audit.ts';
import { addItems } from '../support/items.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { startSession, view } from '../support/viewer.ts';

let portal: TestPortal;
let ada: AdminBrowser;
beforeAll(async () => {
  portal = await startTestPortal();
  ada = await signInAs(portal, portal.acme, 1, 'ada@acme.example');
});
afterAll(() => portal.close());

const ofAcme = (path: string) => `/organizations/${portal.acme.id}${path}`;

describe('the overview', () => {
  it('names the steps that are done, and the keys and users that end within 30 days', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    const { west, east } = portal.acme.emails;
    await updateUser(portal.acme.ctx, { userEmail: west, expirationDate: inDays(29) });
    await updateUser(portal.acme.ctx, { userEmail: east, expirationDate: inDays(31) });
    const soon = { name: 'Soon', permissions: ['users:read'], expiresAt: inDays(3).toISOString() };
    await ada.send('POST', ofAcme('/api-keys'), { json: soon });
    expect((await ada.send('GET', ofAcme('/overview'))).json()).toMatchObject({
      done: expect.arrayContaining([
        'report',
        'user',
        'access',
        'address',
        'embedOrigin',
        'apiKey',
      ]),
      keys: [expect.objectContaining({ name: 'Soon', expiresAt: soon.expiresAt })],
      users: [expect.objectContaining({ email: west })],
    });
  });

  /** Creates an organization without content, users or keys. */
  async function createEmpty(slug: string) {
    const { db, publicUrl } = portal;
    const look = { name: slug, accentColor: '#123456' };
    const organizationId = await createOrganization(db, { slug, ...look });
    return operatorContext({ db, publicUrl, organizationId });
  }

  it('has only the steps that its own organization has done', async () => {
    const { db } = portal;
    await insertAuditEntries(db, portal.globex, [{ email: 'x@globex.example' }]);
    const ctx = await createEmpty('steps');
    const { organizationId } = ctx;
    const read = async () => (await readOverview(ctx, new ReportTimes())).done;
    await createUser(ctx, { email: 'author@steps.example', name: 'A', role: 2 });
    const permissions = ['users:read'] as const;
    const { id } = await createApiKey(ctx, { name: 'Old', permissions });
    await revokeApiKey(ctx, { id });
    const addReport = async (slug: string) => {
      const items = { datasets: { orders: {} }, reports: { [slug]: { dataset: 'orders' } } };
      const { reports } = await addItems(ctx, portal.datasetFolder, items);
      return reports[slug]!;
    };
    const archived = await addReport('archived');
    await db
      .updateTable('reports')
      .set({ archived_at: new Date() })
      .where('id', '=', archived)
      .execute();
    expect(await readOverview(ctx, new ReportTimes())).toEqual({
      done: [],
      keys: [],
      users: [],
      days: { opened: expect.any(Array), refused: expect.any(Array) },
      weekStart: expect.any(String),
      readers: { count: 0, before: 0, isMinimum: false },
      reports: { since: expect.any(String), slow: [], failing: [] },
      lateData: [],
    });

    const reportId = await addReport('present');
    expect(await read()).toEqual(['report']);
    await createUser(ctx, { email: 'reader@steps.example', name: 'R', role: 3 });
    expect(await read()).toEqual(['report', 'user']);
    await createGroup(ctx, { name: 'Group', memberEmails: [], reports: [reportId] });
    expect(await read()).toEqual(['report', 'user', 'access']);
    await setOrigins(ctx, { addresses: ['https://steps.example'] });
    expect(await read()).toEqual(['report', 'user', 'access', 'address']);
    await setOrigins(ctx, { embedOrigins: ['https://app.steps.example'] });
    await createApiKey(ctx, { name: 'New', permissions });
    expect((await read()).slice(4)).toEqual(['embedOrigin', 'apiKey']);
    const open = (action: number) =>
      insertAuditEntries(db, { id: organizationId, reportId }, [
        { email: 'x@steps.example', action },
      ]);
    // Viewing as another user is not an opening from the application.
    await open(3);
    expect(await read()).not.toContain('opened');
    await open(1);
    expect(await read()).toHaveLength(7);
  });

  it('lists at most ten keys and ten users that end within 30 days, the soonest first', async () => {
    const ctx = await createEmpty('ends');
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    const permissions = ['users:read'] as const;
    // Not in the order of expiry, so that the overview must sort.
    for (const days of [31, 29, 2, 1, -1]) {
      const key = await createApiKey(ctx, { name: `key ${days}`, permissions });
      await sql`UPDATE api_keys SET expires_at = ${inDays(days)} WHERE id = ${key.id}`.execute(
        portal.db,
      );
      const email = `user${days}@ends.example`;
      await createUser(ctx, { email, name: 'U', role: 3 });
      await updateUser(ctx, { userEmail: email, expirationDate: inDays(days) });
    }
    const expiresAt = inDays(3);
    await revokeApiKey(ctx, await createApiKey(ctx, { name: 'revoked', permissions, expiresAt }));
    const few = await readOverview(ctx, new ReportTimes());
    expect(few.keys.map(({ name }) => name)).toEqual(['key 1', 'key 2', 'key 29']);
    const [next, later, last] = [1, 2, 29].map((days) => `user${days}@ends.example`);
    expect(few.users.map(({ email }) => email)).toEqual([next, later, last]);
    for (let n = 10; n < 18; n += 1) {
      await createApiKey(ctx, { name: `key ${n}`, permissions, expiresAt: inDays(n) });
      const email = `user${n}@ends.example`;
      await createUser(ctx, { email, name: 'U', role: 3 });
      await updateUser(ctx, { userEmail: email, expirationDate: inDays(n) });
    }
    const many = await readOverview(ctx, new ReportTimes());
    expect([many.keys.length, many.keys.at(-1)!.name]).toEqual([10, 'key 17']);
    expect([many.users.length, many.users.at(-1)!.email]).toEqual([10, 'user17@ends.example']);
  });

  describe('counts readers', () => {
    const timeZone = 'Pacific/Kiritimati';
    /** The organization, and the beginning of its last 7 days, 14 hours ahead of UTC. */
    async function createDaily(slug: string) {
      const ctx = await createEmpty(slug);
      const { organizationId: id } = ctx;
      const look = { name: slug, language: null, homeUrl: null } as const;
      await changeSettings(ctx, { ...look, timeZone, unappliedFilters: 'note' });
      const { since } = await countReaders(ctx.db, id);
      const open = (hours: number, email: string, action = 1) =>
        insertAuditEntries(ctx.db, { id, reportId: portal.acme.reportId }, [
          { email, action, at: new Date(since.getTime() + hours * 3_600_000) },
        ]);
      return { id, since, open };
    }

    it('of the last 7 days and of those before, once each, in the time zone of the organization', async () => {
      const { id, since, open } = await createDaily('readers');
      const inZone = new Intl.DateTimeFormat('en', {
        timeZone,
        timeStyle: 'medium',
        hour12: false,
      });
      expect(inZone.format(since)).toMatch(/^(00|24):00:00$/);
      expect(Math.floor((Date.now() - since.getTime()) / 86_400_000)).toBe(6);
      for (const hours of [0, 1, 30]) await open(hours, 'a@x.example');
      await open(2, 'b@x.example');
      await open(-0.1, 'b@x.example');
      await open(-7 * 24, 'c@x.example');
      await open(-7 * 24 - 0.1, 'd@x.example');
      await open(3, 'exports@x.example', 2);
      await open(3, 'viewed@x.example', 3);
      await insertAuditEntries(portal.db, portal.globex, [{ email: 'other@globex.example' }]);
      expect(await countReaders(portal.db, id)).toEqual({
        since,
        count: 2,
        before: 2,
        isMinimum: false,
      });
    });

    it('from a limited number of openings, and says when there are more', async () => {
      const { id, open } = await createDaily('many-readers');
      for (const [hours, email] of [
        [-1, 'old@x.example'],
        [1, 'a@x.example'],
        [2, 'b@x.example'],
        [3, 'b@x.example'],
      ] as const)
        await open(hours, email);
      const read = async (max: number) => {
        const { since: _, ...counts } = await countReaders(portal.db, id, max);
        return counts;
      };
      expect(await read(5)).toEqual({ count: 2, before: 1, isMinimum: false });
      expect(await read(4)).toEqual({ count: 2, before: null, isMinimum: false });
      expect(await read(2)).toEqual({ count: 1, before: null, isMinimum: true });
    });

    it('through the index by time, whatever the length of the log', async () => {
      const { db, globex } = portal;
      await sql`
        INSERT INTO audit_entries (organization_id, user_id, user_email, user_email_key, report_id,
          report_name, action, created_at)
        SELECT ${globex.id}, ${globex.id}, 'x@x.example', 'x@x.example', ${globex.reportId}, 'n', 1,
          now() - make_interval(mins => n) FROM generate_series(1, 50000) AS n`.execute(db);
      await sql`ANALYZE audit_entries`.execute(db);
      const since = new Date(Date.now() - 14 * 86_400_000);
      const plan = await sql<{ 'QUERY PLAN': string }>`
        EXPLAIN ${selectOpenings(globex.id, since, 100)}`.execute(db);
      const lines = plan.rows.map((row) => row['QUERY PLAN'].trim());
      expect(lines[0]).toMatch(/^Limit/);
      expect(lines[1]).toMatch(/Index Scan using audit_entries_by_time/);
      expect(lines.join('\n')).not.toMatch(/Sort|Seq Scan/);
    });
  });

  it('names the slowest and the failing reports of its own organization', async () => {
    const { acme, globex, tiles } = portal;
    const { bearer } = await startSession(portal, acme, { userEmail: acme.emails.west });
    const other = await startSession(portal, globex, { userEmail: globex.emails.west });
    expect((await view(acme.address, bearer, acme.reportId)).status).toBe(200);
    expect((await view(globex.address, other.bearer, globex.reportId)).status).toBe(200);
    const failing = vi.spyOn(tiles, 'compute').mockRejectedValueOnce(new Error('broken'));
    onTestFinished(() => failing.mockRestore());
    expect((await view(acme.address, bearer, acme.reportId)).status).toBe(502);
    const { reports } = (await ada.send('GET', ofAcme('/overview'))).json();
    expect(reports.slow).toEqual([
      { id: acme.reportId, name: 'Orders', medianMs: expect.any(Number) },
    ]);
    expect(reports.failing).toEqual([
      { id: acme.reportId, name: 'Orders', failures: 1, computations: 2 },
    ]);
  });

  it('names datasets whose new data is late, from the activity log', async () => {
    const { db, acme, globex } = portal;
    const update = (
      of: { id: string },
      days: number,
      { datasetId = acme.datasetId, refusal = null as string | null } = {},
    ) =>
      sql`INSERT INTO activity_entries
          (organization_id, created_at, operator, action, subject, details, refusal)
        VALUES (${of.id}, now() - make_interval(hours => ${days * 24}::integer), 'olivia',
          ${days % 2 === 0 ? 'replaceData' : 'appendData'}, 'orders.csv',
          ${JSON.stringify({ file: 'orders.csv', datasets: [{ id: datasetId }] })}::jsonb,
          ${refusal})`.execute(db);
    for (const days of [9, 8, 7, 6]) {
      await update(acme, days);
      // Neither a deleted dataset nor one of another organization has a name here.
      await update(acme, days, { datasetId: randomUUID() });
      await update(acme, days, { datasetId: globex.datasetId });
    }
    await update(acme, 1, { refusal: 'invalid_content' });
    const { lateData } = (await ada.send('GET', ofAcme('/overview'))).json();
    expect(lateData).toEqual([
      { id: acme.datasetId, name: 'Orders', updatedAt: expect.any(String), usualHours: 24 },
    ]);
    const days = (Date.now() - Date.parse(lateData[0].updatedAt)) / 86_400_000;
    expect(Math.round(days)).toBe(6);
  });
});
