import fs from 'node:fs';
import path from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';
import { csvSchema, type CsvOptions, type FieldType } from '@portal-embed/report-model';
import { createTemporaryFolder } from 'test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { folderFiles } from '../storage/folder-files.ts';
import { storeSource, type KeptColumns } from './data-files.ts';

/** A CSV file of the tests and guides of an earlier release, and what its own code made of it. */
interface Conversion {
  /** In Base64. */
  content: string;
  csv: Partial<CsvOptions>;
  types: Record<string, FieldType>;
  columns: { name: string; type: FieldType }[];
  rows: unknown[][];
}

const conversions = JSON.parse(
  fs.readFileSync(
    path.join(import.meta.dirname, '../../test-data/earlier-release/conversions.json'),
    'utf8',
  ),
) as Conversion[];

let root: string;
beforeAll(() => {
  root = createTemporaryFolder('portal-earlier-');
});
afterAll(() => fs.rmSync(root, { recursive: true }));

/** Applies a dataset of the file to which an earlier release has given these columns. */
async function apply({ content, csv, types }: Conversion, index: number, kept?: KeptColumns) {
  const organizationId = `acme-${index}`;
  fs.mkdirSync(path.join(root, organizationId), { recursive: true });
  fs.writeFileSync(path.join(root, organizationId, 'a.csv'), Buffer.from(content, 'base64'));
  const fields = Object.entries(types).map(([name, type]) => ({ name, type }));
  // A comma can be both if the author writes it.
  const source = { file: 'a.csv', csv: csvSchema.parse(csv) };
  const place = { files: folderFiles(root).of(organizationId), organizationId };
  const { columns, files } = await storeSource(place, { source, fields }, { kept });
  const connection = await (await DuckDBInstance.create()).connect();
  const file = path.join(root, organizationId, files[0]!);
  const rows = await connection.runAndReadAll(`SELECT * FROM read_parquet('${file}')`);
  connection.closeSync();
  return {
    columns: columns.map(({ name, type }) => ({ name, type })),
    rows: rows.getRowsJson(),
    file: files[0],
  };
}

/** Years of two digits under `%Y` were in the first century. */
const isAncient = (value: unknown) => typeof value === 'string' && /^00\d\d-\d\d-\d\d/.test(value);

describe('a dataset that an earlier release has applied', () => {
  it.each(conversions.map((each, index) => [index, each] as const))(
    'keeps the types and values of its columns (file %d)',
    async (index, conversion) => {
      const { columns, rows } = await apply(conversion, index, conversion.columns);
      const ancient = new Set(
        conversion.columns.flatMap(({ name }, at) =>
          conversion.rows.some((row) => isAncient(row[at])) ? [name] : [],
        ),
      );
      const isLasting = (_: unknown, at: number) => !ancient.has(conversion.columns[at]!.name);
      expect(columns.filter(isLasting)).toEqual(conversion.columns.filter(isLasting));
      expect(rows.map((row) => row.filter(isLasting))).toEqual(
        conversion.rows.map((row) => row.filter(isLasting)),
      );
    },
  );

  it('has the same files at its next apply', async () => {
    const conversion = conversions.find(({ csv }) => csv.delimiter === '|')!;
    const first = await apply(conversion, 1_000, conversion.columns);
    const again = await apply(conversion, 1_000, first.columns);
    expect(again.file).toBe(first.file);
  });

  it('differs from a new one in columns that were text', async () => {
    const conversion = conversions.find(({ csv }) => csv.delimiter === '|')!;
    const { columns } = await apply(conversion, 1_001);
    const changed = columns.filter(({ type }, at) => type !== conversion.columns[at]!.type);
    expect(changed.length).toBeGreaterThan(5);
    expect(
      conversion.columns.filter(({ name }) => changed.some((each) => each.name === name)),
    ).toEqual(changed.map(({ name }) => ({ name, type: 'text' })));
  });
});
