import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ViewerSession } from '#viewer/requests';

import { createGroup } from '../../src/access/create-group.ts';
import { linkReports, unlinkReports } from '../../src/access/report-links.ts';
import { findUserAccess } from '../../src/access/user-access.ts';
import { findVisibleRows } from '../../src/access/visible-rows.ts';
import type { Context } from '../../src/actor/actor.ts';
import { createCompany } from '../../src/companies/service.ts';
import { sha256 } from '../../src/secrets.ts';
import { findSessionSubject, saveSubject } from '../../src/sign-in/oidc/store.ts';
import { inviteUser } from '../../src/sign-in/service.ts';
import { ensureAccount } from '../../src/sign-in/store.ts';
import { findPeople, listUsers, updateUser } from '../../src/users/service.ts';
import { endSessions, requireSession } from '../../src/viewer-sessions/service.ts';
import { openAdminBrowser, signInAs, testPassword } from '../support/admin.ts';
import { addItems } from '../support/items.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { listSides, type Side } from '../support/sides.ts';
import { startSession, view } from '../support/viewer.ts';

// Organizations may use the same IDs.
const datasetId = randomUUID();
const reportId = randomUUID();
const page = { pageNumber: 1, pageSize: 50 };

let portal: TestPortal;
let sides: Side[];
beforeAll(async () => {
  portal = await startTestPortal();
  sides = listSides(portal);
  for (const { ctx, own } of sides) {
    await addItems(ctx, portal.datasetFolder, {
      datasets: { shared: { id: datasetId, name: own } },
      reports: {
        shared: { id: reportId, name: `Shared ${own}`, workspace: own, dataset: 'shared' },
      },
    });
  }
});
afterAll(() => portal.close());

it('a user with the ID of another organization’s user has the reports, groups and companies of their own organization', async () => {
  const id = randomUUID();
  const email = 'same@id.example';
  const links = [];
  for (const { ctx, organization, own } of sides) {
    await sql`
      INSERT INTO users (organization_id, id, email, email_key, name, role,
        can_edit_report, can_create_report, can_overwrite_report)
      VALUES (${organization.id}, ${id}, ${email}, ${email}, 'Same', 3, false, false, false)`.execute(
      portal.db,
    );
    const reports = [organization.reportId];
    const group = await createGroup(ctx, { name: 'Same', memberEmails: [email], reports: [] });
    await linkReports(ctx, { userEmail: email, reports });
    const companies = [await createCompany(ctx, `Employer of ${own}`)];
    await updateUser(ctx, { userEmail: email, companies });
    links.push({ id, reports, groups: [group], companies });
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

  it('have sessions of their own', async () => {
    const { emails } = await insertTwins(3);
    const sessions: ViewerSession[] = [];
    for (const [index, { organization, own }] of sides.entries()) {
      const session = await startSession(portal, organization, { userEmail: emails[index]! });
      expect(session.user).toEqual({ name: own, email: emails[index] });
      sessions.push(session);
    }
    const readUserName = (index: number) =>
      requireSession(portal.db, {
        bearer: sessions[index]!.bearer,
        address: sides[index]!.organization.address,
      }).then(
        ({ userName }) => userName,
        () => null,
      );
    expect([await readUserName(0), await readUserName(1)]).toEqual(['acme', 'globex']);
    await updateUser(sides[0]!.ctx, { userEmail: emails[0]!, expirationDate: new Date() });
    expect([await readUserName(0), await readUserName(1)]).toEqual([null, 'globex']);
    await startSession(portal, portal.globex, { userEmail: emails[1]! });
    await updateUser(sides[0]!.ctx, { userEmail: emails[0]!, expirationDate: null });
    await endSessions(sides[1]!.ctx, { userEmail: emails[1]! });
    expect([await readUserName(0), await readUserName(1)]).toEqual(['acme', null]);
  });

  it('open the reports of their own', async () => {
    const { acme, globex } = portal;
    const { id: userId, emails } = await insertTwins(3);
    await linkReports(globex.ctx, { userEmail: emails[1]!, reports: [reportId] });
    const json = { userEmail: emails[0], organizationId: acme.id, reportId };
    const minted = await portal.api('POST', '/api/identity/url', { json });
    expect(minted.json()).toMatchObject({ code: 'report_not_accessible' });
    const administrators = [
      await signInAs(portal, acme, 1, `${userId}@admin.example`),
      await signInAs(portal, globex, 1, `${userId}@admin.example`),
    ];
    const answers = [];
    for (const [index, { organization }] of sides.entries()) {
      const test = `/organizations/${organization.id}/embedding/test`;
      answers.push(await administrators[index]!.send('POST', test, { json: { userId, reportId } }));
    }
    expect(answers.map((answer) => answer.json().code ?? answer.status)).toEqual([
      'report_not_accessible',
      200,
    ]);
    const { bearer, reports } = await startSession(portal, acme, { userEmail: emails[0]! });
    expect(reports).toEqual([]);
    expect((await view(acme.address, bearer, reportId)).status).toBe(403);
    await linkReports(acme.ctx, { userEmail: emails[0]!, reports: [reportId] });
    const single = { userEmail: emails[0]!, reportId };
    expect(await startSession(portal, acme, single)).toMatchObject({
      reports: [{ id: reportId, name: 'Shared acme' }],
    });
  });

  it('have subjects of their own', async () => {
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

  it('have accounts of their own', async () => {
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
