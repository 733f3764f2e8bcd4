import { DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';

import type { Chdb } from '../support/chdb.ts';
import { tables, type ColumnKind } from './cases.ts';

const quote = (cell: string | number | null) =>
  cell === null ? 'NULL' : `'${String(cell).replaceAll("'", "''")}'`;

const listColumns = (columns: Record<string, ColumnKind>, types: Record<ColumnKind, string>) =>
  Object.entries(columns)
    .map(([name, kind]) => `"${name}" ${types[kind]}`)
    .join(', ');

const listRows = (rows: (string | number | null)[][]) =>
  rows.map((row) => `(${row.map(quote).join(', ')})`).join(', ');

/** Writes each table to a Parquet file. */
export async function writeFiles(nameFile: (table: string) => string): Promise<void> {
  const types = { text: 'VARCHAR', integer: 'BIGINT', decimal: 'DECIMAL(12, 2)', date: 'DATE' };
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  for (const [table, { columns, rows }] of Object.entries(tables)) {
    await connection.run(`CREATE TABLE ${table} (${listColumns(columns, types)})`);
    await connection.run(`INSERT INTO ${table} VALUES ${listRows(rows)}`);
    await connection.run(`COPY ${table} TO '${nameFile(table)}' (FORMAT parquet)`);
  }
  connection.closeSync();
}

/** Creates the tables in PostgreSQL. */
export async function createPostgresTables(url: string): Promise<void> {
  const types = {
    text: 'character varying(60)',
    integer: 'integer',
    decimal: 'numeric(12, 2)',
    date: 'date',
  };
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const [table, { columns, rows }] of Object.entries(tables)) {
    await client.query(`CREATE TABLE ${table} (${listColumns(columns, types)})`);
    await client.query(`INSERT INTO ${table} VALUES ${listRows(rows)}`);
  }
  await client.end();
}

/** Creates the tables in ClickHouse. */
export async function createClickhouseTables({ run }: Chdb): Promise<void> {
  const types = {
    text: 'LowCardinality(Nullable(String))',
    integer: 'Nullable(Int32)',
    decimal: 'Nullable(Decimal(12, 2))',
    date: 'Nullable(Date32)',
  };
  for (const [table, { columns, rows }] of Object.entries(tables)) {
    await run(
      `CREATE TABLE ${table} (${listColumns(columns, types)}) ENGINE = MergeTree ORDER BY tuple()`,
    );
    const written = rows.map((row) =>
      row.map((cell) => (typeof cell === 'string' ? cell.replaceAll('\\', '\\\\') : cell)),
    );
    await run(`INSERT INTO ${table} VALUES ${listRows(written)}`);
  }
}
