import { randomUUID } from 'node:crypto';
import path from 'node:path';

import { sql } from 'kysely';
import { send } from 'testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Context } from '../src/auth/actor.ts';
import { findSessionSubject, saveSubject } from '../src/auth/oidc/store.ts';
import { inviteUser } from '../src/auth/sign-in/service.ts';
import { ensureAccount } from '../src/auth/sign-in/store.ts';
import { createCompany } from '../src/companies/service.ts';
import {
  addMembers,
  createGroup,
  findGroup,
  linkGroupReports,
  listGroups,
} from '../src/groups/service.ts';
import { setUnappliedFilters } from '../src/organizations/service.ts';
import {
  importDataset,
  importReport,
  linkReports,
  listReports,
  unlinkReports,
} from '../src/reports/service.ts';
import { findReportSource, listReadableReports } from '../src/reports/store.ts';
import { createRole, findVisibleRows, linkUsers, listRoles } from '../src/rls/service.ts';
import { sha256 } from '../src/secrets.ts';
import { findPeople, findUserAccess, listUsers, updateUser } from '../src/users/service.ts';
import { endSessions, listSessions, requireSession } from '../src/viewer-sessions/service.ts';
import type { ViewerSession } from '../wire/viewer.ts';
import { openAdminBrowser, signInAs, testPassword, type AdminBrowser } from './support/admin.ts';
import { insertAuditEntries } from './support/audit.ts';
import { apply, ordersDataset, ordersReport, writeFiles } from './support/content-files.ts';
import { definition, ordersCsv, type TestOrganization } from './support/organization.ts';
import { startTestPortal, type TestPortal } from './support/portal.ts';
import { startSession, view } from './support/viewer.ts';

// Organizations may use the same IDs for their datasets and reports.
const datasetId = randomUUID();
const reportId = randomUUID();
const page = { pageNumber: 1, pageSize: 50 };

