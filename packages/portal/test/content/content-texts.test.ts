import path from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';
import { createTemporaryFolder } from 'test-support';
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

const listHintsOf = async (csv: string, fields: string[], metrics: string[] = []) => {
  const folder = createTemporaryFolder('portal-texts-');
  writeFiles(folder, { 'orders.csv': csv });
  const list = (name: string, items: string[]) =>
    items.length === 0 ? '' : `${name}:\n${items.map((item) => `  - ${item}\n`).join('')}`;
  const dataset = `source: { file: orders.csv }\n${list('fields', fields)}${list('metrics', metrics)}`;
  const hints = await listHints(folder, dataset);
  return hints
    .filter((hint) => hint.includes('cannot be read'))
    .map((hint) => hint.replace('datasets/orders.yaml: ', ''));
};

const csv = `Kind,Amount,Day
eur,"1,5",2024-02-28
eur,,2024-02-30
usd,1.5,29.02.2024
usd,n/a,29.02.2023
eur,n/a,30.02.2024
eur,"2,5",
`;

it('a check counts the texts that to_number and to_date cannot read, in fields and metrics', async () => {
  expect(
    await listHintsOf(
      csv,
      [
        `{ name: Comma, expression: "to_number(Amount, ',')" }`,
        `{ name: Doubled, expression: "Comma * 2" }`,
        `{ name: Zero, expression: "coalesce(to_number(Amount, '.'), 0)" }`,
        `{ name: Shipped, expression: "to_date(Day, '%d.%m.%Y')" }`,
      ],
      [
        `{ name: Total, expression: sum(Comma) }`,
        `{ name: Other, expression: "sum(to_number(replace(Amount, ',', '')))" }`,
      ],
    ),
  ).toEqual([
    'Comma: 3 texts cannot be read by to_number, such as "n/a", "1.5"; they count as null',
    'Zero: 4 texts cannot be read by to_number, such as "n/a", "1,5", "2,5"; they count as null',
    'Shipped: 4 texts cannot be read by to_date, such as "2024-02-28", "2024-02-30", "29.02.2023"; they count as null',
    'Other: 2 texts cannot be read by to_number, such as "n/a"; they count as null',
  ]);
});

it('a text that one of several formats reads is not counted', async () => {
  expect(
    await listHintsOf(csv, [
      `{ name: D, expression: "coalesce(to_date(Day, '%d.%m.%Y'), to_date(Day, '%Y-%m-%d'))" }`,
    ]),
  ).toEqual([
    'D: 3 texts cannot be read by to_date, such as "2024-02-30", "29.02.2023", "30.02.2024"; they count as null',
  ]);
});

it('a text that the expression does not read in its row is not counted', async () => {
  expect(
    await listHintsOf(csv, [
      `{ name: A, expression: "case when Kind = 'eur' then to_number(Amount, ',') else to_number(Amount) end" }`,
    ]),
  ).toEqual(['A: 2 texts cannot be read by to_number, such as "n/a"; they count as null']);
  expect(
    await listHintsOf(csv, [
      `{ name: A, expression: "case when Amount <> 'n/a' and Kind = 'eur' then to_number(Amount, ',') end" }`,
      `{ name: B, expression: "case when Amount = 'n/a' then 0 when Kind = 'usd' then to_number(Amount) end" }`,
    ]),
  ).toEqual([]);
});
