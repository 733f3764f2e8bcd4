import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createGroup } from '../../src/access/create-group.ts';
import { linkUsers } from '../../src/access/role-links.ts';
import { createCompany } from '../../src/companies/service.ts';
import { createUser, updateUser } from '../../src/users/service.ts';
import { listNewest } from '../support/activity.ts';
import { openAdminBrowser, testPassword } from '../support/admin.ts';
import { expectProblem } from '../support/http.ts';
import { addItems, regionRole } from '../support/items.ts';
import { adminEmail, openPeopleStage, type PeopleStage } from '../support/people.ts';

let portal: PeopleStage['portal'];
let admin: PeopleStage['admin'];
let other: PeopleStage['other'];
let at: PeopleStage['at'];
let get: PeopleStage['get'];
let idOf: PeopleStage['idOf'];
let createPerson: PeopleStage['createPerson'];
let update: PeopleStage['update'];
beforeAll(async () => {
  ({ portal, admin, other, at, get, idOf, createPerson, update } = await openPeopleStage());
});
afterAll(() => portal.close());

describe('the list of users', () => {
  it('finds a part of the name or e-mail, and filters by role, expiry, company and group', async () => {
    const { id: companyId } = (
      await admin.send('POST', at('/companies'), { json: { name: 'Filter' } })
    ).json();
    const { id, email } = await createPerson({ role: 2 });
    const expired = await createPerson({ role: 2 });
    await updateUser(portal.acme.ctx, { userEmail: expired.email, expirationDate: new Date() });
    const soon = new Date(Date.now() + 86_400_000).toISOString();
    const change = { name: 'Zoë Q', expirationDate: soon, companies: [companyId] };
    expect((await update(id, change)).status).toBe(200);
    const listed = { id, email, name: 'Zoë Q', expirationDate: soon, isExpired: false };
    const mine = [expect.objectContaining(listed)];
    for (const query of [
      'search=zoË q',
      `search=${email.slice(0, 12)}`,
      `companyId=${companyId}`,
      'expiry=soon',
      'role=2&search=zo',
    ])
      expect(await get(`/users?${query}`)).toEqual({ items: mine, totalCount: 1, totalPages: 1 });
    expect((await get('/users?expiry=expired')).items).toMatchObject([{ email: expired.email }]);
    for (const query of [
      'role=1&search=zoë',
      'expiry=expired&search=zoë',
      `groupId=${portal.acme.groupId}&search=zoë`,
    ])
      expect((await get(`/users?${query}`)).totalCount).toBe(0);
    const members = await get(`/users?groupId=${portal.acme.groupId}`);
    expect(members.items).toMatchObject([{ email: portal.acme.emails.both }]);
  });

  it('has pages of 25 users', async () => {
    for (let n = 0; n < 26; n += 1)
      await createUser(portal.acme.ctx, { email: `paged${n}@acme.example`, name: 'P', role: 3 });
    const first = await get('/users?search=paged');
    const second = await get('/users?search=paged&page=2');
    expect([first.items.length, second.items.length]).toEqual([25, 1]);
    expect(second).toMatchObject({ totalCount: 26, totalPages: 2 });
  });

  it('finds those who expire within 30 days, and marks expired users', async () => {
    const createExpiring = async (days: number) => {
      const { email } = await createPerson();
      const expirationDate = new Date(Date.now() + days * 86_400_000);
      await updateUser(portal.acme.ctx, { userEmail: email, name: 'Finite', expirationDate });
      return email;
    };
    const past = await createExpiring(-1);
    const near = await createExpiring(29);
    const far = await createExpiring(31);
    const list = async (query: string) =>
      (await get(`/users?search=finite${query}`)).items.map(
        ({ email, isExpired }: { email: string; isExpired: boolean }) => [email, isExpired],
      );
    expect(await list('&expiry=soon')).toEqual([[near, false]]);
    expect(await list('&expiry=expired')).toEqual([[past, true]]);
    const all = [[past, true] as const, [near, false] as const, [far, false] as const];
    expect(new Map(await list(''))).toEqual(new Map(all));
  });

  it('is sorted by e-mail, and the companies of each user by name', async () => {
    const tag = randomUUID();
    const companies = [];
    for (const name of [`Zeta ${tag}`, `Alpha ${tag}`])
      companies.push(await createCompany(portal.acme.ctx, name));
    for (const [first, name, role] of [
      ['b', 'Alma', 2],
      ['a', 'Zora', 3],
    ] as const)
      await createUser(portal.acme.ctx, {
        email: `${first}-${tag}@x.example`,
        name,
        role,
      });
    const change = { companies, department: 'Sales' };
    expect((await update(await idOf(`b-${tag}@x.example`), change)).status).toBe(200);
    const named = [{ name: `Alpha ${tag}` }, { name: `Zeta ${tag}` }];
    expect((await get(`/users?search=${tag}`)).items).toMatchObject([
      { name: 'Zora', role: 3, department: '', companies: [] },
      { name: 'Alma', role: 2, department: 'Sales', companies: named },
    ]);
  });
});

