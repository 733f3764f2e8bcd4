import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

import type { ReportPlatform } from '#platform';

import { linkReports } from '../../src/access/report-links.ts';
import { linkUsers } from '../../src/access/role-links.ts';
import { applyCatalogue, type CatalogueChanges } from '../../src/catalogue/apply.ts';
import { readContent } from '../../src/content/service.ts';
import { listWithoutContent } from '../../src/content/without-content.ts';
import { inTransaction } from '../../src/db/connection/open.ts';
import { signInAs } from '../support/admin.ts';
import { apply, ordersDataset, ordersReport, writeFiles } from '../support/content-files.ts';
import { dumpTables } from '../support/dump.ts';
import { exportTile } from '../support/exported.ts';
import { fixedTilePlatform } from '../support/fixed-tile-platform.ts';
import { expectProblem } from '../support/http.ts';
import { addItems } from '../support/items.ts';
import { ordersCsv } from '../support/orders.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { listValues, startSession, view } from '../support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ platforms: [fixedTilePlatform] });
});
afterAll(() => portal.close());

const sync = (changes: CatalogueChanges, platform: ReportPlatform = fixedTilePlatform) =>
  inTransaction(portal.db, (db) => applyCatalogue(db, portal.acme.id, platform, changes));

const roleOf = (name: string) => ({ name, definition: null });

const datasetOf = (id: string, roles = ['Staff']) => ({
  id,
  name: 'Elsewhere',
  source: { id: 'there' },
  rowAccess: 'by-role' as const,
  roles: roles.map(roleOf),
});

const reportOf = (datasetId: string, id: string = randomUUID(), text = 'Hello') => ({
  id,
  name: 'Note',
  description: null,
  workspace: 'Notes',
  datasetId,
  source: { text },
});

/** Adds a dataset with one report, which a user of Acme may open. */
async function addReport(userEmail: string): Promise<{ datasetId: string; reportId: string }> {
  const [dataset, report] = [datasetOf(randomUUID()), randomUUID()];
  await sync({ datasets: [dataset], reports: [reportOf(dataset.id, report)] });
  await linkReports(portal.acme.ctx, { userEmail, reports: [report] });
  return { datasetId: dataset.id, reportId: report };
}

const read = async (reportId: string) => {
  const { acme } = portal;
  const { bearer } = await startSession(portal, acme, { userEmail: acme.emails.west });
  return { bearer, answer: await view(acme.address, bearer, reportId) };
};

it('a report of another platform is read with the roles that its reader holds', async () => {
  const { acme } = portal;
  const { datasetId, reportId } = await addReport(acme.emails.west);
  expect((await read(reportId)).answer.json()).toMatchObject({ roles: [], rowCount: 0 });
  await linkUsers(acme.ctx, { datasetId, role: 'Staff', usersEmails: [acme.emails.west] });
  const { answer, bearer } = await read(reportId);
  expect(answer.json()).toMatchObject({
    kind: 'tiles',
    report: { id: reportId, name: 'Note', workspaceName: 'Notes' },
    rowAccess: 'by-role',
    roles: ['Staff'],
    rowCount: 1,
    page: { rows: [[{ type: 'text', text: 'Hello' }]] },
  });
  expect((await listValues(acme.address, bearer, reportId, { field: 'Any' })).json()).toEqual({
    values: [],
    valueCount: 0,
  });
  expectProblem(
    await exportTile(acme.address, { bearer, reportId, json: { tile: '0.0.0', format: 'csv' } }),
    'not_found',
  );
});

it('the API lists a report of another platform with its type', async () => {
  const { reportId } = await addReport(portal.acme.emails.west);
  const { data } = (await portal.api('GET', '/api/report?pageSize=100')).json();
  expect(data.find(({ id }: { id: string }) => id === reportId)).toMatchObject({
    name: 'Note',
    reportType: 101,
  });
});

