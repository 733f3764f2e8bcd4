import path from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';
import { createTemporaryFolder } from 'testing';
import { expect, it } from 'vitest';

import { checkFolder } from '../../src/content/service.ts';
import { writeFiles } from '../support/content-files.ts';

/** The hints of a dataset over a data file in the folder. */
async function listHints(dataFolder: string, dataset: string): Promise<string[]> {
  const files = { 'datasets/orders.yaml': `name: Orders\n${dataset}` };
  const { mistakes, hints } = await checkFolder({ files }, dataFolder);
  expect(mistakes).toEqual([]);
  return hints;
}

async function writeParquet(folder: string, select: string): Promise<void> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const file = path.join(folder, 'orders.parquet');
  await connection.run(`COPY (${select}) TO '${file}' (FORMAT parquet)`);
  connection.closeSync();
}

it('a check counts the texts of a Parquet file that are not values of their declared type', async () => {
  const folder = createTemporaryFolder('portal-texts-');
  await writeParquet(
    folder,
    `SELECT * FROM (VALUES ('2024-01-03', 1), ('n/a', 2), ('2024-02-30', 3), ('n/a', 4), ('', 5), (NULL, 6))
      AS t("Shipped", "Sales")`,
  );
  const source = 'source: { file: orders.parquet }\n';
  expect(await listHints(folder, `${source}fields:\n  - { name: Shipped, type: date }\n`)).toEqual([
    'datasets/orders.yaml: Shipped: 3 texts cannot be read as date, such as "n/a", "2024-02-30"; reports show them as blank',
  ]);
  expect(await listHints(folder, `${source}fields:\n  - { name: Sales, type: decimal }\n`)).toEqual(
    [],
  );
});

it('a check shows the first 60 characters of the three most frequent texts', async () => {
  const folder = createTemporaryFolder('portal-texts-');
  await writeParquet(
    folder,
    `SELECT text AS "Shipped", unnest(range(n)) AS "Sales"
      FROM (VALUES ('soon', 2), (repeat('x', 61), 4), ('never', 1), ('n/a', 3)) AS t(text, n)`,
  );
  const dataset = 'source: { file: orders.parquet }\nfields:\n  - { name: Shipped, type: date }\n';
  expect(await listHints(folder, dataset)).toEqual([
    expect.stringContaining(`such as "${'x'.repeat(60)}", "n/a", "soon"; reports`),
  ]);
});

it('a check counts the texts of an expression that are not values of its type', async () => {
  const folder = createTemporaryFolder('portal-texts-');
  writeFiles(folder, { 'orders.csv': 'Code,Sales\nA-7,1\nA-x,2\n' });
  const field = `{ name: Number, type: integer, expression: "case when Code = 'A-7' then '7' else 'x' end" }`;
  expect(await listHints(folder, `source: { file: orders.csv }\nfields:\n  - ${field}\n`)).toEqual([
    'datasets/orders.yaml: Number: 1 text cannot be read as integer, such as "x"; reports show them as blank',
  ]);
});
