import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import pg from 'pg';
import { findPostgres, startPostgres } from 'test-support';
import { beforeAll, describe, expect, it } from 'vitest';

import {
  readFunctionResult,
  selectFunction,
  textFunctionCases,
} from '../../test/support/text-functions.ts';
import { duckdb } from './duckdb.ts';
import { postgres } from './postgres.ts';

describe('DuckDB', () => {
  let connection: DuckDBConnection;
  beforeAll(async () => {
    connection = await (await DuckDBInstance.create()).connect();
    return () => connection.closeSync();
  });

  it.each(textFunctionCases)('%s is %j', async (expression, value) => {
    const { text, values } = selectFunction(duckdb, expression);
    const [[found] = []] = (await connection.runAndReadAll(text, values as string[])).getRowsJson();
    expect(readFunctionResult(found, value)).toEqual(value);
  });
});

describe.skipIf(!findPostgres())('PostgreSQL', () => {
  let client: pg.Client;
  beforeAll(async () => {
    const server = await startPostgres();
    client = new pg.Client({ connectionString: server.url('postgres') });
    await client.connect();
    return async () => {
      await client.end();
      await server.stop();
    };
  });

  it.each(textFunctionCases)('%s is %j', async (expression, value) => {
    const { text, values } = selectFunction(postgres, expression);
    const { rows } = await client.query<{ v: unknown }>({ text, values: [...values] });
    expect(readFunctionResult(rows[0]?.v, value)).toEqual(value);
  });
});
