import { randomUUID } from 'node:crypto';
import path from 'node:path';

import { sql } from 'kysely';
import type { Answer } from 'testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { ReportError } from '../src/platforms/platform.ts';
import { linkUsers } from '../src/rls/service.ts';
import { listNewest } from './support/activity.ts';
import { openAdminBrowser, signInAs, type AdminBrowser } from './support/admin.ts';
import {
  apply,
  ordersDataset,
  ordersFiles,
  ordersReport,
  writeFiles,
} from './support/content-files.ts';
import { dumpTables } from './support/dump.ts';
import { expectProblem } from './support/http.ts';
import { ordersCsv } from './support/organization.ts';
import { startTestPortal, type TestPortal } from './support/portal.ts';

let portal: TestPortal;
let admin: AdminBrowser;
let contributor: AdminBrowser;
let limited: AdminBrowser;
let operator: AdminBrowser;
/** Browsers by the role that they signed in with. */
let browsers: Record<string, AdminBrowser>;
let reportId: string;
let datasetId: string;
let foreignReportId: string;

beforeAll(async () => {
  portal = await startTestPortal({ trustProxy: true });
  const { acme, globex } = portal;
  for (const { id, ctx } of [acme, globex]) {
    writeFiles(path.join(portal.datasetFolder, id), { 'orders.csv': ordersCsv });
    await apply(ctx, portal.datasetFolder, { files: ordersFiles });
  }
  reportId = await findId('reports', acme.id);
  foreignReportId = await findId('reports', globex.id);
  datasetId = await findId('datasets', acme.id);
  admin = await signInAs(portal, acme, 1, 'ada@acme.example');
  contributor = await signInAs(portal, acme, 2, 'cora@acme.example');
  limited = await signInAs(portal, acme, 4, 'will@acme.example');
  operator = await signInAs(portal, acme, 'operator', 'op@portal.example');
  browsers = { admin, contributor, limited, operator, nobody: openAdminBrowser(portal) };
  await linkUsers(acme.ctx, { datasetId, role: 'West', usersEmails: [acme.emails.west] });
  await linkUsers(acme.ctx, { datasetId, role: 'East', usersEmails: ['cora@acme.example'] });
});
afterAll(() => portal.close());

async function findId(table: 'reports' | 'datasets', organizationId: string): Promise<string> {
  const { id } = await portal.db
    .selectFrom(table)
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('slug', '=', 'orders')
    .executeTakeFirstOrThrow();
  return id;
}

const at = (rest: string) => `/organizations/${portal.acme.id}${rest}`;
const definition = () => at(`/definitions/reports/${reportId}`);

async function read(browser: AdminBrowser, rest: string): Promise<ReturnType<Answer['json']>> {
  const answer = await browser.send('GET', at(rest));
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.json();
}

/** Makes `limited` a contributor to a workspace, by its name. */
async function contributeTo(workspace: string): Promise<void> {
  await sql`INSERT INTO workspace_contributors (organization_id, workspace_id, user_id)
    SELECT workspaces.organization_id, workspaces.id, users.id FROM workspaces, users
    WHERE workspaces.organization_id = ${portal.acme.id} AND workspaces.name = ${workspace}
      AND users.organization_id = ${portal.acme.id} AND email = 'will@acme.example'
    ON CONFLICT DO NOTHING`.execute(portal.db);
}

const setFlags = (email: string, flags: Record<string, boolean>) =>
  portal.db.updateTable('users').set(flags).where('email', '=', email).execute();

