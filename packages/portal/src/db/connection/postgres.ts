import fs from 'node:fs';

import pg from 'pg';

import { ConfigurationError } from '../../config.ts';
import { findFailureCause } from './failures.ts';
import type { Queryable } from './schema-version.ts';
import { watchPool } from './watchdog.ts';

/** Time limit for opening a connection, and for the readiness check. */
const connectTimeoutMs = 2_000;

export interface Postgres {
  pool: pg.Pool;
  /** Never resolves: queries succeed again once the server is back. */
  broken: Promise<never>;
  /** Runs a query on a connection that no request uses. */
  ping: Queryable['query'];
  close: () => Promise<void>;
}

/**
 * A pool of connections to the PostgreSQL at `url`. While the server is away, or once it no longer
 * knows a connection, queries fail within three seconds; once it is back, they succeed.
 *
 * @param options.connections how many connections requests may use at once
 * @param options.statementTimeoutMs how long the server works on one statement at most
 * @throws `ConfigurationError` when a file that the address names cannot be read.
 */
export function openPostgres(
  url: string,
  options: {
    types: pg.CustomTypesConfig;
    connections: number;
    statementTimeoutMs: number | undefined;
  },
): Postgres {
  const { types, connections, statementTimeoutMs } = options;
  requireFiles(url);
  const connection = {
    connectionString: withVerifiedTls(url),
    application_name: 'portal-embed',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  const pool = new pg.Pool({
    ...connection,
    types,
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 60_000,
    ...(statementTimeoutMs === undefined
      ? {}
      : {
          statement_timeout: statementTimeoutMs,
          // Locks of an instance that was cut off in the middle of a transaction.
          idle_in_transaction_session_timeout: statementTimeoutMs,
        }),
  });
  const stopWatching = watchPool(pool, connection, { statementTimeoutMs });
  const pings = new pg.Pool({
    ...connection,
    max: 1,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: connectTimeoutMs,
    idleTimeoutMillis: 60_000,
  });
  pings.on('error', () => {});
  pings.on('connect', (client) => client.on('error', () => {}));
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
      // It waits for what is in flight, which may fall silent yet.
      await Promise.all([pool.end(), pings.end()]);
      stopWatching();
    },
  };
}

/** @throws `ConfigurationError` for a file of the address that cannot be read. */
function requireFiles(url: string): void {
  const { searchParams } = new URL(url);
  for (const option of ['sslrootcert', 'sslcert', 'sslkey'])
    try {
      const file = searchParams.get(option);
      if (file) fs.accessSync(file, fs.constants.R_OK);
    } catch (error) {
      throw new ConfigurationError(
        `The file of ${option} in PORTAL_DATABASE_URL cannot be read (${(error as Error).message}). Check its path and permissions.`,
      );
    }
}

/**
 * Names as `verify-full` the modes that the driver takes for it: it would warn of them on standard
 * error, which belongs to our own messages. With `uselibpqcompat` they mean what they mean to psql.
 */
function withVerifiedTls(url: string): string {
  const { searchParams: options } = new URL(url);
  const mode = options.get('sslmode') ?? '';
  if (!['prefer', 'require', 'verify-ca'].includes(mode) || options.has('uselibpqcompat'))
    return url;
  // As text: written anew, the rest of the address could come to mean something else.
  return url.replaceAll(/(?<=[?&]sslmode=)[^&#]*/g, 'verify-full');
}
