import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import type { Answer } from 'test-support';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { ReportError } from '#platform';

import { linkReports } from '../../src/access/report-links.ts';
import { parseItem } from '../../src/content/items.ts';
import { listNewest } from '../support/activity.ts';
import type { AdminBrowser } from '../support/admin.ts';
import {
  apply,
  ordersDataset,
  ordersFiles,
  ordersReport,
  writeFiles,
} from '../support/content-files.ts';
import { dumpTables } from '../support/dump.ts';
import { expectProblem } from '../support/http.ts';
import { openReportStage, type ReportStage } from '../support/report-stage.ts';
import { startSession, view as openView } from '../support/viewer.ts';

let portal: ReportStage['portal'];
let admin: ReportStage['admin'];
let contributor: ReportStage['contributor'];
let limited: ReportStage['limited'];
let operator: ReportStage['operator'];
let reportId: ReportStage['reportId'];
let datasetId: ReportStage['datasetId'];
let findId: ReportStage['findId'];
let at: ReportStage['at'];
let definition: ReportStage['definition'];
let read: ReportStage['read'];
let contributeTo: ReportStage['contributeTo'];
let setFlags: ReportStage['setFlags'];
beforeAll(async () => {
  ({
    portal,
    admin,
    contributor,
    limited,
    operator,
    reportId,
    datasetId,
    findId,
    at,
    definition,
    read,
    contributeTo,
    setFlags,
  } = await openReportStage());
});
afterAll(() => portal.close());

