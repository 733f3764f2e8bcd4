import { clickhouse } from '../../emit/clickhouse.ts';
import { render, sql } from '../../emit/sql.ts';
import type { ConnectionSource, Finding } from '../connection.ts';
import type { ReadOnlyClient } from './clickhouse-client.ts';

const ok = (text: string): Finding => ({ level: 'ok', text });
const warn = (text: string): Finding => ({ level: 'warning', text });

/** Below this number of rows, reading all of them is fast. */
const smallTable = 1_000_000;

const describeServer = {
  text: 'SELECT version(), currentDatabase(), currentUser(), serverTimezone()',
  values: [],
};

/** Privileges of a read-only user. */
const readPrivileges = /^(SELECT|SHOW.*|dictGet|KILL QUERY|USE|CLUSTER)(\(.*\))?$/;

/** Checks the server and the rights of the connection's user. */
export async function checkServer(
  client: ReadOnlyClient,
  url: string,
  signal: AbortSignal,
): Promise<Finding[]> {
  const { rows } = await client.run(describeServer, signal);
  const [version, database, user, zone] = rows[0] ?? [];
  return [
    ok(`reachable: ClickHouse ${version}, database ${database}, user ${user}`),
    checkTls(url),
    await checkRights(client, signal),
    ok(`server time zone: ${zone}; reports use the time zone of their dataset`),
  ];
}

function checkTls(url: string): Finding {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'clickhouses:') return ok('encrypted, with a verified certificate');
  return /^(localhost$|127\.|\[::1\]$)/.test(hostname)
    ? ok('not encrypted; the server is on this machine')
    : warn('not encrypted; begin the address with clickhouses://');
}

async function checkRights(client: ReadOnlyClient, signal: AbortSignal): Promise<Finding> {
  if ((await client.findReadOnly(signal)) === 2) return ok('the user cannot write (readonly = 2)');
  const advice = 'the portal never writes, but use a user with readonly = 2';
  const { rows } = await client.run({ text: 'SHOW GRANTS FINAL', values: [] }, signal);
  const granted = rows.flatMap(([grant]) => {
    const [, privileges = ''] = /^GRANT (.*) ON /.exec(String(grant)) ?? [];
    return privileges.split(/, (?![^(]*\))/);
  });
  const written = granted.filter(
    (privilege) => !readPrivileges.test(privilege) && privilege !== '',
  );
  return written.length === 0
    ? ok('the user cannot write')
    : warn(`the user has the rights ${written.slice(0, 3).join(', ')}; ${advice}`);
}

/** Checks the size of a source, and whether conditions can skip rows by the sorting key. */
export async function checkTable(
  client: ReadOnlyClient,
  source: ConnectionSource,
  columns: readonly string[],
  signal: AbortSignal,
): Promise<Finding[]> {
  if ('sql' in source) {
    const count = await estimateRows(client, source, signal);
    return count === undefined ? [] : [describeRows(count)];
  }
  const [name, database] = source.table.split('.').toReversed();
  const { rows } = await client.run(
    {
      text: `SELECT total_rows, sorting_key, partition_key, engine FROM system.tables
        WHERE database = ${database === undefined ? 'currentDatabase()' : '{p1:String}'} AND name = {p0:String}`,
      values: [name ?? '', ...(database === undefined ? [] : [database])],
    },
    signal,
  );
  const [found] = rows;
  if (!found) return [ok('the server does not show the size and the sorting key of this table')];
  const [total, sorting, partition, engine] = found;
  const count = total === null ? undefined : Number(total);
  const size = count === undefined ? [] : [describeRows(count)];
  if (sorting === '')
    return [...size, ok(`the engine ${String(engine)} has no sorting key to check`)];
  if (count !== undefined && count < smallTable) return size;
  const keys = `${String(sorting)}, ${String(partition)}`;
  const names = new Set(keys.split(/[^\p{L}\p{N}_]+/u));
  const isKey = (column: string) => names.has(column) || keys.includes(`\`${column}\``);
  const missing = columns.filter((column) => !isKey(column));
  return [
    ...size,
    missing.length === 0
      ? ok(`the sorting key (${String(sorting)}) contains all columns of roles and filters`)
      : warn(
          `the sorting key (${String(sorting)}) lacks ${missing.map((column) => `"${column}"`).join(', ')}; conditions on it read all rows`,
        ),
  ];
}

const describeRows = (count: number): Finding => ok(`about ${count.toLocaleString('en')} rows`);

/** The number of rows that a SELECT reads, for tables with a sorting key. */
async function estimateRows(
  client: ReadOnlyClient,
  source: ConnectionSource,
  signal: AbortSignal,
): Promise<number | undefined> {
  const statement = render(
    sql`EXPLAIN ESTIMATE SELECT * FROM ${clickhouse.from(source)} AS s`,
    clickhouse.placeholder,
  );
  const { columns, rows } = await client.run(statement, signal);
  const at = columns.findIndex(({ name }) => name === 'rows');
  return rows.length === 0 ? undefined : rows.reduce((sum, row) => sum + Number(row[at]), 0);
}
