import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Actor } from '../src/auth/actor.ts';
import { inviteUser } from '../src/auth/sign-in/service.ts';
import { createCompany } from '../src/companies/service.ts';
import { createGroup } from '../src/groups/service.ts';
import { importDataset, importReport } from '../src/reports/service.ts';
import { createRole, linkUsers } from '../src/rls/service.ts';
import { createUser, updateUser } from '../src/users/service.ts';
import { listNewest } from './support/activity.ts';
import { openAdminBrowser, signInAs, testPassword, type AdminBrowser } from './support/admin.ts';
import { expectProblem } from './support/http.ts';
import { createTestOrganization, definition } from './support/organization.ts';
import { startTestPortal, type TestPortal } from './support/portal.ts';

let portal: TestPortal;
/** The administrators of Acme and of Globex. */
let admin: AdminBrowser;
let other: AdminBrowser;
const adminEmail = 'ada@acme.example';
beforeAll(async () => {
  portal = await startTestPortal();
  admin = await signInAs(portal, portal.acme, 1, adminEmail);
  other = await signInAs(portal, portal.globex, 1, 'gus@globex.example');
});
afterAll(() => portal.close());

const at = (path: string, organization = portal.acme) => `/organizations/${organization.id}${path}`;
const get = async (path: string) => (await admin.send('GET', at(path))).json();

/** The id of a user with this e-mail. */
async function idOf(email: string): Promise<string> {
  const { items } = await get(`/users?search=${encodeURIComponent(email)}`);
  // The random name of another user may end with the same letters.
  const found = items.filter((item: { email: string }) => item.email === email);
  expect(found).toHaveLength(1);
  return found[0].id;
}

async function createPerson(fields: { role?: number; reports?: string[] } = {}) {
  const email = `${randomUUID()}@acme.example`;
  const json = { email, name: 'New', role: 3, reports: [], ...fields };
  const answer = await admin.send('POST', at('/users'), { json });
  expect(answer.status).toBe(200);
  return { email, id: answer.json().id as string };
}

async function update(id: string, change: object, browser = admin) {
  const { name, role, department, expirationDate, reportLandingPage, companies, version, ...user } =
    await get(`/users/${id}`);
  const json = {
    name,
    role,
    department,
    expirationDate,
    reportLandingPage,
    companies,
    version,
    canEditReport: user.canEditReport,
    canCreateReport: user.canCreateReport,
    canOverwriteReport: user.canOverwriteReport,
    ...change,
  };
  return browser.send('PUT', at(`/users/${id}`), { json });
}

