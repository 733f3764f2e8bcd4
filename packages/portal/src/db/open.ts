import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';

import type { BrokenDatabaseError } from './broken.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { namePrepared } from './prepared.ts';
import type { Schema } from './schema.ts';
import { requireUnicode } from './unicode.ts';

export type Database = Kysely<Schema>;

/** Runs `work` in a transaction: the one that `db` is in already, or one of its own. */
export const inTransaction = <Result>(
  db: Database,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result> => (db.isTransaction ? work(db) : db.transaction().execute(work));

/** Connections of the pool, and how many queries wait for one. */
export interface PoolUsage {
  total: number;
  idle: number;
  waiting: number;
}

export interface OpenDatabase {
  db: Database;
  /** Names of the migrations that opening it applied. */
  applied: string[];
  usage: () => PoolUsage;
  /**
   * Resolves with the reason, should the embedded database break: from then on queries fail, and it
   * takes another process to open it.
   */
  broken: Promise<BrokenDatabaseError>;
  /** Waits for the queries at work, unless the database is broken. */
  close: () => Promise<void>;
}

/** Counts are far below 2⁵³, so int8 arrives as a number on both databases. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
};

/**
 * Opens the portal's database and brings it up to the newest migration.
 *
 * @param options.databaseUrl a PostgreSQL (≥ 15) connection string. Without it, the embedded
 *   database in `options.dataDir` is used, by this process alone.
 * @param options.statementTimeoutMs how long PostgreSQL works on one statement at most; default
 *   without end
 * @throws when the server cannot be reached or its database is not in Unicode, or when another
 *   process holds the embedded database or it does not open.
 */
export async function openDatabase(options: {
  databaseUrl?: string | undefined;
  dataDir: string;
  statementTimeoutMs?: number | undefined;
}): Promise<OpenDatabase> {
  const { databaseUrl, dataDir, statementTimeoutMs } = options;
  // PGlite is loaded only where it is used.
  const { pool, broken, close } = databaseUrl
    ? openPostgres(databaseUrl, { types, statementTimeoutMs })
    : await (await import('./embedded.ts')).openEmbedded(dataDir, { types });
  // An idle connection that the server drops is replaced at the next query.
  pool.on('error', () => {});
  // One that is dropped in use fails its query; its own event would end the process.
  pool.on('connect', (client) => {
    client.on('error', () => {});
    namePrepared(client);
  });

  let applied: string[];
  try {
    if (databaseUrl) await requireUnicode(pool);
    applied = await migrate(pool);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    applied,
    db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }),
    usage: () => ({
      total: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    broken,
    close,
  };
}