it('items of a platform keep their id, their links and their roles when they change or return', async () => {
  const { acme, db } = portal;
  const { datasetId, reportId } = await addReport(acme.emails.west);
  await linkUsers(acme.ctx, { datasetId, role: 'Staff', usersEmails: [acme.emails.west] });
  const changes = await sync({
    datasets: [datasetOf(datasetId, ['Staff', 'Board'])],
    reports: [reportOf(datasetId, reportId, 'Changed')],
  });
  expect(changes).toEqual(new Map([[datasetId, { added: ['Board'], changed: [], removed: [] }]]));
  expect((await read(reportId)).answer.json()).toMatchObject({
    roles: ['Staff'],
    page: { rows: [[{ text: 'Changed' }]] },
  });
  await sync({ archived: [{ kind: 'report', id: reportId }] });
  expectProblem((await read(reportId)).answer, 'report_not_accessible');
  await sync({ reports: [reportOf(datasetId, reportId)] });
  expect((await read(reportId)).answer.json()).toMatchObject({ roles: ['Staff'] });
  const versions = await db
    .selectFrom('reports')
    .where('id', '=', reportId)
    .select('version')
    .execute();
  expect(versions).toEqual([{ version: 3 }]);
});

it.each<[string, (dataset: string) => CatalogueChanges]>([
  ['a report', (id) => ({ reports: [{ ...reportOf(id), source: {} }] })],
  ['a role', (id) => ({ datasets: [{ ...datasetOf(id), roles: [{ name: 'A', definition: 1 }] }] })],
])('%s that its platform cannot read is refused, and nothing is changed', async (_, changes) => {
  const { datasetId } = await addReport(portal.acme.emails.west);
  const before = await dumpTables(portal.db);
  await expect(
    sync({ reports: [reportOf(datasetId)], ...changes(datasetId) }),
  ).rejects.toMatchObject({ code: 'invalid_content' });
  expect(await dumpTables(portal.db)).toEqual(before);
});

it('content files neither list, archive nor take over items of another platform', async () => {
  const { acme, datasetFolder, db } = portal;
  const { datasetId, reportId } = await addReport(acme.emails.west);
  const before = await readContent(acme.ctx);
  expect(Object.keys(before).filter((file) => file.includes('null'))).toEqual([]);
  writeFiles(datasetFolder, { [`${acme.id}/orders.csv`]: ordersCsv });
  await apply(acme.ctx, datasetFolder, { files: before, prune: true });
  expect((await read(reportId)).answer.status).toBe(200);
  const taken = [
    { 'datasets/taken.yaml': `id: ${datasetId}\n${ordersDataset}` },
    {
      'datasets/orders.yaml': ordersDataset,
      'reports/taken.yaml': `id: ${reportId}\n${ordersReport}`,
    },
  ];
  const kept = await dumpTables(db);
  for (const files of taken)
    await expect(apply(acme.ctx, datasetFolder, { files })).rejects.toMatchObject({
      code: 'invalid_content',
      message: expect.stringContaining('of another platform'),
    });
  expect(await dumpTables(db)).toEqual(kept);
});

it('a platform does not take over an item of content files', async () => {
  const { acme, db } = portal;
  const { datasetId } = await addReport(acme.emails.west);
  const before = await dumpTables(db);
  for (const changes of [
    { datasets: [datasetOf(acme.datasetId)] },
    { reports: [reportOf(datasetId, acme.reportId)] },
  ])
    await expect(sync(changes)).rejects.toMatchObject({ code: 'invalid_content' });
  expect(await dumpTables(db)).toEqual(before);
});

it('two platforms do not take over each other’s items', async () => {
  const { datasetId, reportId } = await addReport(portal.acme.emails.west);
  const third = { ...fixedTilePlatform, name: 'third' };
  const own = datasetOf(randomUUID());
  const before = await dumpTables(portal.db);
  for (const changes of [
    { datasets: [datasetOf(datasetId)] },
    { datasets: [own], reports: [reportOf(own.id, reportId)] },
  ])
    await expect(sync(changes, third)).rejects.toMatchObject({ code: 'invalid_content' });
  expect(await dumpTables(portal.db)).toEqual(before);
});

it.each<[string, (acme: TestPortal['acme']) => CatalogueChanges]>([
  ['archives a report', ({ reportId: id }) => ({ archived: [{ kind: 'report', id }] })],
  ['archives a dataset', ({ datasetId: id }) => ({ archived: [{ kind: 'dataset', id }] })],
  ['has a report on a dataset', ({ datasetId: id }) => ({ reports: [reportOf(id)] })],
])('no platform %s of content files', async (_, changes) => {
  const before = await dumpTables(portal.db);
  await expect(sync(changes(portal.acme))).rejects.toMatchObject({
    code: 'invalid_content',
    message: expect.stringMatching(/^Nothing was changed: .* platform/),
  });
  expect(await dumpTables(portal.db)).toEqual(before);
});

