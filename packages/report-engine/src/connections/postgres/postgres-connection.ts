import { randomUUID } from 'node:crypto';

import pg from 'pg';

import { enumPrefix, postgres } from '../../emit/postgres.ts';
import { render, sql, type Statement } from '../../emit/sql.ts';
import type { Cell, Row } from '../../engine/messages.ts';
import {
  checkColumnNames,
  SourceError,
  type Connection,
  type ConnectionSource,
} from '../connection.ts';
import { checkServer, checkTable } from './postgres-check.ts';
import { extended, ReadOnlyPool } from './postgres-client.ts';
import { isStatementError, toReportError } from './postgres-failures.ts';

export interface PostgresSettings {
  name: string;
  /** `postgres://…` */
  url: string;
  /** Maximum number of connections to the server. */
  connections: number;
  /** Time limit of a statement in milliseconds. Default: 15,000. */
  statementLimitMs?: number | undefined;
}

const { BOOL, FLOAT4, FLOAT8 } = pg.types.builtins;

/** Parses booleans and doubles. Other types stay text, so that they stay exact. */
const types: pg.CustomTypesConfig = {
  getTypeParser:
    (oid) =>
    (text: string): Cell => {
      if (oid === BOOL) return text === 't';
      return oid === FLOAT4 || oid === FLOAT8 ? Number(text) : text;
    },
};

/** Creates a connection to PostgreSQL, or to an engine that speaks its protocol and its SQL. */
export function createPostgresConnection({ name, ...settings }: PostgresSettings): Connection {
  const pool = new ReadOnlyPool(settings);

  async function transact<Result>(
    signal: AbortSignal,
    work: (client: pg.PoolClient) => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted();
    try {
      return await pool.transact(signal, work);
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof SourceError ? error : toReportError(name, error);
    }
  }

  return {
    name,
    dialect: postgres,
    query: (statement, signal) => transact(signal, (client) => select(client, statement)),
    describe: (source, signal) => transact(signal, (client) => describe(client, source)),
    probe: (signal) => transact(signal, (client) => client.query('SELECT 1')),
    check: (signal) => transact(signal, (client) => checkServer(client)),
    checkSource: (source, columns, signal) =>
      transact(signal, async (client) => {
        await describe(client, source);
        return checkTable(client, source, columns);
      }),
    close: () => pool.close(),
  };
}

async function select(client: pg.PoolClient, { text, values }: Statement): Promise<Row[]> {
  const { rows } = await client.query<Row>({ text, values, types, ...extended });
  return rows;
}

async function describe(
  client: pg.PoolClient,
  source: ConnectionSource,
): Promise<ReadonlyMap<string, string>> {
  if ('sql' in source) await parseAlone(client, source.sql);
  const { text } = render(
    sql`SELECT * FROM ${postgres.from(source)} AS s LIMIT 0`,
    postgres.placeholder,
  );
  const { fields } = await client
    .query({ text, rowMode: 'array', ...extended } as pg.QueryArrayConfig)
    .catch((error: unknown) => {
      throw explain(error);
    });
  const names = fields.map((field) => field.name);
  checkColumnNames(names);
  const { rows } = await client.query<{ type: string }>(
    `SELECT coalesce(
      (
        SELECT '${enumPrefix}' || json_agg(enumlabel ORDER BY enumsortorder)
        FROM pg_enum WHERE enumtypid = type
      ),
      format_type(type, modifier)
    ) AS type
    FROM unnest($1::oid[], $2::int[]) WITH ORDINALITY AS columns (type, modifier, position)
    ORDER BY position`,
    [fields.map((field) => field.dataTypeID), fields.map((field) => field.dataTypeModifier)],
  );
  return new Map(names.map((each, index) => [each, rows[index]?.type ?? 'text']));
}

/**
 * Lets the server parse a SELECT alone. Within a derived table, a text such as
 * `select 1) as a, (select 2` would be a part of the statement around it, and `$1` one of its values.
 */
async function parseAlone(client: pg.PoolClient, text: string): Promise<void> {
  const name = `portal_${randomUUID().replaceAll('-', '')}`;
  const prefix = `PREPARE ${name} AS `;
  await client.query({ text: prefix + text, ...extended }).catch((error: unknown) => {
    throw explain(error, { text, offset: prefix.length });
  });
  const { rows } = await client.query<{ count: string }>(
    'SELECT cardinality(parameter_types) AS count FROM pg_prepared_statements WHERE name = $1',
    [name],
  );
  await client.query(`DEALLOCATE ${name}`);
  if (Number(rows[0]?.count) !== 0)
    throw new SourceError('the SELECT has a parameter such as $1; write the value instead');
}

/** Whether the error is of the syntax, or of a feature that is not supported at this place. */
const isMisplaced = ({ code }: pg.DatabaseError) => code === '42601' || code === '0A000';

/** Describes an error of the source for its author. Returns other errors unchanged. */
function explain(error: unknown, written?: { text: string; offset: number }): unknown {
  if (!isStatementError(error)) return error;
  const offset = written && Number(error.position) - written.offset;
  const line = offset && written.text.slice(0, offset).split('\n').length;
  // Parsed alone, the text is a statement, so only its place in FROM is wrong.
  const prefix = !written && isMisplaced(error) ? 'sql must be one SELECT: ' : '';
  const hint = error.hint === undefined ? '' : ` (${error.hint})`;
  return new SourceError(
    `${prefix}${error.message}${hint}${line === undefined || Number.isNaN(line) ? '' : `, in line ${line} of the SELECT`}`,
  );
}