describe('the list of reports', () => {
  it('the list of reports has the readers and the last opening of each report', async () => {
    const { items, totalCount } = await read(admin, '/reports?search=orders');
    expect(totalCount).toBe(2);
    expect(items).toMatchObject([
      { name: 'Orders', workspaceName: 'Sales', readers: 4, lastOpenedAt: null },
      { name: 'Orders of the group', workspaceName: 'Leads', readers: 1 },
    ]);
  });

  it('the list of reports of a workspace contributor has only reports of their workspaces', async () => {
    const none = { totalCount: 0, items: [], canCreate: false };
    expect(await read(limited, '/reports')).toMatchObject(none);
    expectProblem(await limited.send('GET', at(`/reports/${reportId}`)), 'not_found');
    for (const rest of ['', '/versions', '/versions/1'])
      expectProblem(await limited.send('GET', definition() + rest), 'not_found');
    await contributeTo('Sales');
    const { items, canCreate } = await read(limited, '/reports');
    expect(canCreate).toBe(true);
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['Order overview', 'Orders']);
    expect(await read(limited, `/reports/${reportId}`)).toMatchObject({ canEdit: true });
  });

  it('the list of reports of one workspace has no others, and a limited contributor sees none of it', async () => {
    const { workspaceId } = await read(admin, `/reports/${portal.acme.groupReportId}`);
    const { items } = await read(admin, `/reports?workspaceId=${workspaceId}`);
    expect(items).toMatchObject([{ name: 'Orders of the group' }]);
    expect((await read(limited, `/reports?workspaceId=${workspaceId}`)).items).toEqual([]);
  });

  it('the list of reports is refused to viewers, who cannot sign in, and without a session', async () => {
    expectProblem(await browsers['nobody']!.send('GET', at('/reports')), 'sign_in_required');
  });
});