it('no platform takes over, archives or uses a dataset of content files without reports', async () => {
  const { ctx } = portal.acme;
  const { datasets } = await addItems(ctx, portal.datasetFolder, { datasets: { alone: {} } });
  const id = datasets['alone']!;
  const before = await dumpTables(portal.db);
  for (const changes of [
    { datasets: [datasetOf(id)] },
    { archived: [{ kind: 'dataset' as const, id }] },
    { reports: [reportOf(id)] },
  ])
    await expect(sync(changes)).rejects.toMatchObject({ code: 'invalid_content' });
  expect(await dumpTables(portal.db)).toEqual(before);
});

it.each<[string, (item: { datasetId: string; reportId: string }) => CatalogueChanges]>([
  ['archives a report', ({ reportId: id }) => ({ archived: [{ kind: 'report', id }] })],
  ['archives a dataset', ({ datasetId: id }) => ({ archived: [{ kind: 'dataset', id }] })],
  ['has a report on a dataset', ({ datasetId: id }) => ({ reports: [reportOf(id)] })],
])('no platform %s of a third one', async (_, changes) => {
  const item = await addReport(portal.acme.emails.west);
  const third = { ...fixedTilePlatform, name: 'third' };
  const before = await dumpTables(portal.db);
  await expect(sync(changes(item), third)).rejects.toMatchObject({ code: 'invalid_content' });
  expect(await dumpTables(portal.db)).toEqual(before);
});

it('a dataset stays that of its platform while its reports are archived', async () => {
  const { datasetId: id, reportId } = await addReport(portal.acme.emails.west);
  await sync({ archived: [{ kind: 'report', id: reportId }] });
  const third = { ...fixedTilePlatform, name: 'third' };
  const before = await dumpTables(portal.db);
  for (const changes of [
    { datasets: [datasetOf(id)] },
    { archived: [{ kind: 'dataset' as const, id }] },
    { reports: [reportOf(id)] },
  ])
    await expect(sync(changes, third)).rejects.toMatchObject({ code: 'invalid_content' });
  expect(await dumpTables(portal.db)).toEqual(before);
});

it('a report of a dataset that its organization does not have is refused', async () => {
  for (const id of [portal.globex.datasetId, randomUUID()])
    await expect(sync({ reports: [reportOf(id)] })).rejects.toMatchObject({
      code: 'invalid_content',
    });
});

it.each<[string, (dataset: string) => CatalogueChanges]>([
  ['an id that is no UUID', () => ({ datasets: [datasetOf('../there')] })],
  ['a dataset id that is no UUID', () => ({ reports: [reportOf('there')] })],
  ['an archived id that is no UUID', () => ({ archived: [{ kind: 'report', id: 'there' }] })],
  ['an empty name', (id) => ({ datasets: [{ ...datasetOf(id), name: '' }] })],
  ['an unstorable name', (id) => ({ reports: [{ ...reportOf(id), name: 'a\0b' }] })],
  ['a name without end', (id) => ({ reports: [{ ...reportOf(id), name: 'x'.repeat(201) }] })],
  [
    'a workspace without end',
    (id) => ({ reports: [{ ...reportOf(id), workspace: 'x'.repeat(201) }] }),
  ],
  ['a role without a name', (id) => ({ datasets: [datasetOf(id, [''])] })],
  ['two roles of one name', (id) => ({ datasets: [datasetOf(id, ['Staff', 'Staff'])] })],
])('an item with %s is refused, and nothing is changed', async (_, changes) => {
  const { datasetId } = await addReport(portal.acme.emails.west);
  const before = await dumpTables(portal.db);
  await expect(
    sync({ reports: [reportOf(datasetId)], ...changes(datasetId) }),
  ).rejects.toMatchObject({
    code: 'invalid_content',
    message: expect.stringMatching(/^Nothing was changed: an? .* is not valid \(.{1,200}\)\.$/),
  });
  expect(await dumpTables(portal.db)).toEqual(before);
});

