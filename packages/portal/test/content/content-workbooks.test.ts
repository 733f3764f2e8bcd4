import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { createTemporaryFolder } from 'test-support';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

import { initContent } from '../../src/content/init.ts';
import { checkFolder } from '../../src/content/service.ts';
import { signInAs, type AdminBrowser } from '../support/admin.ts';
import { expectProblem } from '../support/http.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

let portal: TestPortal;
let admin: AdminBrowser;
beforeAll(async () => {
  portal = await startTestPortal();
  admin = await signInAs(portal, portal.acme, 1, 'ada@acme.example');
});
afterAll(() => portal.close());

const fixtures = fileURLToPath(new URL('../../../report-engine/test-data/xlsx', import.meta.url));
const fixture = (name: string) => path.join(fixtures, name);
const at = (rest: string) => `/organizations/${portal.acme.id}${rest}`;

function createFolder(): string {
  const folder = createTemporaryFolder('portal-workbooks-');
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  return folder;
}

const upload = async (name: string, query = '') =>
  admin.send('POST', `${at('/uploads')}?fileName=${name}${query}`, {
    body: fs.readFileSync(fixture(name)),
  });

const create = (uploadId: string, name: string, xlsx?: object) =>
  admin.send('POST', at(`/uploads/${uploadId}`), {
    json: { name, workspace: 'Reports', ...(xlsx && { xlsx }) },
  });

it('init writes a dataset and a report for a workbook, which have no mistakes', async () => {
  const folder = createFolder();
  const { files, hints } = await initContent(fixture('exceljs-people.xlsx'), folder, {});
  expect(files).toEqual([
    'datasets/exceljs-people.yaml',
    'reports/exceljs-people.yaml',
    'data/exceljs-people.xlsx',
  ]);
  expect(hints).toEqual([
    expect.stringMatching(/^hint: exceljs-people\.xlsx: 1 range of Team is merged/),
    expect.stringMatching(/^hint: exceljs-people\.xlsx: column "Score" has 2 errors/),
  ]);
  const texts = Object.fromEntries(
    files.slice(0, 2).map((file) => [file, fs.readFileSync(path.join(folder, file), 'utf8')]),
  );
  const dataFolder = path.join(folder, 'data');
  expect((await checkFolder({ files: texts }, dataFolder)).mistakes).toEqual([]);
});

it('init takes the first sheet with values, names the others, and reads the one of --sheet', async () => {
  const folder = createFolder();
  const first = await initContent(fixture('xlsxwriter-report.xlsx'), folder, {
    options: { sheet: 'Costs' },
  });
  const file = path.join(folder, first.files[0]!);
  expect(fs.readFileSync(file, 'utf8')).toContain('sheet: Costs');
  expect(first.hints).toEqual([]);
  const other = await initContent(fixture('xlsxwriter-report.xlsx'), createFolder(), {
    options: { skipFooter: 1 },
  });
  expect(other.hints).toContainEqual(expect.stringContaining('to read "Costs", write sheet:'));
});

it('apply reads the sheet and the options under xlsx', async () => {
  const folder = path.join(portal.datasetFolder, portal.acme.id);
  fs.mkdirSync(folder, { recursive: true });
  fs.copyFileSync(fixture('xlsxwriter-report.xlsx'), path.join(folder, 'report.xlsx'));
  const define = (xlsx: string) => ({
    files: {
      'datasets/costs.yaml': `name: Costs
source: { file: report.xlsx, xlsx: { ${xlsx} } }
rowAccess: everyone
metrics:
  - { name: Total, expression: sum(Cost) }
`,
    },
  });
  expect((await portal.api('PUT', '/api/content', { json: define('sheet: Costs') })).status).toBe(
    200,
  );
  const answer = await portal.api('PUT', '/api/content', { json: define('sheet: Cost') });
  expectProblem(answer, 'invalid_content');
  expect(answer.json().errors).toEqual([
    {
      path: 'datasets/costs.yaml:2:17',
      message: 'report.xlsx: unknown sheet "Cost"; did you mean "Costs"?',
    },
  ]);
});

it('an uploaded workbook becomes a dataset with the values of its sheet', async () => {
  const uploaded = (await upload('exceljs-people.xlsx')).json();
  expect(uploaded.columns).toContainEqual({ name: 'Born', type: 'date' });
  expect(uploaded.questions).toEqual([]);
  const created = await create(uploaded.uploadId, 'People');
  expect(created.status).toBe(200);
  const { rows } = (
    await admin.send('GET', at(`/datasets/${created.json().datasetId}/sample`))
  ).json();
  expect(rows).toContainEqual(['Anna', '1990-02-28', null, 0.25, 'Site']);
});

it('an uploaded workbook of several sheets becomes a dataset of the chosen one', async () => {
  const { uploadId, questions } = (await upload('xlsxwriter-report.xlsx')).json();
  expect(questions[0]).toMatchObject({
    about: 'sheet',
    interpretations: [
      { options: { sheet: 'Sales report' } },
      {
        options: { sheet: 'Costs' },
        columns: [
          { name: 'Region', values: [{ text: 'West' }, { text: 'East' }] },
          { name: 'Cost', values: [{ text: '7' }, { text: '8' }] },
        ],
      },
    ],
  });
  const refused = await create(uploadId, 'Costs');
  expectProblem(refused, 'invalid_request');
  expect(refused.json().detail).toBe('This workbook has several sheets. Choose one of them.');
  const chosen = (
    await upload(
      'xlsxwriter-report.xlsx',
      `&reading=${JSON.stringify({ xlsx: { sheet: 'Costs' } })}`,
    )
  ).json();
  expect(chosen).toMatchObject({
    columns: [
      { name: 'Region', type: 'text' },
      { name: 'Cost', type: 'integer' },
    ],
    sample: { rowCount: 2 },
    questions: [],
  });
  const created = await create(uploadId, 'Costs', { sheet: 'Costs' });
  expect(created.status).toBe(200);
  const { rows } = (
    await admin.send('GET', at(`/datasets/${created.json().datasetId}/sample`))
  ).json();
  expect(rows.toSorted()).toEqual([
    ['East', 8],
    ['West', 7],
  ]);
});