describe('the list of users', () => {
  it('the list of users finds a part of the name or e-mail, and filters by role, expiry, company and group', async () => {
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

  it('the list of users has pages of 25 users', async () => {
    for (let n = 0; n < 26; n += 1)
      await createUser(portal.acme.ctx, { email: `paged${n}@acme.example`, name: 'P', role: 3 });
    const first = await get('/users?search=paged');
    const second = await get('/users?search=paged&page=2');
    expect([first.items.length, second.items.length]).toEqual([25, 1]);
    expect(second).toMatchObject({ totalCount: 26, totalPages: 2 });
  });

  it('the list of users finds those who expire within 30 days, and marks expired users', async () => {
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

  it('the list of users is sorted by e-mail, and names the companies of each user by name', async () => {
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
  it('a user is created with reports, or not at all', async () => {
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

  it('a user shows access and roles with the source of each', async () => {
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

  it('a user keeps their rights if a change does not name another role', async () => {
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

  it('a user is deleted, and then unknown', async () => {
    const { id } = await createPerson();
    expect((await admin.send('DELETE', at(`/users/${id}`))).status).toBe(200);
    expectProblem(await admin.send('GET', at(`/users/${id}`)), 'user_not_found');
  });

  it('a user is invited with a link that sets the password', async () => {
    const { id } = await createPerson({ role: 2 });
    const { url } = (await admin.send('POST', at(`/users/${id}/invitation`))).json();
    expect(url).toMatch(`${portal.adminUrl}/admin/invitation#`);
    expect((await get(`/users/${id}`)).signIn).toBe('invited');
    const json = { token: url.split('#')[1], password: testPassword };
    await openAdminBrowser(portal).send('POST', '/invitation/accept', { json });
    expect((await get(`/users/${id}`)).signIn).toBe('active');
  });

  it('a user shows their subject at the identity provider', async () => {
    const { id } = await createPerson();
    expect((await get(`/users/${id}`)).directoryAdUser).toBeNull();
    await sql`UPDATE users SET directory_ad_user = 'subject' WHERE id = ${id}`.execute(portal.db);
    expect((await get(`/users/${id}`)).directoryAdUser).toBe('subject');
  });

  it('a user whose invitation has expired is not shown as invited', async () => {
    const { id } = await createPerson({ role: 2 });
    await admin.send('POST', at(`/users/${id}/invitation`));
    await sql`UPDATE admin_invitations SET expires_at = now() - interval '1 second'
      WHERE account_id IN (SELECT id FROM admin_accounts WHERE user_id = ${id})`.execute(portal.db);
    expect((await get(`/users/${id}`)).signIn).toBe('none');
  });

  it('a user shows their groups by name, also those that give a report', async () => {
    const { acme } = portal;
    const { id, email } = await createPerson();
    const tag = randomUUID();
    const reports = [acme.reportId];
    for (const name of [`Zeta ${tag}`, `Alpha ${tag}`])
      await createGroup(acme.ctx, { name, memberEmails: [email], reports });
    const groups = [{ name: `Alpha ${tag}` }, { name: `Zeta ${tag}` }];
    expect(await get(`/users/${id}`)).toMatchObject({ groups, reports: [{ groups }] });
  });

  it('a user shows their roles by the names of dataset and role', async () => {
    const { ctx } = portal.acme;
    const { id, email } = await createPerson();
    const predicate = { column: 'Region', in: ['West'] };
    for (const [dataset, ...names] of [
      ['Zeta', 'A'],
      ['Alpha', 'C', 'B'],
    ] as const) {
      const datasetId = await importDataset(ctx, { name: dataset, file: 'orders.csv' });
      for (const name of names) {
        await createRole(ctx, { datasetId, name, predicate });
        await linkUsers(ctx, { datasetId, role: name, usersEmails: [email] });
      }
    }
    expect((await get(`/users/${id}`)).roles).toMatchObject([
      { datasetName: 'Alpha', name: 'B' },
      { datasetName: 'Alpha', name: 'C' },
      { datasetName: 'Zeta', name: 'A' },
    ]);
  });

  it('a user shows no archived report, and no role of an archived dataset', async () => {
    const { ctx } = portal.acme;
    const { id, email } = await createPerson();
    const datasetId = await importDataset(ctx, { name: 'Brief', file: 'orders.csv' });
    const report = { name: 'Brief', description: null, datasetId, workspaceName: 'Brief' };
    const reportId = await importReport(ctx, { ...report, definition });
    const predicate = { column: 'Region', in: ['West'] };
    await createRole(ctx, { datasetId, name: 'Brief', predicate });
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

  it('a user shows the first 500 reports by name, and the number of all', async () => {
    const { acme, db } = portal;
    const { id } = await createPerson();
    await sql`
      WITH made AS (
        INSERT INTO reports
          (organization_id, id, name, dataset_id, workspace_id, report_type, definition)
        SELECT organization_id, gen_random_uuid(), 'Many ' || n, dataset_id, workspace_id, 1, '{}'
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

describe('the last administrator', () => {
  it('the last administrator cannot demote, expire or delete themselves until another one who never expires has signed in', async () => {
    const id = await idOf(adminEmail);
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const attempts = [
      () => update(id, { role: 2 }),
      () => update(id, { expirationDate: soon }),
      () => admin.send('DELETE', at(`/users/${id}`)),
    ];
    for (const attempt of attempts) expectProblem(await attempt(), 'last_administrator');
    await createPerson({ role: 1 });
    for (const attempt of attempts) expectProblem(await attempt(), 'last_administrator');
    expect((await get(`/users/${id}`)).role).toBe(1);

    const email = `${randomUUID()}@acme.example`;
    const second = await signInAs(portal, portal.acme, 1, email);
    const secondId = await idOf(email);
    await update(secondId, { expirationDate: soon });
    for (const attempt of attempts) expectProblem(await attempt(), 'last_administrator');
    await update(secondId, { expirationDate: null });
    const answers = await Promise.all([
      second.send('DELETE', at(`/users/${id}`)),
      admin.send('DELETE', at(`/users/${secondId}`)),
    ]);
    const codes = answers.map((answer) => answer.status).toSorted((a, b) => a - b);
    expect(codes[0]).toBe(200);
    expect(codes[1]).toBeGreaterThanOrEqual(401);
    // Whichever of the two is left can sign in.
    admin = answers[0].status === 200 ? second : admin;
    expect((await admin.send('GET', '/session')).status).toBe(200);
  });

  it('the last administrator whose access ends anyway can extend it, but not shorten it', async () => {
    const { db, publicUrl } = portal;
    const { ctx } = await createTestOrganization({ db, publicUrl }, 'initech');
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    const email = 'ines@initech.example';
    const { id } = await createUser(ctx, { email, name: 'Ines', role: 1 });
    const setEnd = (
      expirationDate: Date | null,
      actor: Actor = { kind: 'user', id, email, role: 1 },
    ) => updateUser({ ...ctx, actor }, { userEmail: email, expirationDate });
    await setEnd(inDays(10), ctx.actor);
    await expect(setEnd(inDays(9))).rejects.toMatchObject({ code: 'last_administrator' });
    expect(await setEnd(inDays(11))).toMatchObject({ expiration_date: expect.any(Date) });
    expect(await setEnd(null)).toMatchObject({ expiration_date: null });
    await expect(setEnd(inDays(9))).rejects.toMatchObject({ code: 'last_administrator' });
  });

  it('an administrator counts as another one only with a password that is accepted or a sign-in of the identity provider', async () => {
    const { db, publicUrl } = portal;
    const { ctx, id: organizationId } = await createTestOrganization({ db, publicUrl }, 'hooli');
    const email = 'hal@hooli.example';
    const { id } = await createUser(ctx, { email, name: 'Hal', role: 1 });
    const second = await createUser(ctx, { email: 'ivy@hooli.example', name: 'Ivy', role: 1 });
    await inviteUser(ctx, { email: second.email });
    let days = 1_000;
    const expireEarlier = () => {
      days -= 1;
      const expirationDate = new Date(Date.now() + days * 86_400_000);
      const actor: Actor = { kind: 'user', id, email, role: 1 };
      return updateUser({ ...ctx, actor }, { userEmail: email, expirationDate });
    };
    const setState = async (state: {
      password: string | null;
      subject: string | null;
      provider?: { passwords: boolean };
    }) => {
      const own = sql`organization_id = ${organizationId}`;
      await sql`UPDATE admin_accounts SET password_hash = ${state.password} WHERE ${own}`.execute(
        db,
      );
      await sql`UPDATE users SET directory_ad_user = ${state.subject}
        WHERE ${own} AND id = ${second.id}`.execute(db);
      await sql`DELETE FROM organization_oidc WHERE ${own}`.execute(db);
      if (state.provider)
        await sql`INSERT INTO organization_oidc (organization_id, issuer, client_id, passwords)
          VALUES (${organizationId}, 'https://login.example', 'x', ${state.provider.passwords})`.execute(
          db,
        );
    };
    // The provider of another organization has no say.
    const { id: foreign } = await createTestOrganization({ db, publicUrl }, 'umbrella');
    await sql`INSERT INTO organization_oidc (organization_id, issuer, client_id, passwords)
      VALUES (${foreign}, 'https://login.example', 'x', true)`.execute(db);
    const [only, both] = [{ passwords: false }, { passwords: true }];
    for (const state of [
      { password: 'hash', subject: null },
      { password: 'hash', subject: null, provider: both },
      { password: null, subject: 'ivy', provider: only },
    ]) {
      await setState(state);
      expect(await expireEarlier()).toMatchObject({ email });
    }
    for (const state of [
      { password: null, subject: null },
      { password: null, subject: 'ivy' },
      { password: null, subject: null, provider: both },
      { password: 'hash', subject: null, provider: only },
    ]) {
      await setState(state);
      await expect(expireEarlier()).rejects.toMatchObject({ code: 'last_administrator' });
    }
  });

  it('an operator can delete the last administrator', async () => {
    const operator = await signInAs(portal, portal.globex, 'operator', 'op@portal.example');
    const path = at('/users', portal.globex);
    const { items } = (await operator.send('GET', `${path}?role=1`)).json();
    expect(items).toMatchObject([{ email: 'gus@globex.example' }]);
    expect((await operator.send('DELETE', `${path}/${items[0].id}`)).status).toBe(200);
    other = await signInAs(portal, portal.globex, 1, 'gil@globex.example');
  });
});

describe.each([
  ['group', '/groups', 'group_exists', 'group_not_found'],
  ['company', '/companies', 'company_exists', 'company_not_found'],
] as const)('a %s', (_, path, exists, unknown) => {
  it('a group or company is created, renamed and deleted, and its name is unique', async () => {
    const [name, taken] = [randomUUID(), randomUUID()];
    const create = (json: object) => admin.send('POST', at(path), { json });
    const { id } = (await create({ name })).json();
    await create({ name: taken });
    expectProblem(await create({ name }), exists);
    const rename = (json: object, browser = admin, organization = portal.acme) =>
      browser.send('PUT', at(`${path}/${id}`, organization), { json });
    expectProblem(await rename({ name: taken, baseName: name }), exists);
    expectProblem(await rename({ name: 'x', baseName: 'older' }), 'stale_version');
    const renamed = randomUUID();
    expect((await rename({ name: renamed, baseName: name })).status).toBe(200);
    expect(await listNewest(portal, 1)).toMatchObject([
      { subject: name, details: { id, name: renamed }, refusal: null },
    ]);
    expectProblem(await rename({ name: 'x', baseName: renamed }, other, portal.globex), unknown);
    const remove = (browser: AdminBrowser, organization = portal.acme) =>
      browser.send('DELETE', at(`${path}/${id}`, organization));
    expectProblem(await remove(other, portal.globex), unknown);
    expect((await remove(admin)).status).toBe(200);
    expectProblem(await remove(admin), unknown);
    expect(await listNewest(portal, 2)).toMatchObject([
      { refusal: unknown, subject: id },
      { refusal: null, subject: renamed },
    ]);
  });
});

it.each([
  ['groups', 'createGroup', 'renameGroup', 'deleteGroup'],
  ['companies', 'createCompany', 'renameCompany', 'deleteCompany'],
] as const)('changes of %s are recorded as %s, %s and %s', async (list, ...actions) => {
  const [baseName, name] = [randomUUID(), randomUUID()];
  const path = at(`/${list}`);
  const { id } = (await admin.send('POST', path, { json: { name: baseName } })).json();
  await admin.send('PUT', `${path}/${id}`, { json: { name, baseName } });
  await admin.send('DELETE', `${path}/${id}`);
  const entries = await listNewest(portal, 3);
  expect(entries.map(({ action }) => action)).toEqual(actions.toReversed());
});

it('groups are found by a part of their name', async () => {
  const { groupId } = portal.acme;
  const shift = await createGroup(portal.acme.ctx, {
    name: 'Night shift',
    memberEmails: [],
    reports: [],
  });
  const idsOf = async (query: string) =>
    (await get(`/groups${query}`)).items.map(({ id }: { id: string }) => id);
  expect(await idsOf('?search=SHIFT')).toEqual([shift]);
  expect(await idsOf('?search=lead')).toEqual([groupId]);
  for (const wildcard of ['l_ad', 'l%25d']) expect(await idsOf(`?search=${wildcard}`)).toEqual([]);
  expect(await idsOf('')).toEqual(expect.arrayContaining([groupId, shift]));
});

it('the list of groups has pages of 25 groups by name, each with its members and reports', async () => {
  const { ctx, emails, reportId } = portal.acme;
  const tag = randomUUID();
  const members = { memberEmails: [emails.west, emails.east], reports: [reportId] };
  await createGroup(ctx, { name: `${tag} 99`, ...members });
  for (let n = 10; n < 35; n += 1)
    await createGroup(ctx, { name: `${tag} ${n}`, memberEmails: [], reports: [] });
  const first = await get(`/groups?search=${tag}`);
  const names = first.items.map(({ name }: { name: string }) => name);
  expect(names).toEqual(Array.from({ length: 25 }, (_, index) => `${tag} ${index + 10}`));
  expect(first).toMatchObject({ totalCount: 26, totalPages: 2 });
  const { items } = await get(`/groups?search=${tag}&page=2`);
  expect(items).toMatchObject([{ name: `${tag} 99`, members: 2, reports: 1 }]);
});

it('the reports that can be given are found by a part of their name', async () => {
  const { groupReportId: id } = portal.acme;
  const { items } = await get('/choices/reports?search=the%20GROUP');
  expect(items).toEqual([{ id, name: 'Orders of the group', workspaceName: 'Leads' }]);
});

it('at most 20 reports and roles are offered at once', async () => {
  const { ctx } = portal.acme;
  const datasetId = await importDataset(ctx, { name: 'Choice', file: 'orders.csv' });
  const report = { description: null, datasetId, workspaceName: 'Choice', definition };
  const predicate = { column: 'Region', in: ['West'] };
  for (let n = 10; n < 31; n += 1) {
    await importReport(ctx, { ...report, name: `Choice ${n}` });
    await createRole(ctx, { datasetId, name: `Choice ${n}`, predicate });
  }
  for (const list of ['reports', 'roles']) {
    const { items } = await get(`/choices/${list}?search=choice`);
    expect([items.length, items[0].name, items[19].name]).toEqual([20, 'Choice 10', 'Choice 29']);
  }
});

it('a group gives its members reports', async () => {
  const { acme } = portal;
  const groupId = await createGroup(acme.ctx, {
    name: randomUUID(),
    memberEmails: [],
    reports: [],
  });
  const { id } = await createPerson();
  await admin.send('PUT', at(`/groups/${groupId}/members/${id}`));
  await admin.send('PUT', at(`/groups/${groupId}/reports/${acme.reportId}`));
  expect(await get(`/groups/${groupId}`)).toMatchObject({
    reports: [{ id: acme.reportId, name: 'Orders', workspaceName: 'Sales' }],
    roles: [],
  });
  expect((await get(`/users/${id}`)).totalReports).toBe(1);
  await admin.send('DELETE', at(`/groups/${groupId}/members/${id}`));
  expect((await get(`/users/${id}`)).totalReports).toBe(0);
});

it('a group shows its reports and roles by name, without archived reports and datasets', async () => {
  const { ctx } = portal.acme;
  const reports = [];
  for (const name of ['Zebra data', 'Apple data']) {
    const datasetId = await importDataset(ctx, { name, file: 'orders.csv' });
    const report = { name, description: null, datasetId, workspaceName: name, definition };
    reports.push(await importReport(ctx, report));
    for (const role of ['Two', 'One'])
      await createRole(ctx, { datasetId, name: role, predicate: { column: 'Region', in: ['X'] } });
  }
  const id = await createGroup(ctx, { name: randomUUID(), memberEmails: [], reports });
  const choices = async () => (await get('/choices/roles?search=%20DATA')).items;
  const roles: { id: string }[] = await choices();
  const namesOf = (items: { datasetName: string; name: string }[]) =>
    items.map((role) => `${role.datasetName}: ${role.name}`);
  const all = ['Apple data: One', 'Apple data: Two', 'Zebra data: One', 'Zebra data: Two'];
  expect(namesOf(await choices())).toEqual(all);
  for (const role of roles)
    expect((await admin.send('PUT', at(`/groups/${id}/roles/${role.id}`))).status).toBe(200);
  const before = await get(`/groups/${id}`);
  expect(namesOf(before.roles)).toEqual(all);
  expect(before.reports).toMatchObject([{ name: 'Apple data' }, { name: 'Zebra data' }]);
  const archived = { archived_at: new Date() };
  for (const table of ['datasets', 'reports'] as const)
    await portal.db.updateTable(table).set(archived).where('name', '=', 'Apple data').execute();
  const after = await get(`/groups/${id}`);
  expect(namesOf(after.roles)).toEqual(all.slice(2));
  expect(after.reports).toMatchObject([{ name: 'Zebra data' }]);
  expect(namesOf(await choices())).toEqual(all.slice(2));
  const answer = await admin.send('DELETE', at(`/groups/${id}/roles/${roles[0]!.id}`));
  expectProblem(answer, 'role_not_found');
  expect(answer.json().detail).toBe('This organization has no such role. Search for it.');
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

it('companies are listed by name, without those of another organization', async () => {
  const { acme, globex } = portal;
  const tag = randomUUID();
  for (const name of [`Zeta ${tag}`, `Alpha ${tag}`]) await createCompany(acme.ctx, name);
  await createCompany(globex.ctx, `Foreign ${tag}`);
  const { companies } = await get('/companies');
  const names = companies.map(({ name }: { name: string }) => name);
  expect(names.filter((name: string) => name.includes(tag))).toEqual([
    `Alpha ${tag}`,
    `Zeta ${tag}`,
  ]);
});

it('a new company is recorded with its name and id', async () => {
  const name = randomUUID();
  const { id } = (await admin.send('POST', at('/companies'), { json: { name } })).json();
  expect(await listNewest(portal, 1)).toMatchObject([
    { action: 'createCompany', subject: name, details: { id } },
  ]);
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

it('the same companies in another order are no change of a user', async () => {
  const companies = [];
  for (let n = 0; n < 3; n += 1) companies.push(await createCompany(portal.acme.ctx, randomUUID()));
  const { id, email } = await createPerson();
  await update(id, { companies: companies.toSorted() });
  await update(id, { companies: companies.toSorted().toReversed(), department: 'Sales' });
  expect(await listNewest(portal, 1)).toMatchObject([{ action: 'updateUser', subject: email }]);
  expect((await listNewest(portal, 1))[0]!.details).toEqual({ department: 'Sales' });
});

it('a group of another organization is unknown to each change of its links', async () => {
  const { acme, globex } = portal;
  const { id } = await createPerson();
  const { items } = await get('/choices/roles?search=west');
  for (const link of [`members/${id}`, `reports/${acme.reportId}`, `roles/${items[0].id}`])
    for (const method of ['PUT', 'DELETE']) {
      const answer = await admin.send(method, at(`/groups/${globex.groupId}/${link}`));
      expectProblem(answer, 'group_not_found');
    }
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