it('letter case of ids does not matter', async () => {
  const id = randomUUID().toUpperCase();
  const report = randomUUID();
  await sync({ datasets: [datasetOf(id)], reports: [reportOf(id, report)] });
  await sync({ archived: [{ kind: 'report', id: report.toUpperCase() }] });
  const { data } = (await portal.api('GET', '/api/report?pageSize=100')).json();
  expect(data).not.toContainEqual(expect.objectContaining({ id: report }));
});

it('archiving an item that does not exist changes nothing', async () => {
  const before = await dumpTables(portal.db);
  const archived = (['dataset', 'report'] as const).map((kind) => ({ kind, id: randomUUID() }));
  await sync({ archived });
  expect(await dumpTables(portal.db)).toEqual(before);
});

it('archived items of another platform are not those that lack a content file', async () => {
  const { datasetId, reportId } = await addReport(portal.acme.emails.west);
  await sync({
    archived: [
      { kind: 'report', id: reportId },
      { kind: 'dataset', id: datasetId },
    ],
  });
  expect(await listWithoutContent(portal.db)).toEqual([]);
});

/** Until the end of the test, the report is of a platform that this portal does not have. */
async function losePlatform(reportId: string): Promise<void> {
  const name = (platform: string) =>
    sql`UPDATE reports SET platform = ${platform} WHERE id = ${reportId}`.execute(portal.db);
  await name('gone');
  onTestFinished(async () => void (await name('fixed-tile')));
}

it('a report of a platform that is not set up any more is explained, and the log names the platform', async () => {
  const { reportId } = await addReport(portal.acme.emails.west);
  await losePlatform(reportId);
  const { answer } = await read(reportId);
  expectProblem(answer, 'report_failed');
  expect(answer.json()).toMatchObject({ reason: 'not_set_up' });
  expect(answer.body).not.toContain('gone');
  expect(JSON.parse(portal.log.findLast((line) => line.includes('report failed'))!)).toMatchObject({
    organizationId: portal.acme.id,
    reportId,
    platform: 'gone',
    err: { message: expect.stringContaining('"gone"') },
  });
});

it('the administration shows the name of a platform that is not set up any more', async () => {
  const { acme } = portal;
  const { reportId } = await addReport(acme.emails.west);
  await losePlatform(reportId);
  const browser = await signInAs(portal, acme, 1, `${randomUUID()}@acme.example`);
  const answer = await browser.send('GET', `/organizations/${acme.id}/reports/${reportId}`);
  expect(answer.json()).toMatchObject({ name: 'Note', product: 'gone', canEdit: false });
});

it('the administration shows the product of an item, and offers nothing to write it', async () => {
  const { acme } = portal;
  const { datasetId, reportId } = await addReport(acme.emails.west);
  await linkUsers(acme.ctx, { datasetId, role: 'Staff', usersEmails: [acme.emails.west] });
  const browser = await signInAs(portal, acme, 1, `${randomUUID()}@acme.example`);
  const ask = (method: string, path: string, json?: object) =>
    browser.send(method, `/organizations/${acme.id}${path}`, json && { json });
  expect((await ask('GET', `/reports/${reportId}`)).json()).toMatchObject({
    name: 'Note',
    product: 'Fixed tile',
    file: null,
    canEdit: false,
  });
  expect((await ask('GET', `/datasets/${datasetId}`)).json()).toMatchObject({
    name: 'Elsewhere',
    product: 'Fixed tile',
    source: 'Fixed tile',
    file: null,
    roles: [{ name: 'Staff', users: 1, groups: 0 }],
    reports: [{ id: reportId }],
    fields: [],
  });
  const { datasets } = (await ask('GET', '/datasets')).json();
  expect(datasets).toContainEqual(
    expect.objectContaining({ id: datasetId, product: 'Fixed tile' }),
  );
  expect(datasets).toContainEqual(expect.objectContaining({ id: acme.datasetId, product: null }));
  expectProblem(await ask('GET', `/datasets/${datasetId}/sample`), 'dataset_not_found');
  const change = { version: 1, name: 'Other', workspace: 'Notes', description: '' };
  expectProblem(await ask('PUT', `/reports/${reportId}`, change), 'not_found');
});