describe('access to a report', () => {
  it('access to a report is given to a user and a group, and removed, and a search finds its users', async () => {
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

  it('access to a report lists 25 users on a page, by e-mail', async () => {
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

  it('access to a report cannot be given to a group of another organization', async () => {
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

describe('a role', () => {
  it('a role is linked to a user and shown with its holders', async () => {
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

  it('a role is given to a user and removed again, and the log says both', async () => {
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
      users: expect.arrayContaining([expect.objectContaining({ email: outsider })]),
    });
    expect((await change(false)).status).toBe(200);
    expect(await readEast()).toMatchObject({ userCount });
    expect(await listNewest(portal, 2)).toMatchObject([
      { action: 'unlinkRlsUsers', subject: 'East', details: { usersEmails: [outsider] } },
      { action: 'linkRlsUsers', subject: 'East', details: { usersEmails: [outsider] } },
    ]);
  });
});

describe('a definition', () => {
  const current = () => read(admin, `/definitions/reports/${reportId}`);
  const save = (browser: AdminBrowser, text: string, version: number) =>
    browser.send('PUT', definition(), { json: { text, version } });

  it('a definition is saved as a new version, which the next apply does not overwrite', async () => {
    const { text, version } = await current();
    const changed = text.replace('name: Order overview', 'name: Orders at a glance # ours');
    expect((await save(contributor, changed, version)).json()).toEqual({ version: version + 1 });
    expect(await read(admin, `/reports/${reportId}`)).toMatchObject({
      name: 'Orders at a glance',
      file: 'reports/orders.yaml',
      savedBy: 'cora@acme.example',
      savedFrom: 'pages',
      isEdited: true,
    });
    expect(await listNewest(portal, 1)).toMatchObject([
      { action: 'saveDefinition', subject: 'reports/orders.yaml' },
    ]);
    await expect(
      apply(portal.acme.ctx, portal.datasetFolder, { files: ordersFiles }),
    ).rejects.toMatchObject({ code: 'content_conflict' });
    const { versions } = await read(admin, `/definitions/reports/${reportId}/versions`);
    expect(versions).toMatchObject([
      { version: version + 1, savedFrom: 'pages', savedBy: 'cora@acme.example' },
      { version, savedFrom: 'files', savedBy: 'operator' },
    ]);
    const earlier = `/definitions/reports/${reportId}/versions/${version}`;
    expect(await read(admin, earlier)).toEqual({ text });
  });

  it('a definition that does not exist is not found', async () => {
    const answer = await admin.send('GET', at(`/definitions/reports/${randomUUID()}`));
    expectProblem(answer, 'not_found');
  });

  it('a definition is not saved over a version that the author has not read', async () => {
    const { text, version } = await current();
    const answers = await Promise.all(
      ['one', 'two'].map((name) =>
        save(admin, text.replace(/^name: .*$/m, `name: ${name}`), version),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409)!;
    expectProblem(refused, 'stale_version');
    expect(refused.json().detail).toContain('somebody else has changed reports/orders.yaml');
    expect(await current()).toMatchObject({ version: version + 1 });
  });

  it('a definition with mistakes is refused with line and column, and nothing changes', async () => {
    const { text, version } = await current();
    const wrong = text.replace('metric: Sales', 'metric: Sals');
    const before = await dumpTables(portal.db);
    const check = await admin.send('POST', `${definition()}/check`, { json: { text: wrong } });
    const lines = String(wrong).split('\n');
    const line = lines.findIndex((each) => each.includes('Sals')) + 1;
    expect(check.json().mistakes).toMatchObject([
      { line, column: 21, message: expect.stringContaining('did you mean "Sales"?') },
    ]);
    expect(check.json().names).toMatchObject({ metrics: ['Sales'], datasets: ['orders'] });
    const answer = await save(admin, wrong, version);
    expectProblem(answer, 'invalid_content');
    const after = await dumpTables(portal.db);
    expect({ ...after, activity_entries: [] }).toEqual({ ...before, activity_entries: [] });
  });

  it.each(['another', 'an unknown', 'a dataset’s'])(
    'check, preview and save refuse %s id in a definition with the same message',
    async (kind) => {
      const { text, version } = await current();
      const another = portal.acme.reportId;
      const id = { another, 'an unknown': randomUUID() }[kind] ?? datasetId;
      const wrong = `id: ${id}\n${text}`;
      const saved = await save(admin, wrong, version);
      expectProblem(saved, 'invalid_content');
      const [{ path: place, message }] = saved.json().errors;
      expect(place).toMatch(/\.yaml:1:5$/);
      expect(message).toContain(`is ${reportId} and cannot change`);
      const check = await admin.send('POST', `${definition()}/check`, { json: { text: wrong } });
      expect(check.json().mistakes).toEqual([{ line: 1, column: 5, message }]);
      const json = { text: wrong };
      const preview = await operator.send('POST', at(`/reports/${reportId}/preview`), { json });
      expectProblem(preview, 'invalid_content');
    },
  );

  it('the check accepts the report’s own id in a definition, also in upper case', async () => {
    const text = `id: ${reportId.toUpperCase()}\n${(await current()).text}`;
    const check = await admin.send('POST', `${definition()}/check`, { json: { text } });
    expect(check.json().mistakes).toEqual([]);
  });

  it('a definition that a program imported or a version that was deleted is not found', async () => {
    const imported = at(`/definitions/reports/${portal.acme.reportId}`);
    const { canEdit, file } = await read(admin, `/reports/${portal.acme.reportId}`);
    expect([canEdit, file]).toEqual([false, null]);
    for (const [address, detail] of [
      [imported, 'because a program imported it.'],
      [`${imported}/versions`, 'because a program imported it.'],
      [`${definition()}/versions/99`, 'This version was deleted.'],
    ] as const) {
      const answer = await admin.send('GET', address);
      expectProblem(answer, 'not_found');
      expect(answer.json().detail).toContain(detail);
    }
  });

  it('a definition keeps its comments when the name is changed', async () => {
    const { version } = await read(admin, `/reports/${reportId}`);
    await save(admin, `# About this report\n${ordersReport}`, version);
    const json = { version: version + 1, name: 'Orders', workspace: 'Sales', description: 'All.' };
    const answer = await admin.send('PUT', at(`/reports/${reportId}`), { json });
    expect(answer.json()).toMatchObject({ name: 'Orders', description: 'All.' });
    expect((await current()).text).toMatch(/^# About this report\n[^]*description: All\./);
    const empty = { ...json, version: version + 2, description: '' };
    const cleared = await admin.send('PUT', at(`/reports/${reportId}`), { json: empty });
    expect(cleared.json()).toMatchObject({ description: null });
    expect((await current()).text).not.toContain('description');
  });

  it('a definition is saved by a contributor only with the right to edit', async () => {
    const { text, version } = await current();
    await setFlags('cora@acme.example', { can_edit_report: false });
    expectProblem(await save(contributor, `${text}\n# more\n`, version), 'missing_permission');
    expect(await read(contributor, `/reports/${reportId}`)).toMatchObject({ canEdit: false });
    await setFlags('cora@acme.example', { can_edit_report: true });
  });

  it('a workspace contributor moves a definition only into their own workspaces', async () => {
    await contributeTo('Sales');
    const { text, version } = await current();
    const move = (workspace: string) =>
      save(limited, text.replace('workspace: Sales', `workspace: ${workspace}`), version);
    expectProblem(await move('Leads'), 'missing_permission');
    expectProblem(await move('A new one'), 'missing_permission');
    await contributeTo('Leads');
    expect((await move('Leads')).status).toBe(200);
    await save(admin, text, version + 1);
  });

  it('a workspace contributor who saves a text that cannot be read gets its mistakes', async () => {
    await contributeTo('Sales');
    const { version } = await current();
    const answer = await save(limited, 'name: "Not closed\n', version);
    expectProblem(answer, 'invalid_content');
    expect(answer.json().errors).toMatchObject([
      { path: 'reports/orders.yaml:1:7', message: 'the closing quote is missing; add it' },
    ]);
    expect(await current()).toMatchObject({ version });
  });

  it('a check of a dataset’s definition returns its mistakes with their places, and saves nothing', async () => {
    const file = at(`/definitions/datasets/${datasetId}`);
    const { text, version } = (await admin.send('GET', file)).json();
    const check = async (given: string) => {
      const answer = await admin.send('POST', `${file}/check`, { json: { text: given } });
      expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
      return answer.json();
    };
    const names = { fields: expect.arrayContaining(['Region', 'Sales']), metrics: ['Sales'] };
    expect(await check(`${text}# checked\n`)).toMatchObject({ mistakes: [], names });
    const wrong = await check(text.replace('sum(Sales)', 'sum(Sals)'));
    const message = expect.stringContaining('did you mean "Sales"?');
    const line = ordersDataset.split('\n').findIndex((each) => each.includes('sum(')) + 1;
    expect(wrong.mistakes).toContainEqual({ line, column: 21, message });
    const renamed = await check(text.replace('name: Sales', 'name: Turnover'));
    expect(renamed.mistakes).toMatchObject([
      { file: 'reports/orders.yaml', line: 12 },
      { file: 'reports/orders.yaml', line: 15 },
    ]);
    expect((await admin.send('GET', file)).json()).toMatchObject({ text, version });
  });

  it('only administrators and operators may read and save the definition of a dataset', async () => {
    const file = at(`/definitions/datasets/${datasetId}`);
    expectProblem(await contributor.send('GET', file), 'missing_permission');
    const { text, version } = (await admin.send('GET', file)).json();
    const json = { text: `${text}# edited\n`, version };
    expectProblem(await contributor.send('PUT', file, { json }), 'missing_permission');
    expect((await operator.send('PUT', file, { json })).json()).toEqual({ version: version + 1 });
  });
});

describe('a preview', () => {
  const preview = (browser: AdminBrowser, json: object) =>
    browser.send('POST', at(`/reports/${reportId}/preview`), { json });
  const salesOf = (answer: Answer) => answer.json().page.rows[0][0].value;
  const idOfWest = async () => (await read(admin, '/holders?search=west%40')).holders[0].id;

  it('a preview shows an unsaved text with the rows of the chosen user', async () => {
    const users = await read(admin, '/holders?search=west%40');
    const [west] = users.holders;
    const text = ordersReport.replace('name: Order overview', 'name: Not saved');
    const answer = await preview(admin, { text, asUserId: west.id });
    expect(answer.json()).toMatchObject({ report: { name: 'Not saved' }, roles: ['West'] });
    expect(salesOf(answer)).toBe(30);
    expect((await preview(operator, { text, asUserId: west.id })).status).toBe(200);
    expect((await preview(admin, { text })).json()).toMatchObject({ rowCount: 0, roles: [] });
  });

  it('a preview of a contributor has their own rows and no others', async () => {
    const { holders } = await read(admin, '/holders?search=west%40');
    expect(salesOf(await preview(contributor, { text: ordersReport }))).toBe(40);
    const answer = await preview(contributor, { text: ordersReport, asUserId: holders[0].id });
    expectProblem(answer, 'missing_permission');
    const [cora] = (await read(admin, '/holders?search=cora%40')).holders;
    expect(salesOf(await preview(contributor, { text: ordersReport, asUserId: cora.id }))).toBe(40);
  });

  it('a preview lists and searches the values of a filter in the rows of its reader', async () => {
    const list = async (browser: AdminBrowser, json: object) => {
      const answer = await browser.send('POST', at(`/reports/${reportId}/preview/values`), {
        json: { text: ordersReport, field: 'Region', ...json },
      });
      expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
      return answer.json().values;
    };
    const asUserId = await idOfWest();
    expect(await list(admin, { asUserId })).toEqual([{ key: 'West', count: 2 }]);
    expect(await list(contributor, {})).toEqual([{ key: 'East', count: 2 }]);
    expect(await list(contributor, { search: 'eas' })).toEqual([{ key: 'East', count: 2 }]);
    expect(await list(contributor, { search: 'wes' })).toEqual([]);
    expect(await list(admin, {})).toEqual([]);
  });

  const filterBy = (region: string) => ({
    filters: [{ field: 'Region', values: [region] }],
    sorts: [],
    drills: [],
  });

  it('a preview is filtered like the report', async () => {
    const asUserId = await idOfWest();
    const previewOf = (region: string) =>
      preview(admin, { text: ordersReport, asUserId, view: filterBy(region) });
    expect([salesOf(await previewOf('West')), salesOf(await previewOf('East'))]).toEqual([
      30,
      null,
    ]);
  });

  it('a preview with a view that is not valid is refused', async () => {
    for (const view of [{ filters: [{ field: {} }] }, 'West', null]) {
      const answer = await preview(admin, { text: ordersReport, view });
      expectProblem(answer, 'invalid_request');
      expect(answer.json().detail).toBe(
        'The view of the preview is not valid. Load the page again.',
      );
    }
  });

  it('a preview of a text with mistakes is refused', async () => {
    expectProblem(await preview(admin, { text: 'name: x' }), 'invalid_content');
    const [entry] = await listNewest(portal, 1);
    expect(entry).toMatchObject({ action: 'previewReport', refusal: 'invalid_content' });
  });

  it('a preview that cannot be computed does not count as a refused request', async () => {
    const compute = vi
      .spyOn(portal.platform, 'compute')
      .mockRejectedValue(new ReportError('failed', 'for a test'));
    onTestFinished(() => compute.mockRestore());
    const before = await listNewest(portal, 1);
    expectProblem(await preview(admin, { text: ordersReport }), 'report_failed');
    expect(await listNewest(portal, 1)).toEqual(before);
  });
});

describe('a new report', () => {
  const create = (browser: AdminBrowser, json: object) =>
    browser.send('POST', at('/reports'), { json });
  const importFile = (browser: AdminBrowser, json: object) =>
    browser.send('POST', at('/report-files'), { json });

  it('a new report starts from a dataset and can be opened', async () => {
    const answer = await create(contributor, { name: 'Fresh', workspace: 'Sales', datasetId });
    const { id } = answer.json();
    const text = (await admin.send('GET', at(`/definitions/reports/${id}`))).json().text as string;
    const computed = await admin.send('POST', at(`/reports/${id}/preview`), { json: { text } });
    expect([computed.status, computed.json().pages]).toEqual([200, ['Overview']]);
    for (const file of ['reports/fresh-2.yaml', 'reports/fresh-3.yaml']) {
      const again = await create(contributor, { name: 'Fresh', workspace: 'Sales', datasetId });
      expect(await read(admin, `/reports/${again.json().id}`)).toMatchObject({ file });
    }
    // An archived report keeps its file name, because an apply can restore it.
    await apply(portal.acme.ctx, portal.datasetFolder, {
      files: ordersFiles,
      prune: true,
      force: true,
    });
    const last = await create(contributor, { name: 'Fresh', workspace: 'Sales', datasetId });
    expect(await read(admin, `/reports/${last.json().id}`)).toMatchObject({
      file: 'reports/fresh-4.yaml',
    });
    const file = { fileName: 'fresh.yaml', text: ordersReport, replaces: true };
    const imported = await importFile(admin, file);
    expect(await read(admin, `/reports/${imported.json().id}`)).toMatchObject({
      file: 'reports/fresh-5.yaml',
    });
  });

  it('a new report cannot use a dataset of another organization or an archived one', async () => {
    const { id, ctx } = portal.acme;
    const files = { 'datasets/old.yaml': ordersDataset.replace('name: Orders', 'name: Old') };
    const { changes } = await apply(ctx, portal.datasetFolder, { files });
    await sql`UPDATE datasets SET archived_at = now()
      WHERE organization_id = ${id} AND slug = 'old'`.execute(portal.db);
    for (const dataset of [await findId('datasets', portal.globex.id), changes[0]!.id]) {
      const json = { name: 'No', workspace: 'Sales', datasetId: dataset };
      expectProblem(await create(admin, json), 'dataset_not_found');
      expectProblem(await admin.send('GET', at(`/datasets/${dataset}`)), 'dataset_not_found');
      const place = at(`/definitions/datasets/${dataset}`);
      expectProblem(await admin.send('GET', place), 'not_found');
    }
    const { datasets } = await read(admin, '/datasets');
    expect(datasets.map(({ name }: { name: string }) => name)).not.toContain('Old');
    const text = ordersReport.replace('dataset: orders', 'dataset: old');
    const check = await admin.send('POST', `${definition()}/check`, { json: { text } });
    expect(check.json()).toMatchObject({
      mistakes: [{ message: expect.stringContaining('unknown dataset "old"') }],
      names: { datasets: ['orders'] },
    });
  });

  it('a workspace contributor imports a definition file neither into another workspace nor over its report', async () => {
    await contributeTo('Sales');
    const json = { name: 'Elsewhere only', workspace: 'Elsewhere', datasetId };
    const { id } = (await create(admin, json)).json();
    const file = { fileName: 'elsewhere-only.yaml', text: ordersReport, replaces: true };
    const text = ordersReport.replace('workspace: Sales', 'workspace: Elsewhere');
    expectProblem(await importFile(limited, { ...file, text }), 'missing_permission');
    const imported = (await importFile(limited, file)).json();
    expect(await read(limited, `/reports/${imported.id}`)).toMatchObject({
      file: 'reports/elsewhere-only-2.yaml',
    });
    expect(await read(admin, `/reports/${id}`)).toMatchObject({ workspaceName: 'Elsewhere' });
  });

  it('a new report needs the right to create reports, and a workspace of the contributor', async () => {
    await setFlags('cora@acme.example', { can_create_report: false });
    const json = { name: 'No', workspace: 'Sales', datasetId };
    expectProblem(await create(contributor, json), 'missing_permission');
    await setFlags('cora@acme.example', { can_create_report: true });
    expectProblem(await create(limited, { ...json, workspace: 'Other' }), 'missing_permission');
  });

  it('a definition file replaces a report only on request and with the right to replace reports', async () => {
    const file = { fileName: 'orders.yaml', text: ordersReport, replaces: false };
    expectProblem(await importFile(contributor, file), 'content_conflict');
    await setFlags('cora@acme.example', { can_overwrite_report: false });
    const over = { ...file, replaces: true };
    const refused = await importFile(contributor, over);
    expectProblem(refused, 'missing_permission');
    expect(refused.json().detail).toContain('You may not replace existing reports.');
    await setFlags('cora@acme.example', { can_overwrite_report: true });
    expect((await importFile(contributor, over)).json()).toEqual({ id: reportId });
  });

  it('a new definition file with the id of another report is refused', async () => {
    const text = `id: ${reportId}\n${ordersReport}`;
    const file = { fileName: 'copy.yaml', text, replaces: false };
    const answer = await importFile(admin, file);
    expectProblem(answer, 'invalid_content');
    expect(answer.json().errors).toMatchObject([
      { message: 'another report has this id; remove the property' },
    ]);
  });

  it('a definition file becomes a new report only with the right to create reports', async () => {
    const file = { fileName: 'Imported orders.yaml', text: ordersReport, replaces: false };
    await setFlags('cora@acme.example', { can_create_report: false });
    expectProblem(await importFile(contributor, file), 'missing_permission');
    await setFlags('cora@acme.example', { can_create_report: true });
    const { id } = (await importFile(contributor, file)).json();
    expect(await read(admin, `/reports/${id}`)).toMatchObject({
      file: 'reports/imported-orders.yaml',
    });
  });
});

it('an archived report is neither listed, read, previewed nor counted', async () => {
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

it.each(['contributor', 'limited'])('the %s may not change or see who has access', async (role) => {
  const before = await dumpTables(portal.db);
  const json = { kind: 'group', id: portal.acme.groupId, isLinked: true };
  const browser = browsers[role]!;
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
});
