import path from 'node:path';

import { chooseRepetitions } from 'test-support/repetitions';
import { readSeed } from 'test-support/seed';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { checkRandomLookUps } from '../test/random-reports/check-look-ups.ts';
import { checkRandomReports } from '../test/random-reports/check.ts';
import { compareEveryField } from '../test/random-reports/every-field.ts';
import { managers } from '../test/random-reports/look-ups.ts';
import { createRows, writeRows } from '../test/random-reports/rows.ts';
import { ContentStage, storeDataset } from '../test/support/content.ts';

const seed = readSeed();
const runs = chooseRepetitions(500, 10_000);
const lookUpRuns = chooseRepetitions(500, 10_000);
const rows = createRows(300, seed);
const stage = new ContentStage();

beforeAll(async () => {
  await writeRows(rows, path.join(stage.folder, 'acme', 'orders.parquet'));
  const lines = managers.map((manager) => Object.values(manager).map(writeCsv).join(','));
  stage.write('managers.csv', `${Object.keys(managers[0]!).join(',')}\n${lines.join('\n')}\n`);
});
afterAll(() => stage.close());

const writeCsv = (value: string | bigint | null) =>
  value === null ? '' : JSON.stringify(String(value));

const given = {
  stage,
  rows,
  source: { file: 'orders.parquet' },
  managers: storeDataset({ name: 'managers', source: { file: 'managers.csv' } }),
  seed,
};

it(`${runs} random reports show the same as a plain computation`, async () => {
  const shown = await checkRandomReports({ ...given, runs });
  // Most readers see some rows.
  expect(shown).toBeGreaterThan(runs * 20);
}, 7_200_000);

it('each field has the values of a plain computation', async () => {
  expect(await compareEveryField({ stage, rows, source: { file: 'orders.parquet' } })).toEqual([]);
}, 120_000);

it(`${lookUpRuns} random roles with look-ups allow the same rows as a plain computation`, async () => {
  expect(await checkRandomLookUps({ ...given, runs: lookUpRuns })).toBeGreaterThan(lookUpRuns * 10);
}, 7_200_000);