describe('a user', () => {
  it('is created with reports, or not at all', async () => {
    const { id, email } = await createPerson({ reports: [portal.acme.reportId] });
    expect(await get(`/users/${id}`)).toMatchObject({
      reports: [{ id: portal.acme.reportId, name: 'Orders', isDirect: true, groups: [] }],
      totalReports: 1,
    });
    expect(await listNewest(portal, 2)).toMatchObject([
      { action: 'linkReports', subject: email, actor: { kind: 'user', name: adminEmail } },
      { action: 'createUser', subject: email },
    ]);
    const plain = await createPerson();
    expect(await listNewest(portal, 2)).toMatchObject([
      { action: 'createUser', subject: plain.email },
      { action: 'linkReports', subject: email },
    ]);
    const lost = `${randomUUID()}@acme.example`;
    const json = { email: lost, name: 'N', role: 3, reports: [randomUUID()] };
    expectProblem(await admin.send('POST', at('/users'), { json }), 'unknown_references');
    expect((await get(`/users?search=${lost}`)).totalCount).toBe(0);
  });

  it('is created with roles of datasets, or not at all', async () => {
    const [role] = (await get('/choices/roles?search=west')).items;
    const { id } = await createPerson({ roles: [role.id] });
    expect((await get(`/users/${id}`)).roles).toMatchObject([{ id: role.id, isDirect: true }]);
    const lost = `${randomUUID()}@acme.example`;
    const json = { email: lost, name: 'N', role: 3, reports: [], roles: [role.id, randomUUID()] };
    expectProblem(await admin.send('POST', at('/users'), { json }), 'role_not_found');
    expect((await get(`/users?search=${lost}`)).totalCount).toBe(0);
  });

  it('shows access and roles with the source of each', async () => {
    const { acme } = portal;
    const id = await idOf(acme.emails.both);
    const group = { id: acme.groupId, name: 'Leads' };
    const roles = await get('/choices/roles?search=west');
    expect(roles.items).toMatchObject([{ name: 'West', datasetName: 'Orders' }]);
    const roleId = roles.items[0].id;
    await admin.send('PUT', at(`/groups/${acme.groupId}/roles/${roleId}`));
    await admin.send('PUT', at(`/groups/${acme.groupId}/reports/${acme.reportId}`));
    expect(await get(`/users/${id}`)).toMatchObject({
      groups: [group],
      reports: [
        { name: 'Orders', isDirect: true, groups: [group], workspaceName: 'Sales' },
        { name: 'Orders of the group', isDirect: false, groups: [group] },
      ],
      roles: [
        { name: 'East', isDirect: true, groups: [], datasetName: 'Orders' },
        { name: 'West', isDirect: true, groups: [group] },
      ],
      signIn: 'none',
    });
    for (const path of [`/users/${id}/roles/${roleId}`, `/users/${id}/reports/${acme.reportId}`])
      expect((await admin.send('DELETE', at(path))).status).toBe(200);
    expect(await get(`/users/${id}`)).toMatchObject({
      reports: [{ isDirect: false }, { isDirect: false }],
      roles: [{ name: 'East' }, { name: 'West', isDirect: false, groups: [group] }],
    });
    await admin.send('PUT', at(`/users/${id}/roles/${roleId}`));
    await admin.send('PUT', at(`/users/${id}/reports/${acme.reportId}`));
    await admin.send('DELETE', at(`/groups/${acme.groupId}/roles/${roleId}`));
    await admin.send('DELETE', at(`/groups/${acme.groupId}/reports/${acme.reportId}`));
  });

  it('keeps their rights if a change does not name another role', async () => {
    const { id, email } = await createPerson({ role: 2 });
    await update(id, { canEditReport: false, department: 'Sales' });
    const read = await get(`/users/${id}`);
    expect(read).toMatchObject({
      canEditReport: false,
      canCreateReport: true,
      department: 'Sales',
    });
    await update(id, { role: 4, canEditReport: false });
    const { data } = (await portal.api('GET', `/api/user?email=${email}`)).json();
    expect(data).toMatchObject([{ role: 4, canEditReport: false, canCreateReport: true }]);
    expect(await listNewest(portal, 1)).toMatchObject([
      { action: 'updateUser', subject: email, details: { role: 4 } },
    ]);
  });

  it('a change that is based on an older version of the user is refused', async () => {
    const { id } = await createPerson();
    const { version } = await get(`/users/${id}`);
    await update(id, { department: 'First' });
    expectProblem(await update(id, { version, department: 'Second' }), 'stale_version');
    expect((await get(`/users/${id}`)).department).toBe('First');
  });

  it('a change that is based on an older version is refused, whatever has changed since', async () => {
    const { acme } = portal;
    const { id } = await createPerson();
    for (const change of [
      { name: 'Other' },
      { role: 2 },
      { canEditReport: true },
      { canCreateReport: true },
      { canOverwriteReport: true },
      { expirationDate: '2100-01-01T00:00:00.000Z' },
      { reportLandingPage: acme.reportId },
      { companies: [await createCompany(acme.ctx, randomUUID())] },
    ]) {
      const { version } = await get(`/users/${id}`);
      expect((await update(id, change)).status).toBe(200);
      expectProblem(await update(id, { version, department: 'Late' }), 'stale_version');
    }
    expect((await get(`/users/${id}`)).department).toBe('');
  });

  it('a change is not refused because the user got a group or a report meanwhile', async () => {
    const { id } = await createPerson();
    const { acme } = portal;
    const { version } = await get(`/users/${id}`);
    const links = [
      `/groups/${acme.groupId}/members/${id}`,
      `/users/${id}/reports/${acme.reportId}`,
    ];
    for (const path of links) expect((await admin.send('PUT', at(path))).status).toBe(200);
    expect((await update(id, { version, department: 'First' })).status).toBe(200);
  });

  it('an administrator who changes their own department stays signed in', async () => {
    const id = await idOf(adminEmail);
    expect((await update(id, { department: 'Office' })).status).toBe(200);
    expect((await admin.send('GET', '/session')).status).toBe(200);
  });

  it('the landing page of a user must be a report of the organization', async () => {
    const { id } = await createPerson();
    const { acme } = portal;
    expectProblem(await update(id, { reportLandingPage: randomUUID() }), 'unknown_references');
    expect((await update(id, { reportLandingPage: acme.reportId })).status).toBe(200);
    expect((await get(`/users/${id}`)).reportLandingPage).toBe(acme.reportId);
  });

  it('is deleted, and then unknown', async () => {
    const { id } = await createPerson();
    expect((await admin.send('DELETE', at(`/users/${id}`))).status).toBe(200);
    expectProblem(await admin.send('GET', at(`/users/${id}`)), 'user_not_found');
  });

  it('is invited with a link that sets the password', async () => {
    const { id } = await createPerson({ role: 2 });
    const { url } = (await admin.send('POST', at(`/users/${id}/invitation`))).json();
    expect(url).toMatch(`${portal.adminUrl}/admin/invitation#`);
    expect((await get(`/users/${id}`)).signIn).toBe('invited');
    const json = { token: url.split('#')[1], password: testPassword };
    await openAdminBrowser(portal).send('POST', '/invitation/accept', { json });
    expect((await get(`/users/${id}`)).signIn).toBe('active');
  });

  it('shows their subject at the identity provider', async () => {
    const { id } = await createPerson();
    expect((await get(`/users/${id}`)).directoryAdUser).toBeNull();
    await sql`UPDATE users SET directory_ad_user = 'subject' WHERE id = ${id}`.execute(portal.db);
    expect((await get(`/users/${id}`)).directoryAdUser).toBe('subject');
  });

  it('who signs in with the identity provider is shown as active', async () => {
    const { id } = await createPerson({ role: 2 });
    await admin.send('POST', at(`/users/${id}/invitation`));
    await sql`UPDATE users SET directory_ad_user = id WHERE id = ${id}`.execute(portal.db);
    expect((await get(`/users/${id}`)).signIn).toBe('active');
  });

  it('whose invitation has expired is not shown as invited', async () => {
    const { id } = await createPerson({ role: 2 });
    await admin.send('POST', at(`/users/${id}/invitation`));
    await sql`UPDATE admin_invitations SET expires_at = now() - interval '1 second'
      WHERE account_id IN (SELECT id FROM admin_accounts WHERE user_id = ${id})`.execute(portal.db);
    expect((await get(`/users/${id}`)).signIn).toBe('none');
  });

  it('the groups of a user, and the groups that give them a report, are sorted by name', async () => {
    const { acme } = portal;
    const { id, email } = await createPerson();
    const tag = randomUUID();
    const reports = [acme.reportId];
    for (const name of [`Zeta ${tag}`, `Alpha ${tag}`])
      await createGroup(acme.ctx, { name, memberEmails: [email], reports });
    const groups = [{ name: `Alpha ${tag}` }, { name: `Zeta ${tag}` }];
    expect(await get(`/users/${id}`)).toMatchObject({ groups, reports: [{ groups }] });
  });

  it('shows their roles sorted by dataset and role', async () => {
    const { ctx } = portal.acme;
    const { id, email } = await createPerson();
    const names = { zeta: ['A'], alpha: ['C', 'B'] };
    const { datasets } = await addItems(ctx, portal.datasetFolder, {
      datasets: {
        zeta: { name: 'Zeta', roles: names.zeta.map(regionRole) },
        alpha: { name: 'Alpha', roles: names.alpha.map(regionRole) },
      },
    });
    for (const [dataset, roles] of Object.entries(names))
      for (const role of roles)
        await linkUsers(ctx, { datasetId: datasets[dataset]!, role, usersEmails: [email] });
    expect((await get(`/users/${id}`)).roles).toMatchObject([
      { datasetName: 'Alpha', name: 'B' },
      { datasetName: 'Alpha', name: 'C' },
      { datasetName: 'Zeta', name: 'A' },
    ]);
  });

  it('shows no archived report, and no role of an archived dataset', async () => {
    const { ctx } = portal.acme;
    const { id, email } = await createPerson();
    const { datasets, reports: added } = await addItems(ctx, portal.datasetFolder, {
      datasets: { brief: { roles: [regionRole('Brief')] } },
      reports: { brief: { dataset: 'brief' } },
    });
    const [datasetId, reportId] = [datasets['brief']!, added['brief']!];
    await linkUsers(ctx, { datasetId, role: 'Brief', usersEmails: [email] });
    const group = randomUUID();
    await createGroup(ctx, { name: group, memberEmails: [email], reports: [reportId] });
    const read = async () => {
      const { reports, totalReports, roles } = await get(`/users/${id}`);
      const { items } = await get(`/groups?search=${group}`);
      return [reports.length, totalReports, roles.length, items[0].reports, items[0].members];
    };
    expect(await read()).toEqual([1, 1, 1, 1, 1]);
    const archived = { archived_at: new Date() };
    await portal.db.updateTable('reports').set(archived).where('id', '=', reportId).execute();
    await portal.db.updateTable('datasets').set(archived).where('id', '=', datasetId).execute();
    expect(await read()).toEqual([0, 0, 0, 0, 1]);
  });

  it('shows the first 500 reports in the order of their names, and the number of all', async () => {
    const { acme, db } = portal;
    const { id } = await createPerson();
    await sql`
      WITH made AS (
        INSERT INTO reports
          (organization_id, id, slug, name, dataset_id, workspace_id, report_type, content, source)
        SELECT organization_id, gen_random_uuid(), 'many-' || n, 'Many ' || n, dataset_id,
          workspace_id, 1, content, source
        FROM reports, generate_series(1001, 1501) AS n
        WHERE organization_id = ${acme.id} AND id = ${acme.reportId}
        RETURNING organization_id, id
      )
      INSERT INTO report_users (organization_id, report_id, user_id)
      SELECT organization_id, id, ${id}::uuid FROM made`.execute(db);
    const { reports, totalReports } = await get(`/users/${id}`);
    expect([reports.length, totalReports]).toEqual([500, 501]);
    expect([reports[0].name, reports.at(-1).name]).toEqual(['Many 1001', 'Many 1500']);
  });
});

