import type pg from 'pg';

import { getInternals } from '#server-kit';

import { postgres } from '../../emit/postgres.ts';
import { render, sql } from '../../emit/sql.ts';
import type { ConnectionSource, Finding } from '../connection.ts';
import { extended } from './postgres-client.ts';

/** Below this number of rows, reading all of them is fast. */
const smallTable = 100_000;

interface ServerRow {
  version: string;
  database: string;
  user: string;
  zone: string;
  encoding: string;
  tls: string | null;
  isSuperuser: boolean;
  writable: string | null;
  hasUnicode: boolean;
  connections: string;
}

/** Selects the settings of the server and the rights of the user. */
const describeServer = `
  SELECT
    current_setting('server_version') AS version,
    current_database() AS database,
    current_user AS user,
    (SELECT reset_val FROM pg_settings WHERE name = 'TimeZone') AS zone,
    current_setting('server_encoding') AS encoding,
    (SELECT pg_stat_ssl.version FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS tls,
    (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS "isSuperuser",
    (
      SELECT format('%I.%I', nspname, relname)
      FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE relkind IN ('r', 'p', 'f')
        AND nspname NOT IN ('pg_catalog', 'information_schema') AND nspname NOT LIKE 'pg\\_%'
        AND has_table_privilege(pg_class.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
      LIMIT 1
    ) AS writable,
    EXISTS (SELECT FROM pg_collation WHERE collname = 'und-x-icu') AS "hasUnicode",
    current_setting('max_connections') AS connections`;

const ok = (text: string): Finding => ({ level: 'ok', text });
const warn = (text: string): Finding => ({ level: 'warning', text });
const fail = (text: string): Finding => ({ level: 'error', text });

/** Checks the server and the rights of the connection's user. */
export async function checkServer(client: pg.PoolClient): Promise<Finding[]> {
  const { rows } = await client.query<ServerRow>(describeServer);
  const server = rows[0] as ServerRow;
  return [
    ok(
      `reachable: PostgreSQL ${server.version}, database ${server.database}, user ${server.user}, at most ${server.connections} connections`,
    ),
    checkTls(client, server.tls),
    server.isSuperuser
      ? warn(
          'the user is a superuser, who can read files of the server; use a user with SELECT rights only',
        )
      : server.writable === null
        ? ok('the user cannot write')
        : warn(
            `the user can write to ${server.writable}; the portal never writes, but use a user with SELECT rights only`,
          ),
    ok(`server time zone: ${server.zone}; reports use the time zone of their dataset`),
    ...(server.encoding === 'UTF8'
      ? []
      : [fail(`the database is encoded in ${server.encoding}; it must be UTF8`)]),
    ...(server.hasUnicode
      ? []
      : [
          fail(
            'the collation "und-x-icu" is missing; roles by e-mail need a PostgreSQL that is built with ICU',
          ),
        ]),
  ];
}

function checkTls(client: pg.PoolClient, version: string | null): Finding {
  if (version !== null) return ok(`encrypted: ${version}`);
  const { host } = getInternals(client);
  const isLocal = host.startsWith('/') || /^(localhost|127\.|::1$)/.test(host);
  return isLocal
    ? ok('not encrypted; the server is on this machine')
    : warn('not encrypted; add sslmode=verify-full to the address');
}

/** Checks the size of a source and the indexes on columns of conditions. */
export async function checkTable(
  client: pg.PoolClient,
  source: ConnectionSource,
  columns: readonly string[],
): Promise<Finding[]> {
  const from = postgres.from(source);
  const { text } = render(
    sql`EXPLAIN (FORMAT JSON) SELECT * FROM ${from} AS s`,
    postgres.placeholder,
  );
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>({
    text,
    ...extended,
  });
  const count = rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
  const size = ok(`about ${count.toLocaleString('en')} rows`);
  if ('sql' in source || count < smallTable) return [size];
  const { text: name } = render(from, postgres.placeholder);
  const found = await client.query<{ isTable: boolean; indexed: string[] }>(
    `SELECT relkind IN ('r', 'p', 'm') AS "isTable", ARRAY(
      SELECT attname::text FROM pg_index JOIN pg_attribute ON attrelid = indrelid
      WHERE indrelid = pg_class.oid AND attnum = indkey[0] AND indisvalid
    ) AS indexed FROM pg_class WHERE oid = $1::regclass`,
    [name],
  );
  const [table] = found.rows;
  if (!table?.isTable) return [size];
  const known = new Set(table.indexed);
  const missing = columns.filter((column) => !known.has(column));
  return [
    size,
    missing.length === 0
      ? ok('each column of roles and filters is the first column of an index')
      : warn(
          `no index begins with ${missing.map((column) => `"${column}"`).join(', ')}; each report reads all rows`,
        ),
  ];
}
