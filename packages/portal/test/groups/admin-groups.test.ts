import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createGroup } from '../../src/access/create-group.ts';
import { createCompany } from '../../src/companies/service.ts';
import { listNewest } from '../support/activity.ts';
import { type AdminBrowser } from '../support/admin.ts';
import { expectProblem } from '../support/http.ts';
import { addItems, regionRole } from '../support/items.ts';
import { openPeopleStage, type PeopleStage } from '../support/people.ts';

let portal: PeopleStage['portal'];
let admin: PeopleStage['admin'];
let other: PeopleStage['other'];
let at: PeopleStage['at'];
let get: PeopleStage['get'];
let createPerson: PeopleStage['createPerson'];
beforeAll(async () => {
  ({ portal, admin, other, at, get, createPerson } = await openPeopleStage());
});
afterAll(() => portal.close());

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
  const actor = { kind: 'user', id: expect.any(String), name: 'ada@acme.example' };
  for (const entry of entries) expect(entry.actor).toEqual(actor);
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
  const names = Array.from({ length: 21 }, (_, index) => `Choice ${index + 10}`);
  await addItems(portal.acme.ctx, portal.datasetFolder, {
    datasets: { choice: { roles: names.map(regionRole) } },
    reports: Object.fromEntries(
      names.map((name, index) => [`choice-${index}`, { name, dataset: 'choice' }]),
    ),
  });
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
  const shared = at(`/groups/${groupId}/reports/${acme.groupReportId}`);
  await admin.send('PUT', shared);
  expect((await get(`/users/${id}`)).totalReports).toBe(2);
  await admin.send('DELETE', shared);
  expect((await get(`/users/${id}`)).totalReports).toBe(1);
  await admin.send('DELETE', at(`/groups/${groupId}/members/${id}`));
  expect((await get(`/users/${id}`)).totalReports).toBe(0);
});

it('the members of a new group are found whatever the case of their emails', async () => {
  const { id, email } = await createPerson();
  await createGroup(portal.acme.ctx, {
    name: randomUUID(),
    memberEmails: [email.toUpperCase()],
    reports: [portal.acme.reportId],
  });
  expect((await get(`/users/${id}`)).totalReports).toBe(1);
});

it('a group shows its reports and roles by name, without archived reports and datasets', async () => {
  const { ctx } = portal.acme;
  const roles = [regionRole('Two'), regionRole('One')];
  const added = await addItems(ctx, portal.datasetFolder, {
    datasets: { zebra: { name: 'Zebra data', roles }, apple: { name: 'Apple data', roles } },
    reports: {
      zebra: { name: 'Zebra data', dataset: 'zebra' },
      apple: { name: 'Apple data', dataset: 'apple' },
    },
  });
  const reports = Object.values(added.reports);
  const id = await createGroup(ctx, { name: randomUUID(), memberEmails: [], reports });
  const choices = async () => (await get('/choices/roles?search=%20DATA')).items;
  const offered: { id: string }[] = await choices();
  const namesOf = (items: { datasetName: string; name: string }[]) =>
    items.map((role) => `${role.datasetName}: ${role.name}`);
  const all = ['Apple data: One', 'Apple data: Two', 'Zebra data: One', 'Zebra data: Two'];
  expect(namesOf(await choices())).toEqual(all);
  for (const role of offered)
    expect((await admin.send('PUT', at(`/groups/${id}/roles/${role.id}`))).status).toBe(200);
  const before = await get(`/groups/${id}`);
  expect(namesOf(before.roles)).toEqual(all);
  expect(before.reports).toMatchObject([{ name: 'Apple data' }, { name: 'Zebra data' }]);
  const listed = async () => (await get(`/groups?search=${before.name}`)).items;
  expect(await listed()).toMatchObject([{ id, reports: 2 }]);
  const archived = { archived_at: new Date() };
  for (const table of ['datasets', 'reports'] as const)
    await portal.db.updateTable(table).set(archived).where('name', '=', 'Apple data').execute();
  const after = await get(`/groups/${id}`);
  expect(namesOf(after.roles)).toEqual(all.slice(2));
  expect(after.reports).toMatchObject([{ name: 'Zebra data' }]);
  expect(await listed()).toMatchObject([{ id, reports: 1 }]);
  expect(namesOf(await choices())).toEqual(all.slice(2));
  const answer = await admin.send('DELETE', at(`/groups/${id}/roles/${offered[0]!.id}`));
  expectProblem(answer, 'role_not_found');
  expect(answer.json().detail).toBe('This organization has no such role. Search for it.');
  await admin.send('DELETE', at(`/groups/${id}/roles/${offered[2]!.id}`));
  expect(namesOf((await get(`/groups/${id}`)).roles)).toEqual(all.slice(3));
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

it('each change of the links of a group of another organization answers group_not_found', async () => {
  const { acme, globex } = portal;
  const { id } = await createPerson();
  const { items } = await get('/choices/roles?search=west');
  for (const link of [`members/${id}`, `reports/${acme.reportId}`, `roles/${items[0].id}`])
    for (const method of ['PUT', 'DELETE']) {
      const answer = await admin.send(method, at(`/groups/${globex.groupId}/${link}`));
      expectProblem(answer, 'group_not_found');
    }
});