it('ids of another organization are unknown', async () => {
  const { acme, globex } = portal;
  const own = (await createPerson()).id;
  const { items } = (await other.send('GET', at('/users?search=west', globex))).json();
  const foreign = items[0].id;
  const roles = (await other.send('GET', at('/choices/roles', globex))).json().items;
  for (const [method, path, code] of [
    ['GET', `/users/${foreign}`, 'user_not_found'],
    ['DELETE', `/users/${foreign}`, 'user_not_found'],
    ['POST', `/users/${foreign}/invitation`, 'user_not_found'],
    ['PUT', `/users/${foreign}/reports/${acme.reportId}`, 'user_not_found'],
    ['PUT', `/users/${own}/reports/${globex.reportId}`, 'unknown_references'],
    ['PUT', `/users/${own}/roles/${roles[0].id}`, 'role_not_found'],
    ['GET', `/groups/${globex.groupId}`, 'group_not_found'],
    ['PUT', `/groups/${globex.groupId}/members/${own}`, 'group_not_found'],
    ['PUT', `/groups/${acme.groupId}/members/${foreign}`, 'user_not_found'],
    ['PUT', `/groups/${acme.groupId}/reports/${globex.reportId}`, 'unknown_references'],
    ['PUT', `/groups/${acme.groupId}/roles/${roles[0].id}`, 'role_not_found'],
  ] as const)
    expectProblem(await admin.send(method, at(path)), code);
});