let portal: TestPortal;
let sides: { organization: TestOrganization; ctx: Context; own: string }[];
beforeAll(async () => {
  portal = await startTestPortal();
  sides = [portal.acme, portal.globex].map((organization) => ({
    organization,
    ctx: organization.ctx,
    own: new URL(organization.address).hostname.split('.')[0]!,
  }));
  for (const { organization, ctx, own } of sides) {
    await importDataset(ctx, { id: datasetId, name: own, file: `${own}.csv` });
    await importReport(ctx, {
      id: reportId,
      name: `Shared ${own}`,
      description: `About ${own}`,
      datasetId,
      workspaceName: own,
      definition,
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
  expect(await findReportSource(portal.db, acme.id, reportId)).toMatchObject({
    dataset_name: 'acme',
    dataset_file: 'acme.csv',
    unapplied_filters: 'note',
  });
  expect(await findReportSource(portal.db, globex.id, reportId)).toMatchObject({
    dataset_name: 'globex',
    dataset_file: 'globex.csv',
    unapplied_filters: 'refuse',
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
  const predicate = { column: 'Region', in: ['West'] };
  const role = { datasetId, name: 'West' };
  await createRole(acme.ctx, { ...role, predicate });
  expect([await rowsOf(acme), await rowsOf(globex)]).toEqual([[], ['all']]);
  await createRole(globex.ctx, { ...role, predicate: { column: 'Region', in: ['East'] } });
  await linkUsers(acme.ctx, { ...role, role: role.name, usersEmails: [acme.emails.west] });
  expect([await rowsOf(acme), await rowsOf(globex)]).toEqual([[predicate], []]);
  const listed = await listRoles(globex.ctx, { ...page, datasetId });
  expect(listed.data).toMatchObject([{ users: [], user_emails: [] }]);
});

it('roles are listed by dataset, then by name', async () => {
  const { ctx } = portal.acme;
  const ids = ['00000000-0000-4000-8000-000000000000', 'ffffffff-ffff-4fff-bfff-ffffffffffff'];
  const predicate = { column: 'Region', in: ['West'] };
  for (const id of ids.toReversed()) {
    await importDataset(ctx, { id, name: id, file: 'orders.csv' });
    for (const name of ['Z', 'A']) await createRole(ctx, { datasetId: id, name, predicate });
  }
  const { data } = await listRoles(ctx, page);
  const found = data.filter((role) => ids.includes(role.dataset_id));
  expect(found.map((role) => role.name)).toEqual(['A', 'Z', 'A', 'Z']);
});

it('a role with an invalid predicate is neither created nor used', async () => {
  const { ctx, id: organizationId } = portal.acme;
  const own = await importDataset(ctx, { name: 'Own', file: 'orders.csv' });
  const role = { datasetId: own, name: 'Broken', predicate: { column: 'Region', in: ['West'] } };
  const predicate = { column: 'Region' };
  await expect(createRole(ctx, { ...role, predicate: predicate as never })).rejects.toThrow('in');
  await createRole(ctx, role);
  const { west } = portal.acme.emails;
  await linkUsers(ctx, { datasetId: own, role: role.name, usersEmails: [west] });
  await sql`UPDATE rls_roles SET predicate = ${JSON.stringify(predicate)}::jsonb
    WHERE dataset_id = ${own}`.execute(portal.db);
  const reader = { organizationId, userId: await findUserId(portal.acme), datasetId: own };
  await expect(findVisibleRows(portal.db, reader)).rejects.toThrow('in');
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

it('a user with the ID of another organization’s user has the links of their own organization', async () => {
  const id = randomUUID();
  const email = 'same@id.example';
  const links = [];
  for (const { ctx, organization } of sides) {
    await sql`
      INSERT INTO users (organization_id, id, email, email_key, name, role,
        can_edit_report, can_create_report, can_overwrite_report)
      VALUES (${organization.id}, ${id}, ${email}, ${email}, 'Same', 3, false, false, false)`.execute(
      portal.db,
    );
    const reports = [organization.reportId];
    const group = await createGroup(ctx, { name: 'Same', memberEmails: [email], reports: [] });
    await linkReports(ctx, { userEmail: email, reports });
    links.push({ id, reports, groups: [group] });
  }
  for (const [index, { ctx }] of sides.entries())
    expect((await listUsers(ctx, { ...page, email })).data).toMatchObject([links[index]!]);
});

it('the rows of a user with the ID of another organization’s user depend on their own organization', async () => {
  const id = randomUUID();
  const email = 'twin@id.example';
  for (const { ctx, organization, own } of sides) {
    await sql`
      INSERT INTO users (organization_id, id, email, email_key, name, role, department,
        can_edit_report, can_create_report, can_overwrite_report)
      VALUES (${organization.id}, ${id}, ${email}, ${email}, 'Twin', 3, ${own}, false, false, false)`.execute(
      portal.db,
    );
    await createGroup(ctx, { name: `Group of ${own}`, memberEmails: [email], reports: [] });
    const companies = [await createCompany(ctx, `Company of ${own}`)];
    await updateUser(ctx, { userEmail: email, companies });
  }
  for (const { organization, own } of sides) {
    const reader = { organizationId: organization.id, userId: id, datasetId };
    expect(await findVisibleRows(portal.db, reader)).toMatchObject({
      department: own,
      groups: [`Group of ${own}`],
      companies: [`Company of ${own}`],
    });
  }
});

it('a user with the ID of another organization’s user is shown, found and changed in their own organization', async () => {
  const id = randomUUID();
  const email = 'double@id.example';
  for (const { organization } of sides)
    await sql`
      INSERT INTO users (organization_id, id, email, email_key, name, role,
        can_edit_report, can_create_report, can_overwrite_report)
      VALUES (${organization.id}, ${id}, ${email}, ${email}, 'Double', 2, true, true, true)`.execute(
      portal.db,
    );
  const [ours, theirs] = sides.map(({ ctx }) => ctx) as [Context, Context];
  const groupId = await createGroup(ours, { name: 'Double', memberEmails: [email], reports: [] });
  const companyId = await createCompany(ours, 'Double');
  const link = { userEmail: email, reports: [reportId] };
  await linkReports(ours, link);
  await inviteUser(ours, { email });
  await updateUser(ours, { userEmail: email, department: 'Ours', companies: [companyId] });
  const nothing = { groups: [], reports: [], totalReports: 0, roles: [], signIn: 'none' };
  expect(await findUserAccess(theirs, id)).toEqual(nothing);
  expect(await findUserAccess(ours, id)).toMatchObject({
    groups: [{ id: groupId }],
    totalReports: 1,
    signIn: 'invited',
  });
  for (const filter of [{ groupId }, { companyId }])
    expect((await findPeople(theirs, { ...page, ...filter })).rows).toEqual([]);
  const read = async () => {
    const { rows } = await findPeople(theirs, { ...page, search: email });
    const { totalReports } = await findUserAccess(theirs, id);
    return [rows[0]!.department, rows[0]!.companies.map(({ name }) => name), totalReports];
  };
  expect(await read()).toEqual(['', [], 0]);
  await linkReports(theirs, link);
  const own = await createCompany(theirs, 'Theirs');
  await updateUser(theirs, { userEmail: email, department: 'Theirs', companies: [own] });
  await unlinkReports(ours, link);
  await updateUser(ours, { userEmail: email, department: '', companies: [] });
  expect(await read()).toEqual(['Theirs', ['Theirs'], 1]);
});

describe('users with one ID in two organizations', () => {
  const insertTwins = async (role: 1 | 3) => {
    const id = randomUUID();
    const emails: string[] = [];
    for (const { organization, own } of sides) {
      const email = `${id}@${own}.example`;
      await sql`
        INSERT INTO users (organization_id, id, email, email_key, name, role,
          can_edit_report, can_create_report, can_overwrite_report)
        VALUES (${organization.id}, ${id}, ${email}, ${email}, ${own}, ${role}, false, false, false)`.execute(
        portal.db,
      );
      emails.push(email);
    }
    return { id, emails };
  };

  it('users with one ID in two organizations have sessions of their own', async () => {
    const { emails } = await insertTwins(3);
    const sessions: ViewerSession[] = [];
    for (const [index, { organization, own }] of sides.entries()) {
      const session = await startSession(portal, organization, { userEmail: emails[index]! });
      expect(session.user).toEqual({ name: own, email: emails[index] });
      sessions.push(session);
    }
    const isLive = (index: number) =>
      requireSession(portal.db, {
        bearer: sessions[index]!.bearer,
        address: sides[index]!.organization.address,
      }).then(
        ({ userName }) => userName,
        () => false,
      );
    expect([await isLive(0), await isLive(1)]).toEqual(['acme', 'globex']);
    await updateUser(sides[0]!.ctx, { userEmail: emails[0]!, expirationDate: new Date() });
    expect([await isLive(0), await isLive(1)]).toEqual([false, 'globex']);
    await startSession(portal, portal.globex, { userEmail: emails[1]! });
    await updateUser(sides[0]!.ctx, { userEmail: emails[0]!, expirationDate: null });
    await endSessions(sides[1]!.ctx, { userEmail: emails[1]! });
    expect([await isLive(0), await isLive(1)]).toEqual(['acme', false]);
  });

  it('users with one ID in two organizations open the reports of their own', async () => {
    const { acme, globex } = portal;
    const { id: userId, emails } = await insertTwins(3);
    await linkReports(globex.ctx, { userEmail: emails[1]!, reports: [reportId] });
    const json = { userEmail: emails[0], organizationId: acme.id, reportId };
    const minted = await portal.api('POST', '/api/identity/url', { json });
    expect(minted.json()).toMatchObject({ code: 'report_not_accessible' });
    const viewers = [
      await signInAs(portal, acme, 1, `${userId}@admin.example`),
      await signInAs(portal, globex, 1, `${userId}@admin.example`),
    ];
    const answers = [];
    for (const [index, { organization }] of sides.entries()) {
      const test = `/organizations/${organization.id}/embedding/test`;
      answers.push(await viewers[index]!.send('POST', test, { json: { userId, reportId } }));
    }
    expect(answers.map((answer) => answer.json().code ?? answer.status)).toEqual([
      'report_not_accessible',
      200,
    ]);
    await linkReports(acme.ctx, { userEmail: emails[0]!, reports: [reportId] });
    const single = { userEmail: emails[0]!, reportId };
    expect(await startSession(portal, acme, single)).toMatchObject({
      reports: [{ id: reportId, name: 'Shared acme' }],
    });
  });

  it('users with one ID in two organizations have subjects of their own', async () => {
    const { acme, globex, db } = portal;
    const { id, emails } = await insertTwins(1);
    const account = await ensureAccount(db, { organizationId: globex.id, userId: id });
    const { rows } = await sql<{ id: string }>`
      INSERT INTO admin_sessions (token_hash, account_id, user_agent)
      VALUES (${sha256(id)}, ${account}, '') RETURNING id`.execute(db);
    const session = rows[0]!.id;
    await saveSubject(db, { organizationId: acme.id, id, subject: 'of acme' });
    expect(await findSessionSubject(db, session)).toBeNull();
    await saveSubject(db, { organizationId: globex.id, id, subject: 'of globex' });
    expect(await findSessionSubject(db, session)).toBe('of globex');
    const users = await listUsers(acme.ctx, { ...page, email: emails[0]! });
    expect(users.data).toMatchObject([{ directory_ad_user: 'of acme' }]);
  });

  it('users with one ID in two organizations have accounts of their own', async () => {
    const { id: userId, emails } = await insertTwins(1);
    const findAccounts = () =>
      Promise.all(
        sides.map(({ organization: { id: organizationId } }) =>
          ensureAccount(portal.db, { organizationId, userId }),
        ),
      );
    const accounts = await findAccounts();
    expect(await findAccounts()).toEqual(accounts);
    const browsers = [];
    for (const time of [1, 2])
      for (const [index, { ctx, organization }] of sides.entries()) {
        const email = emails[index]!;
        const { token } = await inviteUser(ctx, { email });
        const browser = openAdminBrowser(portal);
        const json = { token, password: testPassword };
        const answer = await browser.send('POST', '/invitation/accept', { json });
        expect([time, answer.json()]).toMatchObject([
          time,
          { email, organization: { id: organization.id } },
        ]);
        browsers.push(browser);
      }
    const userEmail = emails[0]!;
    await updateUser(sides[0]!.ctx, { userEmail, role: 2 });
    const statuses = browsers
      .slice(2)
      .map(async (each) => (await each.send('GET', '/session')).status);
    expect(await Promise.all(statuses)).toEqual([401, 200]);
  });
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

describe('content with the ID of another organization’s content', () => {
  // A dataset and a report may have the same ID, too.
  const id = randomUUID();
  const textOf = (own: string, kind: string) =>
    kind === 'datasets'
      ? `id: ${id}\n${ordersDataset.replace('name: Orders', `name: Orders of ${own}`)}`
      : `id: ${id}\n${ordersReport
          .replace('Order overview', `Overview of ${own}`)
          .replace('dataset: orders', 'dataset: shared')}`;
  let browsers: AdminBrowser[];
  let opened: Date;
  beforeAll(async () => {
    browsers = [];
    for (const { organization, ctx, own } of sides) {
      writeFiles(path.join(portal.datasetFolder, organization.id), { 'orders.csv': ordersCsv });
      for (const kind of ['datasets', 'reports']) {
        const author = { ...ctx, actor: { kind: 'operator', name: `${own} ${kind}` } } as const;
        const files = { [`${kind}/shared.yaml`]: textOf(own, kind) };
        await apply(author, portal.datasetFolder, { files });
      }
      browsers.push(await signInAs(portal, organization, 1, `admin@${own}.example`));
    }
    const { acme, globex, db } = portal;
    for (const userEmail of [acme.emails.east, acme.emails.none, acme.emails.outsider])
      await linkReports(acme.ctx, { userEmail, reports: [id] });
    await linkReports(globex.ctx, { userEmail: globex.emails.west, reports: [id] });
    await linkGroupReports(globex.ctx, { group: 'Leads', reports: [id] });
    opened = new Date(Date.now() - 60_000);
    const { east } = acme.emails;
    await insertAuditEntries(db, { id: acme.id, reportId: id }, [
      { email: east, days: 1 },
      { email: east, at: opened },
      { email: east, days: 2 },
      // A file, and a viewing as another user, are no openings.
      { email: east, action: 2 },
      { email: east, action: 3 },
    ]);
    await insertAuditEntries(db, { id: globex.id, reportId: id }, [{ email: 'x', days: 0 }]);
  });

  const read = async (index: number, rest: string) => {
    const { id: organizationId } = sides[index]!.organization;
    const answer = await browsers[index]!.send('GET', `/organizations/${organizationId}${rest}`);
    expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
    return answer.json();
  };

  it('a report with the ID of another organization’s report has its own readers, author and latest opening', async () => {
    const [ofAcme, ofGlobex] = [await read(0, `/reports/${id}`), await read(1, `/reports/${id}`)];
    expect(ofAcme).toMatchObject({
      name: 'Overview of acme',
      dataset: { name: 'Orders of acme' },
      readers: 3,
      lastOpenedAt: opened.toISOString(),
      savedBy: 'acme reports',
    });
    expect(ofGlobex).toMatchObject({
      dataset: { name: 'Orders of globex' },
      readers: 2,
      savedBy: 'globex reports',
    });
  });

  it('the access to a report with the ID of another organization’s report is its own', async () => {
    const { acme, globex } = portal;
    const [ofAcme, ofGlobex] = [
      await read(0, `/reports/${id}/access`),
      await read(1, `/reports/${id}/access`),
    ];
    expect(ofAcme).toMatchObject({ groups: [], users: { totalCount: 3 } });
    const emails = ofAcme.users.items.map(({ email }: { email: string }) => email);
    expect(emails).toEqual([acme.emails.east, acme.emails.none, acme.emails.outsider]);
    expect(ofGlobex).toMatchObject({
      groups: [{ name: 'Leads', members: 1 }],
      users: { totalCount: 1, items: [{ email: globex.emails.west }] },
    });
  });

  it('a dataset with the ID of another organization’s dataset has its own author, reports and roles', async () => {
    for (const [index, { own }] of sides.entries()) {
      const found = await read(index, `/datasets/${id}`);
      expect(found).toMatchObject({
        name: `Orders of ${own}`,
        savedBy: `${own} datasets`,
        reports: [{ name: `Overview of ${own}` }],
        roles: [{ name: 'East' }, { name: 'West' }],
      });
      const { datasets } = await read(index, '/datasets');
      const listed = datasets.filter((dataset: { id: string }) => dataset.id === id);
      expect(listed).toMatchObject([{ name: `Orders of ${own}`, reports: 1, roles: 2 }]);
      const { roles } = await read(index, `/reports/${id}/roles`);
      expect(roles).toMatchObject([{ name: 'East' }, { name: 'West' }]);
    }
  });

  it('a definition with the ID of another organization’s definition has its own text and versions', async () => {
    for (const [index, { own }] of sides.entries())
      for (const kind of ['datasets', 'reports']) {
        const file = `/definitions/${kind}/${id}`;
        const text = textOf(own, kind);
        expect(await read(index, file)).toMatchObject({ text });
        const { versions } = await read(index, `${file}/versions`);
        expect(versions).toMatchObject([{ version: 1, savedBy: `${own} ${kind}` }]);
        expect(await read(index, `${file}/versions/1`)).toEqual({ text });
      }
  });

  it('saving a version beyond the limit removes no version of another organization or kind', async () => {
    const { ctx, own } = sides[1]!;
    await sql`INSERT INTO content_versions
        (organization_id, kind, item_id, version, content, author, origin)
      SELECT ${portal.globex.id}::uuid, 'report', ${id}::uuid, version, '', '', 'files'
      FROM generate_series(81, 100) AS version`.execute(portal.db);
    await sql`UPDATE reports SET version = 100
      WHERE organization_id = ${portal.globex.id} AND id = ${id}`.execute(portal.db);
    const files = { 'reports/shared.yaml': `${textOf(own, 'reports')}# new\n` };
    await apply(ctx, portal.datasetFolder, { files });
    expect((await read(1, `/definitions/reports/${id}/versions`)).versions).toHaveLength(20);
    for (const [index, kind] of [
      [0, 'reports'],
      [1, 'datasets'],
    ] as const)
      expect((await read(index, `/definitions/${kind}/${id}/versions`)).versions).toHaveLength(1);
  });

  it('a user with the ID of another organization’s user opens and marks the report of their own organization', async () => {
    const userId = randomUUID();
    const userEmail = 'reader@id.example';
    const marks = [];
    for (const { organization, ctx } of sides) {
      await sql`
        INSERT INTO users (organization_id, id, email, email_key, name, role,
          can_edit_report, can_create_report, can_overwrite_report)
        VALUES (${organization.id}, ${userId}, ${userEmail}, ${userEmail}, 'Reader', 3, false, false, false)`.execute(
        portal.db,
      );
      await linkReports(ctx, { userEmail, reports: [id] });
    }
    for (const { organization, own } of sides) {
      const { address } = organization;
      const { bearer, favorites, recent } = await startSession(portal, organization, { userEmail });
      marks.push(favorites, recent);
      for (const intent of ['open', 'refresh'] as const) {
        const answer = await view(address, bearer, id, { intent });
        expect(answer.json()).toMatchObject({ report: { name: `Overview of ${own}` } });
      }
      await send(`${address}/viewer/reports/${id}/favorite`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${bearer}` },
        json: { isFavorite: true },
      });
    }
    expect(marks).toEqual([[], [], [], []]);
  });

  it('archiving a dataset and a report leaves those of another organization with the same ID', async () => {
    const { acme, globex } = portal;
    const request = { files: {}, prune: true, force: true };
    await apply(globex.ctx, portal.datasetFolder, request);
    const archived = await browsers[1]!.send('GET', `/organizations/${globex.id}/reports/${id}`);
    expect(archived.status).toBe(404);
    expect(await read(0, `/reports/${id}`)).toMatchObject({ name: 'Overview of acme' });
    expect(await read(0, `/datasets/${id}`)).toMatchObject({ name: 'Orders of acme' });
    const { data } = await listRoles(acme.ctx, { ...page, datasetId: id });
    expect(data).toMatchObject([{ name: 'East' }, { name: 'West' }]);
    const usersEmails = [acme.emails.west];
    await linkUsers(acme.ctx, { datasetId: id, role: 'West', usersEmails });
  });
});
