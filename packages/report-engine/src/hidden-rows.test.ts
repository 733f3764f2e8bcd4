import path from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, it } from 'vitest';

import {
  choices,
  expectSameReport,
  expectSameValues,
  roles,
  searchedFields,
} from '../test/hidden-rows/check.ts';
import { managers, tables } from '../test/hidden-rows/rows.ts';
import { ContentStage, storeDataset } from '../test/support/content.ts';

const stage = new ContentStage();
const types = 'Owner VARCHAR, N BIGINT, X DOUBLE, Shipped VARCHAR, Price DECIMAL(38, 0)';

beforeAll(async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  for (const [table, rows] of Object.entries(tables)) {
    const file = path.join(stage.folder, 'acme', `${table}.parquet`);
    const lines = rows.map(
      (row) =>
        `(${Object.values(row)
          .map((cell) => `'${cell}'`)
          .join(', ')})`,
    );
    await connection.run(`CREATE TABLE "${table}" (${types})`);
    await connection.run(`INSERT INTO "${table}" VALUES ${lines.join(', ')}`);
    await connection.run(`COPY "${table}" TO '${file}' (FORMAT parquet)`);
  }
  connection.closeSync();
  const lines = managers.map(({ email, owner }) => `${email},${owner}\n`);
  stage.write('managers.csv', `email,owner\n${lines.join('')}`);
});
afterAll(() => stage.close());

const given = {
  stage,
  sourceOf: (table: string) => ({ file: `${table}.parquet` }),
  managers: storeDataset({ name: 'managers', source: { file: 'managers.csv' } }),
};

describe.each(roles)('over files, with a role by %s', (_role, role) => {
  it.each(choices)('%s shows nothing of a hidden row', (_choice, choice) =>
    expectSameReport(given, role, choice),
  );

  it.each(searchedFields)('a search in %s shows nothing of a hidden row', (field) =>
    expectSameValues(given, role, field),
  );
});
