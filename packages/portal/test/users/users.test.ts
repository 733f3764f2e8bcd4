import { endpointExamples, permissions } from '@portal-embed/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { createGroup } from '../../src/access/create-group.ts';
import { linkReports } from '../../src/access/report-links.ts';
import { linkUsers } from '../../src/access/role-links.ts';
import { listRoles } from '../../src/access/roles.ts';
import { createCompany } from '../../src/companies/service.ts';
import { addMembers } from '../../src/groups/service.ts';
import { presentUser } from '../../src/users/presenter.ts';
import { createUser, listUsers, updateUser } from '../../src/users/service.ts';
import { keyActor } from '../support/actors.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

async function find(email: string) {
  const page = await listUsers(portal.acme.ctx, { email, pageNumber: 1, pageSize: 50 });
  expect(page.data).toHaveLength(1);
  return presentUser(page.data[0]!);
}

it('a user in the list has every field', async () => {
  const { ctx, emails, groupId, groupReportId, id, reportId } = portal.acme;
  const expirationDate = new Date('2099-01-31T12:30:00Z');
  await updateUser(ctx, { userEmail: emails.both, department: 'Sales', expirationDate });
  await sql`UPDATE users SET report_landing_page = 'start', directory_ad_user = 'ad', can_create_report = true
    WHERE organization_id = ${id} AND email = ${emails.both}`.execute(portal.db);
  const { data } = (await portal.api('GET', '/api/user?email=both')).json();
  expect(data).toEqual([
    {
      id: expect.any(String),
      email: emails.both,
      name: 'both',
      role: 3,
      reports: [reportId, groupReportId].toSorted(),
      companies: [],
      groups: [groupId],
      reportLandingPage: 'start',
      department: 'Sales',
      expirationDate: expirationDate.toISOString(),
      directoryAdUser: 'ad',
      canEditReport: false,
      canCreateReport: true,
      canOverwriteReport: false,
    },
  ]);
});

it('a new user has every field of the request, in the answer and in the list', async () => {
  const json = { ...endpointExamples.createUser.body, email: 'example@acme.example' };
  const created = await portal.api('POST', '/api/user', { json });
  expect([created.status, created.json()]).toMatchObject([201, json]);
  const listed = await portal.api('GET', `/api/user?email=${json.email}`);
  expect(listed.json().data).toEqual([created.json()]);
});

it.each([
  ['administrator', 1, true],
  ['contributor', 2, true],
  ['viewer', 3, false],
  ['workspace-contributor', 4, true],
])('a new %s has the role %s and may author reports: %s', async (name, role, mayAuthor) => {
  const email = `${name}@acme.example`;
  const author = {
    canEditReport: mayAuthor,
    canCreateReport: mayAuthor,
    canOverwriteReport: mayAuthor,
  };
  const created = await portal.api('POST', '/api/user', { json: { email, name, role } });
  expect([created.status, created.json()]).toMatchObject([201, { email, name, role, ...author }]);
  expect(await find(email)).toEqual(created.json());
});

it('a change of the role changes the authoring permissions, another change does not', async () => {
  const { ctx, emails } = portal.acme;
  const userEmail = emails.none;
  const all = (may: boolean) => ({
    canEditReport: may,
    canCreateReport: may,
    canOverwriteReport: may,
  });
  await updateUser(ctx, { userEmail, role: 2 });
  expect(await find(userEmail)).toMatchObject({ role: 2, ...all(true) });
  await updateUser(ctx, { userEmail: userEmail.toUpperCase(), name: 'Nobody' });
  expect(await find(userEmail)).toMatchObject({ name: 'Nobody', role: 2, ...all(true) });
  await updateUser(ctx, { userEmail, role: 3 });
  expect(await find(userEmail)).toMatchObject({ name: 'Nobody', ...all(false) });
});

it('the reports, groups and companies of a user are in the order of their ids', async () => {
  const { ctx, emails, reportId, groupReportId } = portal.acme;
  const userEmail = emails.outsider;
  const groups = [];
  const companies = [];
  for (const name of ['A', 'B', 'C', 'D', 'E', 'F']) {
    groups.push(await createGroup(ctx, { name, memberEmails: [userEmail], reports: [] }));
    companies.push(await createCompany(ctx, name));
  }
  await updateUser(ctx, { userEmail, companies });
  await linkReports(ctx, { userEmail, reports: [reportId, groupReportId] });
  expect(await find(userEmail)).toMatchObject({
    reports: [reportId, groupReportId].toSorted(),
    groups: groups.toSorted(),
    companies: companies.toSorted(),
  });
});

it('only an operator can change a user', async () => {
  const { ctx, id, emails } = portal.acme;
  const asKey = { ...ctx, actor: { ...keyActor(id), permissions: new Set(permissions) } };
  const change = updateUser(asKey, { userEmail: emails.west, name: 'X' });
  await expect(change).rejects.toMatchObject({ code: 'missing_permission' });
});

it('users are found by a part of their name or of their e-mail', async () => {
  const json = { email: 'q17@acme.example', name: 'Quentin', role: 3 };
  await portal.api('POST', '/api/user', { json });
  const count = async (query: string) =>
    (await portal.api('GET', `/api/user?${query}`)).json().data.length;
  expect([await count('name=UENT'), await count('name=q17')]).toEqual([1, 0]);
  expect([await count('email=Q17'), await count('email=uent')]).toEqual([1, 0]);
  expect(await count('name=quentin&email=west')).toBe(0);
});

it('the same e-mail in another organization is another user', async () => {
  const { acme, globex } = portal;
  const userEmail = 'same@both.example';
  for (const { apiKey: key } of [acme, globex])
    await portal.api('POST', '/api/user', { key, json: { email: userEmail, name: 'S', role: 3 } });
  await updateUser(globex.ctx, { userEmail, name: 'Theirs', role: 1 });
  expect(await find(userEmail)).toMatchObject({ name: 'S', role: 3 });
  expect((await portal.api('DELETE', `/api/user/${userEmail}`)).status).toBe(204);
  const theirs = await listUsers(globex.ctx, { email: userEmail, pageNumber: 1, pageSize: 1 });
  expect(theirs.data).toHaveLength(1);
});

it('links by e-mail apply to the user of the same organization', async () => {
  const userEmail = 'linked@both.example';
  const sides = [portal.acme, portal.globex];
  for (const { ctx } of sides) await createUser(ctx, { email: userEmail, name: 'L', role: 3 });
  for (const { ctx, datasetId, groupId, reportId, groupReportId } of sides) {
    await linkReports(ctx, { userEmail, reports: [reportId] });
    await addMembers(ctx, { group: 'Leads', memberEmails: [userEmail] });
    await linkUsers(ctx, { datasetId, role: 'West', usersEmails: [userEmail] });
    const { data } = await listUsers(ctx, { email: userEmail, pageNumber: 1, pageSize: 1 });
    const reports = [reportId, groupReportId].toSorted();
    expect(data).toMatchObject([{ reports, groups: [groupId] }]);
    const roles = await listRoles(ctx, { datasetId, pageNumber: 1, pageSize: 50 });
    const west = roles.data.find(({ name }) => name === 'West');
    expect(west?.users).toContain(data[0]!.id);
  }
});
