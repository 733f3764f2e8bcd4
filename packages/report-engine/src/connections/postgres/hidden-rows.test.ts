import pg from 'pg';
import { findPostgres, startPostgres, type PostgresCluster } from 'test-support';
import { afterAll, beforeAll, describe, it } from 'vitest';

import {
  choices,
  expectSameReport,
  expectSameValues,
  roles,
  searchedFields,
} from '../../../test/hidden-rows/check.ts';
import { managers, tables } from '../../../test/hidden-rows/rows.ts';
import { ContentStage, storeDataset } from '../../../test/support/content.ts';
import { openConnections } from '../open.ts';

const connection = 'warehouse';
const types = '"Owner" text, "N" bigint, "X" float8, "Shipped" text, "Price" numeric';

describe.skipIf(!findPostgres())('over PostgreSQL', () => {
  let server: PostgresCluster;
  let stage: ContentStage;
  beforeAll(async () => {
    server = await startPostgres();
    const url = server.url('postgres');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    for (const [table, rows] of Object.entries(tables)) {
      await client.query(`CREATE TABLE "${table}" (${types})`);
      await client.query(
        `INSERT INTO "${table}" SELECT * FROM jsonb_populate_recordset(NULL::"${table}", $1)`,
        [JSON.stringify(rows)],
      );
      await client.query(`ANALYZE "${table}"`);
    }
    await client.query('CREATE TABLE managers (email text, owner text)');
    await client.query(
      'INSERT INTO managers SELECT * FROM jsonb_populate_recordset(NULL::managers, $1)',
      [JSON.stringify(managers)],
    );
    await client.end();
    const limits = { sourceQueries: 4, userQueries: 4, memoryMb: 256 };
    stage = new ContentStage(
      openConnections([{ name: connection, engine: 'postgres', url }], limits),
    );
  });
  afterAll(async () => {
    await stage.close();
    await server.stop();
  });

  const given = () => ({
    stage,
    sourceOf: (table: string) => ({ connection, table }),
    managers: storeDataset({ name: 'managers', source: { connection, table: 'managers' } }),
  });

  describe.each(roles)('with a role by %s', (_role, role) => {
    it.each(choices)('%s shows nothing of a hidden row', (_choice, choice) =>
      expectSameReport(given(), role, choice),
    );

    it.each(searchedFields)('a search in %s shows nothing of a hidden row', (field) =>
      expectSameValues(given(), role, field),
    );
  });
});
