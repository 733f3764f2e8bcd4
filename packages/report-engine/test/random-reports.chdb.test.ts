import { chooseRepetitions } from 'test-support/repetitions';
import { readSeed } from 'test-support/seed';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { openConnections } from '../src/connections/open.ts';
import { checkRandomLookUps } from './random-reports/check-look-ups.ts';
import { checkRandomReports } from './random-reports/check.ts';
import { createTables, toStorable } from './random-reports/clickhouse.ts';
import { compareEveryField } from './random-reports/every-field.ts';
import { createRows } from './random-reports/rows.ts';
import { startChdb, type Chdb } from './support/chdb.ts';
import { ContentStage, storeDataset } from './support/content.ts';

const seed = readSeed();
const runs = chooseRepetitions(10_000, 10_000);
const rows = createRows(300, seed).map(toStorable);
let chdb: Chdb;
let stage: ContentStage;

beforeAll(async () => {
  chdb = await startChdb();
  await createTables(chdb, rows);
  const settings = { name: 'clickhouse', engine: 'clickhouse', url: chdb.url } as const;
  const limits = { sourceQueries: 2, userQueries: 2, memoryMb: 512 };
  stage = new ContentStage(openConnections([settings], limits));
});
afterAll(async () => {
  await stage.close();
  await chdb[Symbol.asyncDispose]();
});

const connection = 'clickhouse';
const source = { connection, table: 'orders', freshness: '0 seconds' };
const declared = [{ name: 'Clock', type: 'datetime' as const }];

const given = () => ({
  stage,
  rows,
  source,
  declared,
  managers: storeDataset({ name: 'managers', source: { connection, table: 'managers' } }),
  runs,
  seed,
});

it(`${runs} random roles with look-ups over ClickHouse allow the same rows as a plain computation`, async () => {
  expect(await checkRandomLookUps(given())).toBeGreaterThan(runs * 10);
}, 7_200_000);

it(`${runs} random reports over ClickHouse show the same as a plain computation`, async () => {
  const shown = await checkRandomReports(given());
  // Most readers see some rows.
  expect(shown).toBeGreaterThan(runs * 20);
}, 7_200_000);

it('each field over ClickHouse has the values of a plain computation', async () => {
  expect(await compareEveryField({ stage, rows, source, declared })).toEqual([]);
}, 120_000);
