import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { readerView } from 'report-engine/testing/reader-view';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { createGroup } from '../../src/access/create-group.ts';
import { linkGroups } from '../../src/access/role-links.ts';
import { listNewest } from '../support/activity.ts';
import { ordersReport } from '../support/content-files.ts';
import { dumpTables } from '../support/dump.ts';
import { exportTile } from '../support/exported.ts';
import { expectProblem } from '../support/http.ts';
import { addItems, regionRole } from '../support/items.ts';
import { openReportStage, type ReportStage } from '../support/report-stage.ts';
import { open, readSession, startSession, view } from '../support/viewer.ts';

let portal: ReportStage['portal'];
let admin: ReportStage['admin'];
let contributor: ReportStage['contributor'];
let limited: ReportStage['limited'];
let nobody: ReportStage['nobody'];
let reportId: ReportStage['reportId'];
let datasetId: ReportStage['datasetId'];
let foreignReportId: ReportStage['foreignReportId'];
let at: ReportStage['at'];
let definition: ReportStage['definition'];
let read: ReportStage['read'];
let contributeTo: ReportStage['contributeTo'];
beforeAll(async () => {
  ({
    portal,
    admin,
    contributor,
    limited,
    nobody,
    reportId,
    datasetId,
    foreignReportId,
    at,
    definition,
    read,
    contributeTo,
  } = await openReportStage());
});
afterAll(() => portal.close());

describe('the list of reports', () => {
  it('has the readers and the last opening of each report', async () => {
    const { items, totalCount } = await read(admin, '/reports?search=orders');
    expect(totalCount).toBe(2);
    expect(items).toMatchObject([
      { name: 'Orders', workspaceName: 'Sales', readers: 4, lastOpenedAt: null },
      { name: 'Orders of the group', workspaceName: 'Leads', readers: 1 },
    ]);
  });

  it('a user with direct and group access to a report counts as one reader', async () => {
    const { acme, db } = portal;
    const { rows } = await sql<{ id: string }>`
      SELECT user_id AS id FROM group_members
      WHERE organization_id = ${acme.id} AND group_id = ${acme.groupId}`.execute(db);
    const holders = [
      { kind: 'group', id: acme.groupId },
      ...rows.map(({ id }) => ({ kind: 'user', id })),
    ];
    const change = (isLinked: boolean) =>
      Promise.all(
        holders.map((holder) =>
          admin.send('PUT', at(`/reports/${reportId}/access`), { json: { ...holder, isLinked } }),
        ),
      );
    expect((await change(true)).map(({ status }) => status)).toEqual([200, 200]);
    const { items } = await read(admin, '/reports?search=overview');
    expect(items).toMatchObject([{ name: 'Order overview', readers: 1 }]);
    expect(await read(admin, `/reports/${reportId}`)).toMatchObject({ readers: 1 });
    await change(false);
  });

  it('viewing as a user or an export does not change when a report was last opened', async () => {
    const { acme } = portal;
    const id = acme.reportId;
    const lastOpened = async () => (await read(admin, `/reports/${id}`)).lastOpenedAt;
    const userEmail = acme.emails.west;
    const { bearer } = await startSession(portal, acme, { userEmail, reportId: id });
    const opened = await lastOpened();
    expect(Date.parse(opened)).toBeGreaterThan(0);
    const { page } = (await view(acme.address, bearer, id)).json();
    const json = { tile: page.rows[0][0].id, format: 'csv', view: readerView() } as const;
    expect((await exportTile(acme.address, { bearer, reportId: id, json })).status).toBe(200);
    const user = (await portal.api('GET', `/api/user?email=${userEmail}`)).json().data[0];
    const { url } = (await admin.send('POST', at(`/users/${user.id}/view`), { json: {} })).json();
    const viewed = readSession(await open(url));
    expect((await view(acme.address, viewed.bearer, id)).status).toBe(200);
    const { data } = (await portal.api('GET', `/api/report-audit?reportId=${id}`)).json();
    expect(new Set(data.map(({ action }: { action: number }) => action))).toEqual(
      new Set([1, 2, 3]),
    );
    expect(await lastOpened()).toBe(opened);
    await startSession(portal, acme, { userEmail, reportId: id });
    expect(Date.parse(await lastOpened())).toBeGreaterThan(Date.parse(opened));
  });

  it('of a workspace contributor has only reports of their workspaces', async () => {
    const none = { totalCount: 0, items: [], canCreate: false };
    expect(await read(limited, '/reports')).toMatchObject(none);
    expectProblem(await limited.send('GET', at(`/reports/${reportId}`)), 'not_found');
    for (const rest of ['', '/versions', '/versions/1'])
      expectProblem(await limited.send('GET', definition + rest), 'not_found');
    await contributeTo('Sales');
    const { items, canCreate } = await read(limited, '/reports');
    expect(canCreate).toBe(true);
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['Order overview', 'Orders']);
    expect(await read(limited, `/reports/${reportId}`)).toMatchObject({ canEdit: true });
  });

  it('of one workspace has no others, and a limited contributor sees none of it', async () => {
    const { workspaceId } = await read(admin, `/reports/${portal.acme.groupReportId}`);
    const { items } = await read(admin, `/reports?workspaceId=${workspaceId}`);
    expect(items).toMatchObject([{ name: 'Orders of the group' }]);
    expect((await read(limited, `/reports?workspaceId=${workspaceId}`)).items).toEqual([]);
  });

  it('is refused to viewers, who cannot sign in, and without a session', async () => {
    expectProblem(await nobody.send('GET', at('/reports')), 'sign_in_required');
  });
});

