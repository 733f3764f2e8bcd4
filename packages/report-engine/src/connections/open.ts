import { createClickhouseConnection } from './clickhouse/clickhouse-connection.ts';
import type { Connection } from './connection.ts';
import { Connections, type ConnectionLimits } from './connections.ts';
import { createPostgresConnection } from './postgres/postgres-connection.ts';
import type { ConnectionSettings } from './settings.ts';

export interface OpenLimits extends ConnectionLimits {
  /** Memory of one statement in ClickHouse, in MiB. `PORTAL_ENGINE_QUERY_MEMORY`. */
  memoryMb: number;
}

/** Creates a connection. It connects on first use. */
export const createConnection = (
  { engine, ...settings }: ConnectionSettings,
  { sourceQueries: connections, memoryMb }: Pick<OpenLimits, 'sourceQueries' | 'memoryMb'>,
): Connection =>
  engine === 'postgres'
    ? createPostgresConnection({ ...settings, connections })
    : createClickhouseConnection({ ...settings, connections, memoryMb });

/** Creates the connections of the environment. */
export const openConnections = (
  settings: readonly ConnectionSettings[],
  limits: OpenLimits,
): Connections =>
  new Connections(
    settings.map((each) => createConnection(each, limits)),
    limits,
  );
