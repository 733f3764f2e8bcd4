import { afterAll, beforeAll, describe, it } from 'vitest';

import { openConnections } from '../src/connections/open.ts';
import {
  choices,
  expectSameReport,
  expectSameValues,
  roles,
  searchedFields,
} from './hidden-rows/check.ts';
import { managers, tables } from './hidden-rows/rows.ts';
import { startChdb, type Chdb } from './support/chdb.ts';
import { ContentStage, storeDataset } from './support/content.ts';

const connection = 'clickhouse';
const types = 'Owner String, N Int64, X Float64, Shipped String, Price Decimal(38, 0)';

let chdb: Chdb;
let stage: ContentStage;
beforeAll(async () => {
  chdb = await startChdb();
  const fill = (table: string, columns: string, rows: readonly object[]) =>
    chdb
      .run(`CREATE TABLE ${table} (${columns}) ENGINE = MergeTree ORDER BY tuple()`)
      .then(() =>
        chdb.run(
          `INSERT INTO ${table} FORMAT TabSeparated\n${rows.map((row) => Object.values(row).join('\t')).join('\n')}`,
        ),
      );
  for (const [table, rows] of Object.entries(tables)) await fill(table, types, rows);
  await fill('managers', 'email String, owner String', managers);
  const settings = { name: connection, engine: 'clickhouse', url: chdb.url } as const;
  const limits = { sourceQueries: 2, userQueries: 2, memoryMb: 512 };
  stage = new ContentStage(openConnections([settings], limits));
});
afterAll(async () => {
  await stage.close();
  await chdb[Symbol.asyncDispose]();
});

const given = () => ({
  stage,
  sourceOf: (table: string) => ({ connection, table }),
  managers: storeDataset({ name: 'managers', source: { connection, table: 'managers' } }),
});

describe.each(roles)('over ClickHouse, with a role by %s', (_role, role) => {
  it.each(choices)('%s shows nothing of a hidden row', (_choice, choice) =>
    expectSameReport(given(), role, choice),
  );

  it.each(searchedFields)('a search in %s shows nothing of a hidden row', (field) =>
    expectSameValues(given(), role, field),
  );
});
