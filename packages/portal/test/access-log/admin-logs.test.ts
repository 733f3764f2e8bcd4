import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';

import { sql } from 'kysely';
import { localhostAgent } from 'test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { AdminAccess } from '#admin/requests';

import { createCompany } from '../../src/companies/service.ts';
import { findDetails } from '../../src/organizations/store.ts';
import { createUser } from '../../src/users/service.ts';
import { signInAs, type AdminBrowser } from '../support/admin.ts';
import { insertAuditEntries } from '../support/audit.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

let portal: TestPortal;
let ada: AdminBrowser;
beforeAll(async () => {
  portal = await startTestPortal();
  ada = await signInAs(portal, portal.acme, 1, 'ada@acme.example');
});
afterAll(() => portal.close());

const ofAcme = (path: string) => `/organizations/${portal.acme.id}${path}`;

describe('the logs', () => {
  const mint = (reportId?: string) =>
    portal.api('POST', '/api/identity/url', {
      json: {
        userEmail: portal.acme.emails.west,
        ...(reportId && { reportId, organizationId: portal.acme.id }),
      },
    });

  it('the access log shows who opened a report, by user, by day and as CSV', async () => {
    expect((await mint(portal.acme.reportId)).status).toBe(200);
    const west = encodeURIComponent(portal.acme.emails.west);
    const { data } = (await ada.send('GET', ofAcme(`/access-log?user=${west}`))).json();
    expect(data).toEqual([expect.objectContaining({ reportId: portal.acme.reportId, action: 1 })]);
    const none = await ada.send('GET', ofAcme('/access-log?user=x%40acme.example'));
    expect(none.json().data).toEqual([]);
    const { opened } = (await ada.send('GET', ofAcme('/access-log/days'))).json();
    expect([opened.length, opened.at(-1).count]).toEqual([30, 1]);
    const csv = await ada.send('GET', ofAcme('/access-log/export'));
    expect(csv.headers['content-disposition']).toBe('attachment; filename=access-log.csv');
    expect(csv.body.trimEnd().split('\r\n')).toEqual([
      'id,createdAt,organizationId,userId,userEmail,reportId,reportName,action,actionName',
      expect.stringContaining(`,${portal.acme.emails.west},${portal.acme.reportId},Orders,1,`),
    ]);
  });

  it('the access log finds users by a part of their name, and deleted users by their e-mail', async () => {
    const { acme, globex } = portal;
    const email = 'zora@people.example';
    for (const { ctx } of [acme, globex])
      await createUser(ctx, { email, name: 'Zora Neale Hurston', role: 3 });
    const user = await portal.db
      .selectFrom('users')
      .select('id')
      .where('organization_id', '=', acme.id)
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const gone = 'gone@people.example';
    await insertAuditEntries(portal.db, acme, [{ email, userId: user.id }, { email: gone }]);
    await insertAuditEntries(portal.db, globex, [{ email }]);
    const find = async (part: string) => {
      const query = String(new URLSearchParams({ user: part }));
      const { data } = (await ada.send('GET', ofAcme(`/access-log?${query}`))).json();
      const csv = await ada.send('GET', ofAcme(`/access-log/export?${query}`));
      expect(csv.body.trimEnd().split('\r\n')).toHaveLength(data.length + 1);
      return data.map((entry: AdminAccess) => [entry.userEmail, entry.userName]);
    };
    const found = [[email, 'Zora Neale Hurston']];
    for (const name of ['zora', 'NEALE h', 'zora@people', email])
      expect(await find(name)).toEqual(found);
    expect(await find(gone)).toEqual([[gone, null]]);
    for (const name of ['gone@people', 'zora%', 'nobody']) expect(await find(name)).toEqual([]);
  });

  it('the CSV of the access log ends, incomplete, when its reader signs out', async () => {
    const { adminUrl, db, globex } = portal;
    const greta = await signInAs(portal, globex, 1, 'greta@globex.example');
    // More than the buffers of a connection hold.
    await sql`
      INSERT INTO audit_entries
        (organization_id, user_id, user_email, user_email_key, report_id, report_name, action)
      SELECT ${globex.id}, ${globex.id}, 'x@x.example', 'x@x.example', ${globex.reportId},
        repeat('n', 900), 1 FROM generate_series(1, 20000)`.execute(db);
    const request = http.get(`${adminUrl}/admin/api/organizations/${globex.id}/access-log/export`, {
      agent: localhostAgent,
      headers: { cookie: greta.cookie() },
    });
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
    expect(answer.statusCode).toBe(200);
    expect((await greta.send('DELETE', '/session')).status).toBe(200);
    await expect(text(answer)).rejects.toThrow('aborted');
  });

  it('the CSV of the access log has the entries that match the filters of the list', async () => {
    await insertAuditEntries(portal.db, portal.acme, [{ email: 'csv@acme.example' }]);
    const { reportId, groupReportId } = portal.acme;
    const rowsOf = async (filter: Record<string, string>) => {
      const query = String(new URLSearchParams(filter));
      const { data, totalPages } = (await ada.send('GET', ofAcme(`/access-log?${query}`))).json();
      const csv = await ada.send('GET', ofAcme(`/access-log/export?${query}`));
      return [data.length, csv.body.trimEnd().split('\r\n').length - 1, totalPages];
    };
    const [all] = await rowsOf({});
    expect(all).toBeGreaterThan(0);
    for (const filter of [{ reportId }, { reportName: 'rder' }, { action: '1' }])
      expect(await rowsOf(filter)).toEqual([all, all, 1]);
    const future = new Date(Date.now() + 3_600_000).toISOString();
    const past = new Date(Date.now() - 3_600_000).toISOString();
    for (const filter of [
      { reportId: groupReportId },
      { reportName: 'x' },
      { action: '2' },
      { from: future },
      { to: past },
      { user: 'x@acme.example' },
      { user: 'csv@acme.example', action: '2' },
    ])
      expect(await rowsOf(filter)).toEqual([0, 0, 0]);
  });

  it('the access log has pages of 50 entries, newest first', async () => {
    const { globex, db } = portal;
    const gus = await signInAs(portal, globex, 1, 'gus@globex.example');
    const email = 'paged@globex.example';
    const times = Array.from({ length: 51 }, (_, n) => new Date(Date.UTC(2020, 0, 1, 0, n)));
    await insertAuditEntries(
      db,
      globex,
      times.map((at) => ({ email, at })),
    );
    const read = async (page: number) => {
      const path = `/organizations/${globex.id}/access-log?user=${email}&page=${page}`;
      const { data, totalPages } = (await gus.send('GET', path)).json();
      return [data.length, data[0].createdAt, totalPages];
    };
    expect(await read(1)).toEqual([50, times[50]!.toISOString(), 2]);
    expect(await read(2)).toEqual([1, times[0]!.toISOString(), 2]);
  });

  it('show refused requests, with the number of equal refusals', async () => {
    const { groupReportId } = portal.acme;
    const readDays = async () => (await ada.send('GET', ofAcme('/access-log/days'))).json();
    const sum = (days: { count: number }[]) => days.reduce((total, { count }) => total + count, 0);
    const before = sum((await readDays()).refused);
    for (let time = 0; time < 3; time++) expect((await mint(groupReportId)).status).toBe(403);
    const list = (query: string) => ada.send('GET', ofAcme(`/activity-log${query}`));
    const { entries } = (await list('?refused=true')).json();
    expect(
      entries.filter(({ action }: { action: string }) => action === 'mintIdentityUrl'),
    ).toEqual([expect.objectContaining({ refusal: 'report_not_accessible', count: 3 })]);
    expect((await list('?refused=false&action=mintIdentityUrl')).json().entries).toHaveLength(2);
    const { opened, refused } = await readDays();
    expect(sum(refused) - before).toBe(3);
    const daysOf = (counts: { day: string }[]) => counts.map(({ day }) => day);
    expect(daysOf(refused)).toEqual(daysOf(opened));
    expect(refused.at(-1).day).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it('the activity log shows the names of items whose ids are subjects, but none of another organization', async () => {
    const { groupId, reportId } = portal.acme;
    const foreignId = portal.globex.groupId;
    const rename = (id: string) => ada.send('PUT', ofAcme(`/groups/${id}`), { json: {} });
    for (const id of [groupId, foreignId]) expect((await rename(id)).status).toBe(400);
    const change = { kind: 'user', id: reportId, isLinked: true };
    const path = ofAcme(`/reports/${reportId.toUpperCase()}/access`);
    await ada.send('PUT', path, { json: change });
    const { entries } = (await ada.send('GET', ofAcme('/activity-log?refused=true'))).json();
    expect(entries.slice(0, 3)).toMatchObject([
      { subject: reportId.toUpperCase(), subjectName: 'Orders' },
      { subject: foreignId, subjectName: null },
      { subject: groupId, subjectName: 'Leads' },
    ]);
  });

  it('the activity log shows the names of items of every kind, but only of its organization', async () => {
    const names = new Map<string, string | null>();
    for (const { ctx, id, datasetId, emails, reportId } of [portal.acme, portal.globex]) {
      const read = (table: 'users' | 'rls_roles' | 'api_keys' | 'reports') =>
        portal.db.selectFrom(table).selectAll().where('organization_id', '=', id);
      const user = await read('users').where('email', '=', emails.west).executeTakeFirstOrThrow();
      const role = await read('rls_roles').where('name', '=', 'West').executeTakeFirstOrThrow();
      const key = await read('api_keys').where('name', '=', 'test').executeTakeFirstOrThrow();
      const report = await read('reports').where('id', '=', reportId).executeTakeFirstOrThrow();
      for (const [subject, name] of [
        [user.id, emails.west],
        [await createCompany(ctx, 'Company'), 'Company'],
        [report.workspace_id, 'Sales'],
        [datasetId, 'Orders'],
        [role.id, 'West'],
        [key.id, 'test'],
        [id, (await findDetails(portal.db, id))!.name],
      ] as const)
        names.set(subject, id === portal.acme.id ? name : null);
    }
    await sql`INSERT INTO activity_entries (organization_id, operator, action, subject)
      SELECT ${portal.acme.id}::uuid, 'olivia', 'named', subject
      FROM unnest(${[...names.keys()]}::text[]) AS subject`.execute(portal.db);
    const { entries } = (await ada.send('GET', ofAcme('/activity-log?action=named'))).json();
    const shown = entries.map((entry: { subject: string; subjectName: string | null }) => [
      entry.subject,
      entry.subjectName,
    ]);
    expect(new Map(shown)).toEqual(names);
  });

  it('the activity log has pages of 50 entries, and only entries of the given time', async () => {
    await sql`INSERT INTO activity_entries (organization_id, operator, action, subject)
      SELECT ${portal.acme.id}::uuid, 'olivia', 'many', 'x'
      FROM generate_series(1, 100)`.execute(portal.db);
    const list = async (query: string) =>
      (await ada.send('GET', ofAcme(`/activity-log?action=many${query}`))).json();
    const first = await list('');
    expect([first.entries.length, first.isEnd]).toEqual([50, false]);
    const second = await list(`&beforeId=${first.entries.at(-1).id}`);
    expect([second.entries.length, second.isEnd]).toEqual([50, true]);
    expect(second.entries[0].id).toBeLessThan(first.entries.at(-1).id);
    const [past, future] = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000));
    const between = (from: Date, to: Date) =>
      list(`&from=${from.toISOString()}&to=${to.toISOString()}`);
    expect((await between(past!, future!)).entries).toHaveLength(50);
    expect(await list(`&from=${future!.toISOString()}`)).toEqual({ entries: [], isEnd: true });
    expect(await list(`&to=${past!.toISOString()}`)).toEqual({ entries: [], isEnd: true });
  });

  it('the activity log without filters has no mints', async () => {
    expect((await mint()).status).toBe(200);
    const { entries } = (await ada.send('GET', ofAcme('/activity-log'))).json();
    const actions = entries.map(({ action }: { action: string }) => action);
    expect(actions.length).toBeGreaterThan(0);
    expect(actions).not.toContain('mintIdentityUrl');
  });
});
