import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { findUserByEmail } from '../../src/users/store.ts';
import { listNewest } from '../support/activity.ts';
import { signInAs, type AdminBrowser } from '../support/admin.ts';
import { apply, ordersDataset, writeFiles } from '../support/content-files.ts';
import { dumpTables } from '../support/dump.ts';
import { expectProblem } from '../support/http.ts';
import { ordersCsv } from '../support/orders.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

const everyone = (name: string) => `name: ${name}
rowAccess: everyone
source: { file: orders.csv }
time: Ordered
metrics:
  - { name: Sales, expression: sum(Sales) }
`;

const reportOf = (name: string, workspace: string, dataset: string) => `name: ${name}
workspace: ${workspace}
dataset: ${dataset}
pages: [{ name: Overview, rows: [{ tiles: [{ type: kpi, metric: Sales }] }] }]
`;

const files = {
  'datasets/own.yaml': everyone('Own'),
  'datasets/payroll.yaml': everyone('Payroll'),
  'datasets/past.yaml': everyone('Past'),
  'datasets/by-role.yaml': ordersDataset.replace('name: Orders', 'name: By role'),
  'reports/own.yaml': reportOf('Own', 'Retail', 'own'),
  'reports/payroll.yaml': reportOf('Payroll', 'Finance', 'payroll'),
};

let portal: TestPortal;
let ada: AdminBrowser;
let will: AdminBrowser;
let cora: AdminBrowser;
const ids: Record<string, string> = {};
beforeAll(async () => {
  portal = await startTestPortal();
  const { acme, datasetFolder, db } = portal;
  writeFiles(path.join(datasetFolder, acme.id), { 'orders.csv': ordersCsv });
  const { changes } = await apply(acme.ctx, datasetFolder, {
    files: { ...files, 'reports/past.yaml': reportOf('Past', 'Retail', 'past') },
  });
  for (const { kind, slug, id } of changes) ids[`${kind} ${slug}`] = id;
  ada = await signInAs(portal, acme, 1, 'ada@acme.example');
  will = await signInAs(portal, acme, 4, 'will@acme.example');
  cora = await signInAs(portal, acme, 2, 'cora@acme.example');
  const { workspaces } = (await ada.send('GET', at('/workspaces'))).json();
  for (const { name, id } of workspaces) ids[`workspace ${name}`] = id;
  const { id: userId } = (await findUserByEmail(db, acme.id, 'will@acme.example'))!;
  const json = { userId, isLinked: true };
  await ada.send('PUT', at(`/workspaces/${ids['workspace Retail']}/contributors`), { json });
  // An archived report gives no access to its dataset.
  await apply(acme.ctx, datasetFolder, { files, prune: true });
});
afterAll(() => portal.close());

const at = (rest: string) => `/organizations/${portal.acme.id}${rest}`;
const get = (browser: AdminBrowser, rest: string) => browser.send('GET', at(rest));
const post = (browser: AdminBrowser, rest: string, json: object) =>
  browser.send('POST', at(rest), { json });
const listNames = async (browser: AdminBrowser) =>
  (await get(browser, '/datasets')).json().datasets.map(({ name }: { name: string }) => name);

const open = (isOpened: boolean, slug = 'payroll', workspace = 'Retail') =>
  ada.send('PUT', at(`/datasets/${ids[`dataset ${slug}`]}/workspaces`), {
    json: { workspaceId: ids[`workspace ${workspace}`], isOpened },
  });

/** Every request by which a workspace contributor could reach the dataset `payroll`. */
const hidden = reportOf('Own', 'Retail', 'payroll');
const ownReport = () => `/definitions/reports/${ids['report own']}`;

