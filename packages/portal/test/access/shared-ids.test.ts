import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { createGroup } from '../../src/access/create-group.ts';
import { listReadableReports } from '../../src/access/readable-reports.ts';
import { linkGroupReports } from '../../src/access/report-links.ts';
import { linkReports, unlinkReports } from '../../src/access/report-links.ts';
import { findReportSource } from '../../src/access/report-source-store.ts';
import { linkUsers } from '../../src/access/role-links.ts';
import { listRoles } from '../../src/access/roles.ts';
import { findVisibleRows } from '../../src/access/visible-rows.ts';
import { listReports } from '../../src/catalogue/service.ts';
import { addMembers, findGroup, listGroups } from '../../src/groups/service.ts';
import { setUnappliedFilters } from '../../src/organizations/service.ts';
import { listSessions } from '../../src/viewer-sessions/service.ts';
import { addItems, regionRole } from '../support/items.ts';
import { type TestOrganization } from '../support/organization.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { listSides, type Side } from '../support/sides.ts';
import { startSession } from '../support/viewer.ts';

// Organizations may use the same IDs for their datasets and reports.
const datasetId = randomUUID();
const reportId = randomUUID();
const page = { pageNumber: 1, pageSize: 50 };

let portal: TestPortal;
let sides: Side[];
beforeAll(async () => {
  portal = await startTestPortal();
  sides = listSides(portal);
  for (const { organization, ctx, own } of sides) {
    await addItems(ctx, portal.datasetFolder, {
      datasets: { [own]: { id: datasetId } },
      reports: {
        [own]: {
          id: reportId,
          name: `Shared ${own}`,
          description: `About ${own}`,
          workspace: own,
          dataset: own,
        },
      },
    });
    await linkReports(ctx, { userEmail: organization.emails.west, reports: [reportId] });
  }
});
afterAll(() => portal.close());

const findUserId = async ({ id, emails }: TestOrganization) => {
  const { id: userId } = await portal.db
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', id)
    .where('email', '=', emails.west)
    .executeTakeFirstOrThrow();
  return userId;
};

it('a report with the ID of another organization’s report is listed with its own fields', async () => {
  for (const { organization, ctx, own } of sides) {
    const { data } = await listReports(ctx, { ...page, reportName: 'Shared' });
    const row = {
      organization_id: organization.id,
      id: reportId,
      name: `Shared ${own}`,
      description: `About ${own}`,
      dataset_id: datasetId,
      report_type: 1,
      workspace_name: own,
    };
    expect(data).toMatchObject([row]);
    const userId = await findUserId(organization);
    const reader = { organizationId: organization.id, userId, reportId };
    expect(await listReadableReports(portal.db, reader)).toMatchObject([row]);
  }
});

it('the API lists a report with every field', async () => {
  const { acme, publicUrl } = portal;
  const answer = await portal.api('GET', '/api/report?reportName=Shared');
  expect(answer.json().data).toEqual([
    {
      id: reportId,
      name: 'Shared acme',
      description: 'About acme',
      datasetId,
      embedUrl: `${publicUrl}/organizations/${acme.id}/reports/${reportId}`,
      workspaceId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      reportType: 1,
      folderId: null,
      workspaceName: 'acme',
      userOwner: null,
    },
  ]);
});

it('a report is computed from the dataset and with the settings of its own organization', async () => {
  const { acme, globex } = portal;
  await setUnappliedFilters(globex.ctx, 'refuse');
  const sourceOf = async (organization: TestOrganization) => {
    const userId = await findUserId(organization);
    const reader = { organizationId: organization.id, userId, reportId };
    return findReportSource(portal.db, reader);
  };
  expect(await sourceOf(acme)).toMatchObject({
    dataset: { name: 'acme' },
    unappliedFilters: 'note',
  });
  expect(await sourceOf(globex)).toMatchObject({
    dataset: { name: 'globex' },
    unappliedFilters: 'refuse',
  });
  await setUnappliedFilters(globex.ctx, 'note');
});

it('roles of a dataset do not restrict another organization’s dataset with the same ID', async () => {
  const { acme, globex, db } = portal;
  const rowsOf = async (organization: TestOrganization) => {
    const { id: organizationId } = organization;
    const reader = { organizationId, userId: await findUserId(organization), datasetId };
    return (await findVisibleRows(db, reader))?.rows;
  };
  const restrict = ({ ctx }: TestOrganization, slug: string, region: string) => {
    const roles = [{ ...regionRole(region), name: 'West' }];
    return addItems(ctx, portal.datasetFolder, { datasets: { [slug]: { roles } } });
  };
  await restrict(acme, 'acme', 'West');
  expect([await rowsOf(acme), await rowsOf(globex)]).toEqual([
    { access: 'by-role', roles: [] },
    { access: 'everyone' },
  ]);
  await restrict(globex, 'globex', 'East');
  await linkUsers(acme.ctx, { datasetId, role: 'West', usersEmails: [acme.emails.west] });
  expect([await rowsOf(acme), await rowsOf(globex)]).toEqual([
    { access: 'by-role', roles: [{ name: 'West', definition: regionRole('West').rows }] },
    { access: 'by-role', roles: [] },
  ]);
  const listed = await listRoles(globex.ctx, { ...page, datasetId });
  expect(listed.data).toMatchObject([{ users: [], user_emails: [] }]);
});

