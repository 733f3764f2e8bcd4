import fs from 'node:fs';

import pg from 'pg';

import { ConfigurationError } from '../config.ts';
import { watchPool } from './watchdog.ts';

export interface Postgres {
  pool: pg.Pool;
  /** Never resolves: queries succeed again once the server is back. */
  broken: Promise<never>;
  close: () => Promise<void>;
}

/**
 * A pool of connections to the PostgreSQL at `url`. While the server is away, or once it no longer
 * knows a connection, queries fail within three seconds; once it is back, they succeed.
 *
 * @param options.statementTimeoutMs how long the server works on one statement at most
 * @throws `ConfigurationError` when a file that the address names cannot be read.
 */
export function openPostgres(
  url: string,
  options: { types: pg.CustomTypesConfig; statementTimeoutMs: number | undefined },
): Postgres {
  const { types, statementTimeoutMs } = options;
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
    max: 16,
    connectionTimeoutMillis: 2_000,
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
  return {
    pool,
    broken: new Promise(() => {}),
    close: async () => {
      // It waits for what is in flight, which may fall silent yet.
      await pool.end();
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
        `The file of ${option} in PORTAL_DATABASE_URL cannot be read (${(error as Error).message}).`,
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
