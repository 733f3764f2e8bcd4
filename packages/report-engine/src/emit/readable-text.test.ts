import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import type { FieldType } from '@portal-embed/report-model';
import pg from 'pg';
import { findPostgres, startPostgres } from 'test-support';
import { beforeAll, describe, expect, it } from 'vitest';

import { readableTextCases } from '../../test/support/readable-texts.ts';
import type { Dialect } from './dialect.ts';
import { duckdb } from './duckdb.ts';
import { postgres } from './postgres.ts';
import { render, sql, type Statement } from './sql.ts';

/** A statement with the text as it is read. */
function readAs(dialect: Dialect, type: FieldType, text: string): Statement {
  const value = dialect.cast(sql`t.v`, 'text', type);
  return render(
    sql`SELECT ${value} AS v FROM (SELECT ${dialect.literal(text, 'text')} AS v) AS t`,
    dialect.placeholder,
  );
}

const toNumber = (type: FieldType, value: unknown) =>
  type === 'integer' && Number.isSafeInteger(Number(value)) && value !== null
    ? Number(value)
    : value;

describe('DuckDB', () => {
  let connection: DuckDBConnection;
  beforeAll(async () => {
    connection = await (await DuckDBInstance.create()).connect();
    return () => connection.closeSync();
  });

  it.each(readableTextCases)('reads as %s the text %j: %j', async (type, text, value) => {
    const { text: statement, values } = readAs(duckdb, type, text);
    const [[found] = []] = (
      await connection.runAndReadAll(statement, values as string[])
    ).getRowsJson();
    expect(toNumber(type, found)).toEqual(value);
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

  it.each(readableTextCases)('reads as %s the text %j: %j', async (type, text, value) => {
    const { text: statement, values } = readAs(postgres, type, text);
    const asText = type === 'date' || type === 'datetime' ? '::text' : '';
    const { rows } = await client.query<{ v: unknown }>({
      text: `SELECT v${asText} AS v FROM (${statement}) AS r`,
      values: [...values],
    });
    expect(toNumber(type, rows[0]?.v)).toEqual(value);
  });
});