describe('a definition', () => {
  const current = () => read(admin, `/definitions/reports/${reportId}`);
  const save = (browser: AdminBrowser, text: string, version: number) =>
    browser.send('PUT', definition, { json: { text, version } });

  it('is saved as a new version, which the next apply does not overwrite', async () => {
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
    const { savedAt } = await read(admin, `/reports/${reportId}`);
    expect(versions[0].savedAt).toBe(savedAt);
    expect(versions[1].savedAt < savedAt).toBe(true);
    const earlier = `/definitions/reports/${reportId}/versions/${version}`;
    expect(await read(admin, earlier)).toEqual({ text });
  });

  it('that does not exist is not found', async () => {
    const answer = await admin.send('GET', at(`/definitions/reports/${randomUUID()}`));
    expectProblem(answer, 'not_found');
  });

  it('is not saved over a version that the author has not read', async () => {
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

  it('with mistakes is refused with line and column, and nothing changes', async () => {
    const { text, version } = await current();
    const wrong = text.replace('metric: Sales', 'metric: Sals');
    const before = await dumpTables(portal.db);
    const check = await admin.send('POST', `${definition}/check`, { json: { text: wrong } });
    const lines = String(wrong).split('\n');
    const line = lines.findIndex((each) => each.includes('Sals')) + 1;
    expect(check.json().mistakes).toMatchObject([
      { line, column: 21, message: expect.stringContaining('did you mean "Sales"?') },
    ]);
    const { names } = check.json();
    expect(names).toMatchObject({
      metrics: ['Sales'],
      datasets: ['orders', 'sales'],
      hasTime: true,
    });
    expect(names.types[names.fields.indexOf('Ordered')]).toBe('date');
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
      const check = await admin.send('POST', `${definition}/check`, { json: { text: wrong } });
      expect(check.json().mistakes).toEqual([{ line: 1, column: 5, message }]);
      const json = { text: wrong };
      const preview = await operator.send('POST', at(`/reports/${reportId}/preview`), { json });
      expectProblem(preview, 'invalid_content');
    },
  );

  it('the check accepts the report’s own id in a definition, also in upper case', async () => {
    const text = `id: ${reportId.toUpperCase()}\n${(await current()).text}`;
    const check = await admin.send('POST', `${definition}/check`, { json: { text } });
    expect(check.json().mistakes).toEqual([]);
  });

  it('a version of a definition that was deleted is not found', async () => {
    const answer = await admin.send('GET', `${definition}/versions/99`);
    expectProblem(answer, 'not_found');
    expect(answer.json().detail).toContain('This version was deleted.');
  });

  it('keeps its comments when the name is changed', async () => {
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

  it('is saved by a contributor only with the right to edit', async () => {
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

  it('the check returns the names of the dataset in the text, not of the saved one', async () => {
    const second = ordersDataset.replace('- name: Sales', '- name: Turnover');
    const files = { 'datasets/another.yaml': second };
    await apply(portal.acme.ctx, portal.datasetFolder, { files });
    const text = ordersReport.replace('dataset: orders', 'dataset: another');
    const check = await admin.send('POST', `${definition}/check`, { json: { text } });
    const names = { metrics: ['Turnover'], datasets: ['another', 'orders', 'sales'] };
    expect(check.json().names).toMatchObject(names);
    await sql`DELETE FROM datasets WHERE slug = 'another'`.execute(portal.db);
  });

  it('the definition of a report whose dataset is archived names the other datasets', async () => {
    const archive = (archived_at: Date | null) =>
      portal.db.updateTable('datasets').set({ archived_at }).where('id', '=', datasetId).execute();
    const files = { 'datasets/another.yaml': ordersDataset };
    await apply(portal.acme.ctx, portal.datasetFolder, { files });
    await archive(new Date());
    const { names } = await current();
    await archive(null);
    await sql`DELETE FROM datasets WHERE slug = 'another'`.execute(portal.db);
    const none = { fields: [], metrics: [], types: [], hasTime: false };
    expect(names).toEqual({ ...none, datasets: ['another', 'sales'] });
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

  it('shows an unsaved text with the rows of the chosen user', async () => {
    const users = await read(admin, '/holders?search=west%40');
    const [west] = users.holders;
    const text = ordersReport.replace('name: Order overview', 'name: Not saved');
    const answer = await preview(admin, { text: `${text}description: Soon\n`, asUserId: west.id });
    expect(answer.json()).toMatchObject({
      report: { id: reportId, name: 'Not saved', description: 'Soon', workspaceName: 'Sales' },
      rowAccess: 'by-role',
      roles: ['West'],
    });
    expect(salesOf(answer)).toBe(30);
    expect((await preview(operator, { text, asUserId: west.id })).status).toBe(200);
    // Without a user, an administrator and an operator see all rows.
    for (const browser of [admin, operator])
      expect((await preview(browser, { text })).json()).toMatchObject({ rowCount: 4, roles: [] });
    const [ada] = (await read(admin, '/holders?search=ada%40')).holders;
    const own = await preview(admin, { text, asUserId: ada.id });
    expect(own.json()).toMatchObject({ rowCount: 0, rowAccess: 'by-role', roles: [] });
  });

  it('of a contributor has their own rows and no others', async () => {
    const { holders } = await read(admin, '/holders?search=west%40');
    expect(salesOf(await preview(contributor, { text: ordersReport }))).toBe(40);
    const answer = await preview(contributor, { text: ordersReport, asUserId: holders[0].id });
    expectProblem(answer, 'missing_permission');
    const [cora] = (await read(admin, '/holders?search=cora%40')).holders;
    expect(salesOf(await preview(contributor, { text: ordersReport, asUserId: cora.id }))).toBe(40);
  });

  it('lists and searches the values of a filter in the rows of its reader', async () => {
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
    expect(await list(admin, {})).toHaveLength(2);
  });

  const filterBy = (region: string) => ({
    filters: [{ field: 'Region', values: [region] }],
    sorts: [],
    drills: [],
  });

  it('is filtered like the report', async () => {
    const asUserId = await idOfWest();
    const previewOf = (region: string) =>
      preview(admin, { text: ordersReport, asUserId, view: filterBy(region) });
    expect([salesOf(await previewOf('West')), salesOf(await previewOf('East'))]).toEqual([
      30,
      null,
    ]);
  });

  it('shows the requested page', async () => {
    const second = '  - { name: Second, rows: [{ tiles: [{ type: text, text: Hello }] }] }\n';
    const answer = await preview(admin, { text: ordersReport + second, page: 1 });
    expect(answer.json().page).toMatchObject({ index: 1, rows: [[{ text: 'Hello' }]] });
  });

  it('with a view that is not valid is refused', async () => {
    for (const view of [{ filters: [{ field: {} }] }, 'West', null]) {
      const answer = await preview(admin, { text: ordersReport, view });
      expectProblem(answer, 'invalid_request');
      expect(answer.json().detail).toBe(
        'The view of the preview is not valid. Load the page again.',
      );
    }
  });

  it('of a text with mistakes is refused', async () => {
    expectProblem(await preview(admin, { text: 'name: x' }), 'invalid_content');
    const [entry] = await listNewest(portal, 1);
    expect(entry).toMatchObject({ action: 'previewReport', refusal: 'invalid_content' });
  });

  it('that cannot be computed does not count as a refused request', async () => {
    const compute = vi
      .spyOn(portal.tiles, 'compute')
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

  it('starts from a dataset and can be opened', async () => {
    const foreign = { 'reports/fresh.yaml': ordersReport };
    await apply(portal.globex.ctx, portal.datasetFolder, { files: foreign });
    const answer = await create(contributor, { name: 'Fresh', workspace: 'Sales', datasetId });
    const { id } = answer.json();
    const text = (await admin.send('GET', at(`/definitions/reports/${id}`))).json().text as string;
    const computed = await admin.send('POST', at(`/reports/${id}/preview`), { json: { text } });
    expect([computed.status, computed.json().pages]).toEqual([200, ['Overview']]);
    const fields = computed.json().filterFields.map(({ name }: { name: string }) => name);
    expect(fields).toEqual(['Region', 'Owner', 'Category', 'Ordered']);
    expect(text).toContain('x: Ordered by month');
    expect(await read(admin, `/reports/${id}`)).toMatchObject({ file: 'reports/fresh.yaml' });
    for (const file of ['reports/fresh-2.yaml', 'reports/fresh-3.yaml']) {
      const again = await create(contributor, { name: 'Fresh', workspace: 'Sales', datasetId });
      expect(await read(admin, `/reports/${again.json().id}`)).toMatchObject({ file });
    }
    const folder = `${portal.datasetFolder}/${portal.acme.id}`;
    writeFiles(folder, { 'numbers.csv': 'Amount,Region\n1.5,West\n' });
    const { changes } = await apply(portal.acme.ctx, portal.datasetFolder, {
      files: { 'datasets/numbers.yaml': 'name: Numbers\nsource: { file: numbers.csv }\n' },
    });
    const json = { name: 'Numbers', workspace: 'Sales', datasetId: changes[0]!.id };
    const ofNumbers = (await create(contributor, json)).json();
    const written = await read(admin, `/definitions/reports/${ofNumbers.id}`);
    expect(written.text).toContain('field: Region');
    expect(written.text).not.toContain('field: Amount');
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

  it('cannot use a dataset of another organization or an archived one', async () => {
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
    const foreign = { 'datasets/foreign.yaml': ordersDataset };
    await apply(portal.globex.ctx, portal.datasetFolder, { files: foreign });
    const { datasets } = await read(admin, '/datasets');
    expect(datasets.map(({ name }: { name: string }) => name)).not.toContain('Old');
    const text = ordersReport.replace('dataset: orders', 'dataset: old');
    const check = await admin.send('POST', `${definition}/check`, { json: { text } });
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

  it('needs the right to create reports, and a workspace of the contributor', async () => {
    await setFlags('cora@acme.example', { can_create_report: false });
    const json = { name: 'No', workspace: 'Sales', datasetId };
    expectProblem(await create(contributor, json), 'missing_permission');
    await setFlags('cora@acme.example', { can_create_report: true });
    expectProblem(await create(limited, { ...json, workspace: 'Other' }), 'missing_permission');
  });

  it('a workspace contributor creates a report although another organization has a workspace of that name', async () => {
    const files = {
      'reports/second.yaml': ordersReport.replace('workspace: Sales', 'workspace: Twin'),
    };
    for (const { ctx } of [portal.globex, portal.acme])
      await apply(ctx, portal.datasetFolder, { files });
    await contributeTo('Twin');
    const { id } = (await create(limited, { name: 'Mine', workspace: 'Twin', datasetId })).json();
    expect(await read(limited, `/reports/${id}`)).toMatchObject({ workspaceName: 'Twin' });
  });

  it('a definition file replaces a report only on request and with the right to replace reports', async () => {
    const file = { fileName: 'orders.yaml', text: ordersReport, replaces: false };
    expectProblem(await importFile(contributor, file), 'content_conflict');
    const upper = { ...file, fileName: 'Orders.YML' };
    expectProblem(await importFile(contributor, upper), 'content_conflict');
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

describe('a stored report with more tiles than a page may have', () => {
  const writeTiles = (count: number) =>
    ordersReport.replace(
      '      - tiles:\n',
      `${Array.from({ length: count / 12 }, () => `      - tiles: [${Array(12).fill('{ type: kpi, metric: Sales }').join(', ')}]\n`).join('')}      - tiles:\n`,
    );
  const message =
    'Overview: the page has 62 tiles, but the maximum is 60; move some to another page';

  it('a report with too many tiles is not saved or applied, and the check says what to do', async () => {
    const { text, version } = await read(admin, `/definitions/reports/${reportId}`);
    const json = { text: writeTiles(60), version };
    const check = await admin.send('POST', `${definition}/check`, { json: { text: json.text } });
    expect(check.json().mistakes).toMatchObject([{ line: 7, column: 5, message }]);
    const saved = await admin.send('PUT', definition, { json });
    expectProblem(saved, 'invalid_content');
    expect(saved.json().detail).toContain(message);
    const files = { 'reports/orders.yaml': json.text };
    const applied = await portal.api('PUT', '/api/content', { json: { files } });
    expectProblem(applied, 'invalid_content');
    expect(await read(admin, `/definitions/reports/${reportId}`)).toEqual(
      expect.objectContaining({ text, version }),
    );
  });

  it('a stored report with too many tiles is shown, and others can be saved', async () => {
    const { text } = await read(admin, `/definitions/reports/${reportId}`);
    const large = writeTiles(60);
    const wide = { ...ordersFiles, 'reports/second.yaml': ordersReport };
    await apply(portal.acme.ctx, portal.datasetFolder, { files: wide, force: true });
    const definitionOf = (content: string) =>
      parseItem('reports/orders.yaml', content).item!.definition as object;
    const store = (content: string) =>
      portal.db
        .updateTable('reports')
        .set({ content, source: JSON.stringify(definitionOf(content)) })
        .where('id', '=', reportId)
        .execute();
    await store(large);
    const { acme } = portal;
    await linkReports(acme.ctx, { userEmail: acme.emails.west, reports: [reportId] });
    const { bearer } = await startSession(portal, acme, { userEmail: acme.emails.west });
    const opened = await openView(acme.address, bearer, reportId);
    expect(opened.json().page.rows).toHaveLength(6);
    const files = { 'reports/second.yaml': `${ordersReport}# changed\n` };
    const applied = await portal.api('PUT', '/api/content', { json: { files } });
    expect(applied.status).toBe(200);
    const dataset = { 'datasets/orders.yaml': `${ordersDataset}# changed\n` };
    const changed = await portal.api('PUT', '/api/content', { json: { files: dataset } });
    expect(changed.status).toBe(200);
    const check = await admin.send('POST', `${definition}/check`, { json: { text: large } });
    expect(check.json().mistakes).toMatchObject([{ message }]);
    await store(text);
    await sql`DELETE FROM reports WHERE slug = 'second'`.execute(portal.db);
  });
});
