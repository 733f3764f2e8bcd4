import fs from 'node:fs';

import pg from 'pg';

import { withVerifiedTls } from '#server-kit';

import { ConfigurationError } from '../../errors.ts';
import { findFailureCause } from './database-failures.ts';
import { databaseLimits } from './limits.ts';
import { tolerateLostConnections } from './lost-connections.ts';
import type { Queryable } from './schema-version.ts';
import { watchPool } from './watchdog.ts';
import { WatchedClient } from './watched-client.ts';

const pingLimitMs = databaseLimits.readiness.ms;

export interface Postgres {
  pool: pg.Pool;
  /** Never resolves: queries succeed again once the server is back. */
  broken: Promise<never>;
  /** Runs a query on a connection that no request uses. */
  ping: Queryable['query'];
  close: () => Promise<void>;
}

/**
 * Opens a pool of connections to the PostgreSQL server at `url`. Queries fail within three seconds
 * if the server has lost a connection, and within the time limit for opening one if none is open. They
 * succeed once the server is back.
 *
 * @param options.connections maximum number of connections for requests
 * @param options.connectLimitMs time limit for opening a connection
 * @param options.statementTimeoutMs the server's time limit for one statement
 * @throws `ConfigurationError` if a file of the address cannot be read
 */
export function openPostgres(
  url: string,
  options: {
    types: pg.CustomTypesConfig;
    connections: number;
    connectLimitMs: number;
    statementTimeoutMs: number | undefined;
  },
): Postgres {
  const { types, connections, connectLimitMs, statementTimeoutMs } = options;
  const connection = readConnection(url);
  const pool = new pg.Pool({
    ...connection,
    Client: WatchedClient,
    types,
    max: connections,
    connectionTimeoutMillis: connectLimitMs,
    idleTimeoutMillis: 60_000,
    ...(statementTimeoutMs === undefined
      ? {}
      : {
          statement_timeout: statementTimeoutMs,
          // Releases the locks of an instance that disconnected within a transaction.
          idle_in_transaction_session_timeout: statementTimeoutMs,
        }),
  });
  tolerateLostConnections(pool);
  const stopWatching = watchPool(pool, connection, { statementTimeoutMs });
  const pings = new pg.Pool({
    ...connection,
    max: 1,
    connectionTimeoutMillis: pingLimitMs,
    query_timeout: pingLimitMs,
    idleTimeoutMillis: 60_000,
  });
  tolerateLostConnections(pings);
  return {
    pool,
    broken: new Promise(() => {}),
    ping: (text) =>
      pings.query(text).catch((error: unknown) => {
        // The open connections of the pool may still serve requests.
        if (findFailureCause(error) === 'too_many_connections') return pool.query(text);
        throw error;
      }),
    close: async () => {
      // Ending the pool waits for queries in flight, which may still become silent.
      await Promise.all([pool.end(), pings.end()]);
      stopWatching();
    },
  };
}

/**
 * Opens a connection beside the pool, for a command that uses it for minutes. The portal sets no time
 * limits for its statements.
 *
 * @param connectLimitMs time limit for opening it
 */
export async function connectAlone(url: string, connectLimitMs: number): Promise<pg.Client> {
  const client = new pg.Client({
    ...readConnection(url),
    connectionTimeoutMillis: connectLimitMs,
  });
  // If the connection is lost, its query fails; the event would end the process.
  client.on('error', () => {});
  await client.connect();
  return client;
}

function readConnection(url: string) {
  requireFiles(url);
  return {
    connectionString: withVerifiedTls(url),
    application_name: 'portal-embed',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
}

/** @throws `ConfigurationError` for a file of the address that cannot be read or is no PEM file */
function requireFiles(url: string): void {
  const { searchParams } = new URL(url);
  for (const option of ['sslrootcert', 'sslcert', 'sslkey']) {
    const file = searchParams.get(option);
    if (!file) continue;
    let content: string;
    try {
      content = fs.readFileSync(file, 'latin1');
    } catch (error) {
      throw new ConfigurationError(
        `The file of ${option} in PORTAL_DATABASE_URL, ${file}, cannot be read (${(error as Error).message}). Check its path and permissions.`,
      );
    }
    if (!content.includes('-----BEGIN '))
      throw new ConfigurationError(
        `The file of ${option} in PORTAL_DATABASE_URL, ${file}, is not a PEM file. Set it to one, which begins with -----BEGIN.`,
      );
  }
}