/** Adds users of Acme whose e-mails begin with a name and the numbers from 10 on. Their name is "Newcomer". */
const addUsers = (name: string, count: number) =>
  sql`INSERT INTO users (organization_id, id, email, email_key, name, role,
      can_edit_report, can_create_report, can_overwrite_report)
    SELECT ${portal.acme.id}::uuid, gen_random_uuid(), email, email, 'Newcomer', 3, false, false, false
    FROM generate_series(10, ${9 + count}::int) AS n, concat(${name}::text, n, '@acme.example') AS email`.execute(
    portal.db,
  );

const emailsOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${name}${n + 10}@acme.example`);

describe('access to a report', () => {
  it('is given to a user and a group, and removed, and a search finds its users', async () => {
    const { holders } = await read(admin, '/holders?search=lead');
    expect(holders).toMatchObject([{ kind: 'group', name: 'Leads' }]);
    const found = await read(admin, '/holders?search=outsider%40');
    const change = (holder: object, isLinked: boolean) =>
      admin.send('PUT', at(`/reports/${reportId}/access`), { json: { ...holder, isLinked } });
    const group = { kind: 'group', id: holders[0].id };
    const user = { kind: 'user', id: found.holders[0].id };
    expect((await change(group, true)).status).toBe(200);
    expect((await change(user, true)).status).toBe(200);
    expect(await read(admin, `/reports/${reportId}/access`)).toMatchObject({
      groups: [{ name: 'Leads', members: 1 }],
      users: { totalCount: 1, items: [{ email: portal.acme.emails.outsider }] },
    });
    expect(await read(admin, `/reports/${reportId}`)).toMatchObject({ readers: 2 });
    expect(await listNewest(portal, 2)).toMatchObject([
      { action: 'linkReports', actor: { kind: 'user', name: 'ada@acme.example' } },
      { action: 'linkGroupReports', subject: 'Leads' },
    ]);
    const none = { items: [], totalCount: 0, totalPages: 0 };
    const findUsers = async (search: string) =>
      (await read(admin, `/reports/${reportId}/access?search=${search}`)).users;
    expect(await findUsers('OUTSIDER')).toMatchObject({ totalCount: 1, items: [{}] });
    expect(await findUsers('nobody')).toEqual(none);
    const both = await read(admin, '/holders?search=both%40');
    const second = { kind: 'user', id: both.holders[0].id };
    await change(second, true);
    expect(await findUsers('outsider')).toMatchObject({
      totalCount: 1,
      items: [{ email: portal.acme.emails.outsider }],
    });
    await change(second, false);
    await change(group, false);
    await change(user, false);
    expect(await read(admin, `/reports/${reportId}/access`)).toEqual({
      groups: [],
      users: none,
    });
    expect(await read(admin, `/reports/${reportId}`)).toMatchObject({ readers: 0 });
  });

  it('lists 25 users on a page, by e-mail', async () => {
    const { groupReportId: id } = portal.acme;
    await sql`WITH added AS (
        INSERT INTO users (organization_id, id, email, email_key, name, role,
          can_edit_report, can_create_report, can_overwrite_report)
        SELECT ${portal.acme.id}::uuid, gen_random_uuid(), email, email, 'P', 3, false, false, false
        FROM (SELECT 'paged' || n || '@acme.example' AS email FROM generate_series(10, 36) AS n) AS named
        RETURNING organization_id, id
      )
      INSERT INTO report_users (organization_id, user_id, report_id)
      SELECT organization_id, id, ${id}::uuid FROM added`.execute(portal.db);
    for (const search of ['', 'paged']) {
      const list = async (page: number) =>
        (await read(admin, `/reports/${id}/access?page=${page}&search=${search}`)).users;
      const [first, second] = [await list(1), await list(2)];
      expect(first).toMatchObject({ totalCount: 27, totalPages: 2 });
      const emails = [...first.items, ...second.items].map(({ email }) => email as string);
      expect([first.items.length, emails.length]).toEqual([25, 27]);
      expect(emails).toEqual(Array.from({ length: 27 }, (_, n) => `paged${n + 10}@acme.example`));
    }
  });

  it('has groups by name, each with its own number of members', async () => {
    const { ctx, emails, groupReportId: id } = portal.acme;
    const group = { memberEmails: [emails.west, emails.east], reports: [id] };
    const night = await createGroup(ctx, { name: 'Night', ...group });
    onTestFinished(async () => void (await admin.send('DELETE', at(`/groups/${night}`))));
    expect((await read(admin, `/reports/${id}/access`)).groups).toMatchObject([
      { name: 'Leads', members: 1 },
      { name: 'Night', members: 2 },
    ]);
  });

  it('a search among the users of a report finds no user of another report', async () => {
    const count = async (id: string) =>
      (await read(admin, `/reports/${id}/access?search=west%40`)).users.totalCount;
    expect([await count(portal.acme.reportId), await count(reportId)]).toEqual([1, 0]);
  });

  it('cannot be given to a group of another organization', async () => {
    const json = { kind: 'group', id: portal.globex.groupId, isLinked: true };
    const answer = await admin.send('PUT', at(`/reports/${reportId}/access`), { json });
    expectProblem(answer, 'group_not_found');
  });
});

describe('users, groups and roles of another organization', () => {
  const findForeign = (table: 'users' | 'rls_roles', column: 'email' | 'name', value: string) =>
    portal.db
      .selectFrom(table)
      .select('id')
      .where('organization_id', '=', portal.globex.id)
      .where(sql.ref(column), '=', value)
      .executeTakeFirstOrThrow();

  it('a search for holders finds no users and groups of another organization', async () => {
    const search = async (text: string) => (await read(admin, `/holders?search=${text}`)).holders;
    expect(await search('outsider')).toMatchObject([{ email: portal.acme.emails.outsider }]);
    expect(await search('globex')).toEqual([]);
    const all = await search('');
    expect(all.filter(({ kind }: { kind: string }) => kind === 'group')).toHaveLength(1);
    expect(JSON.stringify(all)).not.toContain('globex');
  });

  it('a search for holders with more than 5,000 matches finds no users of another organization', async () => {
    const { acme, globex, db } = portal;
    await sql`
      INSERT INTO users (organization_id, id, email, email_key, name, role,
        can_edit_report, can_create_report, can_overwrite_report)
      SELECT organization_id, gen_random_uuid(), email, email, 'Throng', 3, false, false, false FROM (
        SELECT ${acme.id}::uuid AS organization_id, 'crowd' || n || '@acme.example' AS email
        FROM generate_series(10000, 15000) AS n
        UNION ALL SELECT ${globex.id}, 'crowd0@globex.example'
      ) AS crowd`.execute(db);
    for (const search of ['crowd', 'throng']) {
      const { holders } = await read(admin, `/holders?search=${search}`);
      expect(holders.map(({ email }: { email: string }) => email)).toEqual(
        Array.from({ length: 10 }, (_, n) => `crowd${10_000 + n}@acme.example`),
      );
    }
    await sql`DELETE FROM users WHERE email LIKE 'crowd%'`.execute(db);
  });

  it('a user of another organization is unknown, and the answer does not name them', async () => {
    const { id } = await findForeign('users', 'email', portal.globex.emails.west);
    const json = { kind: 'user', id, isLinked: true };
    const [east] = (await read(admin, `/reports/${reportId}/roles`)).roles;
    for (const place of [`/reports/${reportId}/access`, `/roles/${east.id}/holders`]) {
      const answer = await admin.send('PUT', at(place), { json });
      expectProblem(answer, 'user_not_found');
      expect(answer.body).not.toContain(portal.globex.emails.west);
    }
    const preview = await admin.send('POST', at(`/reports/${reportId}/preview`), {
      json: { text: ordersReport, asUserId: id },
    });
    expectProblem(preview, 'user_not_found');
  });

  it('a role of another organization gets the answer of an unknown one', async () => {
    const json = { kind: 'group', id: portal.acme.groupId, isLinked: true };
    const { id } = await findForeign('rls_roles', 'name', 'West');
    const [foreign, unknown] = await Promise.all(
      [id, randomUUID()].map((role) => admin.send('PUT', at(`/roles/${role}/holders`), { json })),
    );
    expectProblem(foreign!, 'role_not_found');
    expect(foreign!.json().detail).toBe(unknown!.json().detail);
  });
});

it('a search for holders finds groups by name, then users by name or e-mail, ten of each', async () => {
  const names = Array.from({ length: 11 }, (_, n) => `Newcomers ${n + 10}`);
  const { ctx, db } = { ...portal, ...portal.acme };
  for (const name of names.toReversed())
    await createGroup(ctx, { name, memberEmails: [], reports: [] });
  await addUsers('fresh', 11);
  for (const search of ['NEWCOMER', 'fresh']) {
    const { holders } = await read(admin, `/holders?search=${search}`);
    const found = holders.map(({ email, name }: Record<string, string>) => email ?? name);
    const groups = search === 'fresh' ? [] : names.slice(0, 10);
    expect(found).toEqual([...groups, ...emailsOf('fresh', 10)]);
  }
  await db.deleteFrom('groups').where('name', 'in', names).execute();
  await sql`DELETE FROM users WHERE email LIKE 'fresh%'`.execute(db);
});

describe('a role', () => {
  it('is linked to a user and shown with its holders', async () => {
    const { roles, rowAccess } = await read(admin, `/reports/${reportId}/roles`);
    expect(rowAccess).toBe('by-role');
    const west = roles.find(({ name }: { name: string }) => name === 'West');
    expect(west).toMatchObject({ userCount: 1, users: [{ email: portal.acme.emails.west }] });
    const json = { kind: 'group', id: portal.acme.groupId, isLinked: true };
    const change = (given: object) =>
      admin.send('PUT', at(`/roles/${west.id}/holders`), { json: given });
    expect((await change(json)).status).toBe(200);
    const after = await read(admin, `/reports/${reportId}/roles`);
    expect(after.roles[1]).toMatchObject({ name: 'West', groups: [{ name: 'Leads' }] });
    expect((await change({ ...json, isLinked: false })).status).toBe(200);
  });

  it('is given to a user and removed again, and the log says both', async () => {
    const readEast = async () =>
      (await read(admin, `/reports/${reportId}/roles`)).roles.find(
        ({ name }: { name: string }) => name === 'East',
      );
    const { id, userCount } = await readEast();
    const { holders } = await read(admin, '/holders?search=outsider%40');
    const json = { kind: 'user', id: holders[0].id };
    const change = (isLinked: boolean) =>
      admin.send('PUT', at(`/roles/${id}/holders`), { json: { ...json, isLinked } });
    const { outsider } = portal.acme.emails;
    expect((await change(true)).status).toBe(200);
    expect(await readEast()).toMatchObject({
      userCount: userCount + 1,
      users: expect.arrayContaining([expect.objectContaining({ email: outsider, canOpen: false })]),
    });
    const access = (isLinked: boolean) =>
      admin.send('PUT', at(`/reports/${reportId}/access`), { json: { ...json, isLinked } });
    expect((await access(true)).status).toBe(200);
    expect((await readEast()).users).toContainEqual(
      expect.objectContaining({ email: outsider, canOpen: true }),
    );
    expect((await access(false)).status).toBe(200);
    expect((await change(false)).status).toBe(200);
    expect(await readEast()).toMatchObject({ userCount });
    expect(await listNewest(portal, 4)).toMatchObject([
      { action: 'unlinkRlsUsers', subject: 'East', details: { usersEmails: [outsider] } },
      { action: 'unlinkReports' },
      { action: 'linkReports' },
      { action: 'linkRlsUsers', subject: 'East', details: { usersEmails: [outsider] } },
    ]);
  });
});

it('a role is shown with the number of its users, the first 50 of them by e-mail, and its groups by name', async () => {
  const { ctx, groupId } = portal.acme;
  const added = await addItems(ctx, portal.datasetFolder, {
    datasets: { crowded: { roles: [regionRole('Crowd')] } },
    reports: { crowded: { dataset: 'crowded' } },
  });
  await addUsers('crowd', 51);
  await sql`INSERT INTO rls_role_users (organization_id, role_id, user_id)
    SELECT organization_id, rls_roles.id, users.id FROM rls_roles JOIN users USING (organization_id)
    WHERE rls_roles.name = 'Crowd' AND email LIKE 'crowd%'`.execute(portal.db);
  const early = await createGroup(ctx, { name: 'Early', memberEmails: [], reports: [] });
  onTestFinished(async () => void (await admin.send('DELETE', at(`/groups/${early}`))));
  const role = { datasetId: added.datasets['crowded']!, role: 'Crowd' };
  await linkGroups(ctx, { ...role, groups: [groupId, early] });
  const { roles } = await read(admin, `/reports/${added.reports['crowded']}/roles`);
  expect(roles).toMatchObject([{ userCount: 51, groups: [{ name: 'Early' }, { name: 'Leads' }] }]);
  expect(roles[0].users.map(({ email }: { email: string }) => email)).toEqual(
    emailsOf('crowd', 50),
  );
  await sql`DELETE FROM users WHERE email LIKE 'crowd%'`.execute(portal.db);
});

it('an archived report is neither listed, read, previewed, counted nor given', async () => {
  const json = { name: 'Archived', workspace: 'Archive', datasetId };
  const { id } = (await admin.send('POST', at('/reports'), { json })).json();
  const text = ordersReport.replace('workspace: Sales', 'workspace: Archive');
  const counts = async () => {
    const { datasets } = await read(admin, '/datasets');
    const { reports } = await read(admin, `/datasets/${datasetId}`);
    const { workspaces } = await read(admin, '/workspaces');
    return [
      datasets.find((dataset: { id: string }) => dataset.id === datasetId).reports,
      reports.length,
      workspaces.find(({ name }: { name: string }) => name === 'Archive').reports,
      (await read(admin, '/reports?search=Archived')).totalCount,
    ];
  };
  const before = await counts();
  expect(before.slice(2)).toEqual([1, 1]);
  await portal.db
    .updateTable('reports')
    .set({ archived_at: new Date() })
    .where('id', '=', id)
    .execute();
  expect(await counts()).toEqual(before.map((count) => count - 1));
  for (const place of [`/reports/${id}`, `/reports/${id}/access`, `/definitions/reports/${id}`])
    expectProblem(await admin.send('GET', at(place)), 'not_found');
  const preview = await admin.send('POST', at(`/reports/${id}/preview`), { json: { text } });
  expectProblem(preview, 'not_found');
  const { items } = await read(admin, '/users?search=cora');
  const { groupId } = portal.acme;
  const holder = { kind: 'group', id: groupId, isLinked: true };
  const given = await admin.send('PUT', at(`/reports/${id}/access`), { json: holder });
  expectProblem(given, 'not_found');
  for (const place of [`/users/${items[0].id}`, `/groups/${groupId}`])
    expectProblem(await admin.send('PUT', at(`${place}/reports/${id}`)), 'unknown_references');
});

it('a report of another organization gets the answer of an unknown one', async () => {
  for (const rest of ['', '/access', '/roles']) {
    const [foreign, unknown] = await Promise.all(
      [foreignReportId, randomUUID()].map((id) => admin.send('GET', at(`/reports/${id}${rest}`))),
    );
    expect([foreign!.status, foreign!.json().detail]).toEqual([404, unknown!.json().detail]);
  }
  const other = await admin.send('GET', `/organizations/${portal.globex.id}/reports`);
  expectProblem(other, 'organization_not_found');
});

it.each(['contributor', 'limited'] as const)(
  'the %s may not change or see who has access',
  async (role) => {
    const before = await dumpTables(portal.db);
    const json = { kind: 'group', id: portal.acme.groupId, isLinked: true };
    const browser = { contributor, limited }[role];
    const refused = [
      await browser.send('GET', at(`/reports/${reportId}/access`)),
      await browser.send('PUT', at(`/reports/${reportId}/access`), { json }),
      await browser.send('GET', at(`/reports/${reportId}/roles`)),
      await browser.send('PUT', at(`/roles/${randomUUID()}/holders`), { json }),
      await browser.send('GET', at('/holders')),
    ];
    for (const answer of refused) expectProblem(answer, 'missing_permission');
    const after = await dumpTables(portal.db);
    expect(after['report_groups']).toEqual(before['report_groups']);
  },
);
