import fs from 'node:fs';
import path from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';
import { pino } from 'pino';
import { createTemporaryFolder } from 'test-support';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { QueryCache } from '../cache/query-cache.ts';
import { duckdb } from '../emit/duckdb.ts';
import { render, sql } from '../emit/sql.ts';
import { Engine } from '../engine/engine.ts';
import { Slices } from '../slices.ts';
import { folderFiles } from '../storage/folder-files.ts';
import { Datasets } from './datasets.ts';

const owner = { organizationId: 'acme', userId: 'west' };
const createCache = () => new QueryCache({ cacheMb: 1 }, () => new Date(), new Slices());

let folder: string;
let engine: Engine;
beforeAll(() => {
  folder = createTemporaryFolder('portal-datasets-');
  fs.mkdirSync(path.join(folder, 'acme'));
  const logger = pino({ level: 'silent' });
  engine = new Engine({ queries: 1, userQueries: 1, threads: 1, memoryMb: 128, logger });
});
afterAll(async () => {
  await engine.close();
  fs.rmSync(folder, { recursive: true });
});

async function write(name: string, rows: string): Promise<void> {
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(
    `COPY (SELECT * FROM (VALUES ${rows}) AS t("Day", "At ""x""", "N")) TO '${path.join(folder, 'acme', name)}'`,
  );
  connection.closeSync();
}

/** The SQL that reads each column. */
async function readColumns(name: string): Promise<Record<string, string>> {
  const datasets = new Datasets(folderFiles(folder), engine, createCache());
  const { columns } = await datasets.open(owner, [name], new AbortController().signal);
  return Object.fromEntries(
    [...columns].map(([column, type]) => {
      const read = duckdb.readColumn(sql`${duckdb.quote(column)}`, type, 'UTC');
      return [column, render(read, duckdb.placeholder).text];
    }),
  );
}

it('only times of a file with an infinite value are checked for one, in each version of the file', async () => {
  await write(
    'orders.parquet',
    `(DATE '2024-01-01', TIMESTAMP '2024-01-01', 1.5::DOUBLE), (NULL, NULL, NULL)`,
  );
  const checked = {
    Day: 'CASE WHEN isfinite("Day") THEN "Day" END',
    'At "x"': 'CASE WHEN isfinite("At ""x""") THEN "At ""x""" END',
    N: 'CASE WHEN isfinite("N") THEN "N" END',
  };
  const plain = { Day: '"Day"', 'At "x"': '"At ""x"""' };
  expect(await readColumns('orders.parquet')).toEqual({ ...checked, ...plain });
  await write('orders.parquet', `(DATE 'infinity', TIMESTAMP '2024-01-01', 1.5::DOUBLE)`);
  expect(await readColumns('orders.parquet')).toEqual({ ...checked, 'At "x"': plain['At "x"'] });
  await write(
    'orders.parquet',
    `(NULL, TIMESTAMP '-infinity', 1.5::DOUBLE), (DATE '2024-01-01', NULL, 1)`,
  );
  expect(await readColumns('orders.parquet')).toEqual({ ...checked, Day: plain.Day });
});

it.each([
  '../globex/orders.parquet',
  '..',
  '.',
  '',
  'a//b.parquet',
  './a.parquet',
  '/etc/passwd',
  'a\0.parquet',
])(
  'the file %j is not opened, because it is not below the folder of its organization',
  async (name) => {
    const datasets = new Datasets(folderFiles(folder), engine, createCache());
    await expect(datasets.open(owner, [name], new AbortController().signal)).rejects.toThrow(
      'is not below the folder of its organization',
    );
  },
);