it('a change of the companies of a user replaces them, and leaves those of other users', async () => {
  const companyId = await createCompany(portal.acme.ctx, randomUUID());
  const [changed, kept] = [await createPerson(), await createPerson()];
  for (const { id } of [changed, kept]) await update(id, { companies: [companyId] });
  const read = async () => [
    (await get(`/users/${changed.id}`)).companies,
    (await get(`/users/${kept.id}`)).companies,
  ];
  expect(await read()).toEqual([[companyId], [companyId]]);
  await update(changed.id, { companies: [] });
  expect(await read()).toEqual([[], [companyId]]);
});

it('a company of another organization cannot be given to a user', async () => {
  const foreign = await createCompany(portal.globex.ctx, randomUUID());
  const { id } = await createPerson();
  expectProblem(await update(id, { companies: [foreign] }), 'unknown_references');
  expect((await get(`/users/${id}`)).companies).toEqual([]);
});

it('the same companies in another order are not logged as a change', async () => {
  const companies = [];
  for (let n = 0; n < 3; n += 1) companies.push(await createCompany(portal.acme.ctx, randomUUID()));
  const { id, email } = await createPerson();
  await update(id, { companies: companies.toSorted() });
  await update(id, { companies: companies.toSorted().toReversed(), department: 'Sales' });
  expect(await listNewest(portal, 1)).toMatchObject([{ action: 'updateUser', subject: email }]);
  expect((await listNewest(portal, 1))[0]!.details).toEqual({ department: 'Sales' });
});

it('the API returns the companies of a user', async () => {
  const name = randomUUID();
  const { id: companyId } = (await admin.send('POST', at('/companies'), { json: { name } })).json();
  const { id, email } = await createPerson();
  expect((await update(id, { companies: [companyId] })).status).toBe(200);
  const { data } = (await portal.api('GET', `/api/user?email=${email}`)).json();
  expect(data).toMatchObject([{ companies: [companyId] }]);
  expectProblem(await update(id, { companies: [randomUUID()] }), 'unknown_references');
  expect((await get('/companies')).companies).toContainEqual({ id: companyId, name, users: 1 });
});
