import { ClickHouseError } from '@clickhouse/client';

import { clickhouse } from '../../emit/clickhouse.ts';
import { render, sql } from '../../emit/sql.ts';
import type { Row } from '../../engine/messages.ts';
import {
  checkColumnNames,
  SourceError,
  type Connection,
  type ConnectionSource,
} from '../connection.ts';
import { checkServer, checkTable } from './clickhouse-check.ts';
import { ReadOnlyClient, type ClientOptions } from './clickhouse-client.ts';
import { isSettingRefused, isStatementError, toReportError } from './clickhouse-failures.ts';

export interface ClickhouseSettings extends ClientOptions {
  name: string;
  /** `clickhouse://…`, or with TLS `clickhouses://…` */
  url: string;
}

/** Creates a connection to ClickHouse over HTTP: one server, or one of a cluster. */
export function createClickhouseConnection({
  name,
  url,
  ...options
}: ClickhouseSettings): Connection {
  let opened: ReadOnlyClient | undefined;

  async function use<Value>(
    signal: AbortSignal,
    work: (client: ReadOnlyClient) => Promise<Value>,
  ): Promise<Value> {
    signal.throwIfAborted();
    try {
      // Created on first use, because a missing certificate file must fail only this connection.
      opened ??= new ReadOnlyClient(url, options);
      return await work(opened);
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof SourceError ? error : toReportError(name, error);
    }
  }

  return {
    name,
    dialect: clickhouse,
    query: (statement, signal) =>
      use(signal, async (client) => {
        const { columns, rows } = await client.run(statement, signal);
        return rows.map((row): Row =>
          Object.fromEntries(columns.map((column, index) => [column.name, row[index] ?? null])),
        );
      }),
    describe: (source, signal) => use(signal, (client) => describe(client, source, signal)),
    probe: (signal) =>
      use(signal, (client) => client.run({ text: 'SELECT 1', values: [] }, signal)),
    check: (signal) => use(signal, (client) => checkServer(client, url, signal)),
    checkSource: (source, columns, signal) =>
      use(signal, (client) => checkTable(client, source, columns, signal)),
    close: async () => opened?.close(),
  };
}

async function describe(
  client: ReadOnlyClient,
  source: ConnectionSource,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  if ('sql' in source) await parseAlone(client, source.sql, signal);
  const statement = render(sql`DESCRIBE TABLE ${clickhouse.from(source)}`, clickhouse.placeholder);
  const { columns, rows } = await client.run(statement, signal).catch((error: unknown) => {
    throw explain(error);
  });
  const [name, type, kind] = ['name', 'type', 'default_type'].map((each) =>
    columns.findIndex((column) => column.name === each),
  ) as [number, number, number];
  const described = rows.filter((row) => row[kind] !== 'EPHEMERAL');
  const names = described.map((row) => String(row[name]));
  checkColumnNames(names);
  return new Map(described.map((row) => [String(row[name]), String(row[type])]));
}

/**
 * Lets the server parse a SELECT alone. Within a derived table, a text such as
 * `select 1) as a, (select 2` would be a part of the statement around it, `{p0:String}` one of its
 * values, and SETTINGS could lift its limits.
 */
async function parseAlone(client: ReadOnlyClient, text: string, signal: AbortSignal) {
  const withSettings = 'the SELECT has SETTINGS; remove them';
  const nodes = await client.parse(text, signal).catch((error: unknown) => {
    throw isSettingRefused(error) ? new SourceError(withSettings) : explain(error);
  });
  if (!nodes[0]?.startsWith('SelectWithUnionQuery'))
    throw new SourceError('sql must be one SELECT');
  if (nodes.some((node) => /^Set\b/.test(node))) throw new SourceError(withSettings);
  if (nodes.some((node) => node.startsWith('QueryParameter')))
    throw new SourceError(
      'the SELECT has a parameter such as {name:String}; write the value instead',
    );
}

/** Describes an error of the source for its author. Returns other errors unchanged. */
function explain(error: unknown): unknown {
  const isSource =
    isStatementError(error) ||
    (error instanceof ClickHouseError && error.type === 'UNKNOWN_DATABASE');
  return isSource ? new SourceError(error.message.trim()) : error;
}