it('roles are listed by dataset, then by name', async () => {
  const { ctx } = portal.acme;
  const ids = ['00000000-0000-4000-8000-000000000000', 'ffffffff-ffff-4fff-bfff-ffffffffffff'];
  const roles = [regionRole('Z'), regionRole('A')];
  await addItems(ctx, portal.datasetFolder, {
    datasets: Object.fromEntries(ids.toReversed().map((id) => [id, { id, roles }])),
  });
  const { data } = await listRoles(ctx, page);
  const found = data.filter((role) => ids.includes(role.dataset_id));
  expect(found.map((role) => role.name)).toEqual(['A', 'Z', 'A', 'Z']);
});

it('a role of one dataset is not changed through the role with the same name in another', async () => {
  const { acme } = portal;
  const { emails } = acme;
  const other = { datasetId, role: 'West', usersEmails: [emails.none, emails.east] };
  const own = async () =>
    (await portal.api('GET', `/api/datasets/rls?datasetId=${acme.datasetId}`)).json().data;
  const before = await own();
  await linkUsers(acme.ctx, other);
  expect(await own()).toEqual(before);
  const answer = await portal.api('GET', `/api/datasets/rls?datasetId=${datasetId}`);
  const [role] = answer.json().data;
  expect(role).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: 'West',
    users: expect.any(Array),
    groups: [],
    datasetId,
    userEmails: expect.arrayContaining([emails.none, emails.east, emails.west]),
  });
  const users = (await portal.api('GET', '/api/user?pageSize=200')).json().data;
  const emailOf = (id: string) => users.find((user: { id: string }) => user.id === id)?.email;
  expect(role.users.map(emailOf)).toEqual(role.userEmails);
});

it('unlinking a report does not unlink another organization’s report with the same ID', async () => {
  const { acme, globex, db } = portal;
  await unlinkReports(acme.ctx, { userEmail: acme.emails.west, reports: [reportId] });
  const readable = async (organization: TestOrganization) => {
    const userId = await findUserId(organization);
    const reader = { organizationId: organization.id, userId, reportId };
    return (await listReadableReports(db, reader)).length;
  };
  expect([await readable(acme), await readable(globex)]).toEqual([0, 1]);
});

it('the list of sessions names the report of its own organization', async () => {
  for (const { organization, ctx, own } of sides) {
    await linkReports(ctx, { userEmail: organization.emails.west, reports: [reportId] });
    const userEmail = organization.emails.west;
    await startSession(portal, organization, { userEmail, reportId });
    const listed = await listSessions(ctx, { userEmail, limit: 10 });
    expect(listed).toMatchObject([{ report_id: reportId, report_name: `Shared ${own}` }]);
    expect(listed).toHaveLength(1);
  }
});

it('the statements of the hot path are prepared', async () => {
  const { acme, db } = portal;
  const reader = { organizationId: acme.id, userId: await findUserId(acme), reportId };
  await db.transaction().execute(async (transaction) => {
    await listReadableReports(transaction, reader);
    const { rows } = await sql`
      SELECT name FROM pg_prepared_statements WHERE name = 'find_readable_report'`.execute(
      transaction,
    );
    expect(rows).toHaveLength(1);
  });
});

it('a group with the ID of another organization’s group has its own numbers of members and reports', async () => {
  const id = randomUUID();
  for (const [index, { organization, own }] of sides.entries()) {
    const { id: organization_id, emails } = organization;
    await portal.db.insertInto('groups').values({ organization_id, id, name: own }).execute();
    const change = { group: own, memberEmails: [emails.west, emails.east].slice(index) };
    await addMembers(organization.ctx, change);
    const reports = [reportId, organization.reportId].slice(index);
    await linkGroupReports(organization.ctx, { group: own, reports });
  }
  for (const [index, { ctx }] of sides.entries()) {
    const listed = (await listGroups(ctx)).filter((group) => group.id === id);
    expect(listed).toMatchObject([{ members: 2 - index, reports: 2 - index }]);
  }
});

it('a group with the name of another organization’s group is found in its own organization', async () => {
  const group = 'Shared';
  const ids = [];
  for (const { ctx } of sides)
    ids.push(await createGroup(ctx, { name: group, memberEmails: [], reports: [] }));
  for (const [index, { ctx, organization }] of sides.entries()) {
    expect(await findGroup(ctx, group)).toBe(ids[index]);
    await addMembers(ctx, { group, memberEmails: [organization.emails.west] });
    const listed = await listGroups(ctx);
    expect(listed.filter(({ name }) => name === group)).toMatchObject([{ members: 1 }]);
  }
});