describe('a dataset without a report in the workspaces of a workspace contributor', () => {
  it('is in no list, and administrators and contributors see all', async () => {
    expect(await listNames(will)).toEqual(['Own']);
    const all = ['By role', 'Own', 'Payroll'];
    for (const browser of [ada, cora])
      expect(await listNames(browser)).toEqual(expect.arrayContaining(all));
  });

  it.each(['payroll', 'past', 'by-role'])('%s does not exist for them', async (slug) => {
    const id = ids[`dataset ${slug}`]!;
    const unknown = '00000000-0000-4000-8000-000000000000';
    for (const suffix of ['', '/sample']) {
      const answer = await get(will, `/datasets/${id}${suffix}`);
      expectProblem(answer, 'dataset_not_found');
      const expected = (await get(will, `/datasets/${unknown}${suffix}`)).json();
      expect(answer.json()).toEqual({ ...expected, requestId: expect.any(String) });
    }
    expectProblem(await get(will, `/definitions/datasets/${id}`), 'missing_permission');
    const json = { name: 'Mine', workspace: 'Retail', datasetId: id };
    expectProblem(await post(will, '/reports', json), 'dataset_not_found');
  });

  it('is neither previewed nor listed as an unsaved text', async () => {
    const { text } = (await get(will, ownReport())).json();
    const paths = [
      [`/reports/${ids['report own']}/preview`, {}],
      [`/reports/${ids['report own']}/preview/values`, { field: 'Region' }],
    ] as const;
    for (const [address, more] of paths) {
      const refused = await post(will, address, { text: hidden, ...more });
      expectProblem(refused, 'invalid_content');
      expect(refused.body).not.toMatch(/By role|by-role|past/);
      expect(
        (await post(will, address, { text: `${text}filters: [{ field: Region }]\n`, ...more }))
          .status,
      ).toBe(200);
    }
    const shown = await post(will, paths[0][0], { text });
    expect(shown.json()).toMatchObject({ rowCount: 4 });
  });

  it('is a mistake of a text that is checked, and no name of it is completed', async () => {
    const checked = (await post(will, `${ownReport()}/check`, { text: hidden })).json();
    expect(checked.mistakes).toMatchObject([{ line: 3, message: expect.any(String) }]);
    expect(checked.names).toEqual({
      fields: expect.any(Array),
      types: expect.any(Array),
      hasTime: true,
      metrics: ['Sales'],
      datasets: ['own'],
    });
    expect(JSON.stringify(checked)).not.toMatch(/by-role|past/);
    const { names } = (await get(will, ownReport())).json();
    expect(names.datasets).toEqual(['own']);
    const ofCora = (await get(cora, ownReport())).json();
    expect(ofCora.names.datasets).toEqual(expect.arrayContaining(['by-role', 'own', 'payroll']));
  });

  it('is used by no report that they save, import or replace', async () => {
    const { version } = (await get(will, ownReport())).json();
    const before = await dumpTables(portal.db);
    const answers = [
      await will.send('PUT', at(ownReport()), { json: { text: hidden, version } }),
      await post(will, '/report-files', { fileName: 'new.yaml', text: hidden, replaces: false }),
      await post(will, '/report-files', { fileName: 'own.yaml', text: hidden, replaces: true }),
    ];
    for (const answer of answers) {
      expectProblem(answer, 'invalid_content');
      expect(answer.body).not.toMatch(/by-role|past/);
    }
    const after = await dumpTables(portal.db);
    for (const table of ['reports', 'datasets', 'workspaces', 'content_versions'])
      expect(after[table]).toEqual(before[table]);
  });
});

describe('a dataset that an administrator opens to a workspace', () => {
  it('is seen and used by the contributors of the workspace until it is closed', async () => {
    expect((await open(true)).status).toBe(200);
    expect(await listNewest(portal, 1)).toMatchObject([
      {
        action: 'changeDatasetWorkspace',
        subject: ids['dataset payroll'],
        details: { workspaceId: ids['workspace Retail'], isOpened: true },
      },
    ]);
    expect(await listNames(will)).toEqual(['Own', 'Payroll']);
    const address = `/datasets/${ids['dataset payroll']}`;
    // Reports of other workspaces are neither listed nor counted.
    expect((await get(will, address)).json()).toMatchObject({ reports: [], workspaces: null });
    expect((await get(will, '/datasets')).json().datasets[1]).toMatchObject({ reports: 0 });
    expect((await get(will, `${address}/sample`)).json()).toMatchObject({ rowCount: 4 });
    expect((await get(ada, address)).json().workspaces).toEqual([
      { id: ids['workspace Finance'], name: 'Finance', isOpened: false, reports: 1 },
      { id: ids['workspace Retail'], name: 'Retail', isOpened: true, reports: 0 },
    ]);
    const json = { name: 'Mine', workspace: 'Retail', datasetId: ids['dataset payroll'] };
    const created = (await post(will, '/reports', json)).json();
    expect((await open(false)).status).toBe(200);
    // The report that they made keeps the dataset open to them.
    expect((await get(will, `${address}/sample`)).status).toBe(200);
    expect((await get(will, `/reports/${created.id}`)).status).toBe(200);
  });

  it('is opened and closed again without an effect on other workspaces', async () => {
    for (const isOpened of [true, true]) expect((await open(isOpened, 'by-role')).status).toBe(200);
    expect(await listNames(will)).toContain('By role');
    // Its roles still apply.
    const sample = await get(will, `/datasets/${ids['dataset by-role']}/sample`);
    expect(sample.json()).toMatchObject({ rowCount: 0 });
    for (const isOpened of [false, false])
      expect((await open(isOpened, 'by-role')).status).toBe(200);
    await open(true, 'by-role', 'Finance');
    expect(await listNames(will)).not.toContain('By role');
  });

  it('is changed by administrators only, for workspaces and datasets of the organization', async () => {
    const { globex } = portal;
    const address = at(`/datasets/${ids['dataset payroll']}/workspaces`);
    const json = { workspaceId: ids['workspace Retail'], isOpened: true };
    for (const browser of [will, cora])
      expectProblem(await browser.send('PUT', address, { json }), 'missing_permission');
    const foreign = at(`/datasets/${globex.datasetId}/workspaces`);
    expectProblem(await ada.send('PUT', foreign, { json }), 'dataset_not_found');
    const unknown = { ...json, workspaceId: globex.id };
    expectProblem(await ada.send('PUT', address, { json: unknown }), 'not_found');
  });
});
