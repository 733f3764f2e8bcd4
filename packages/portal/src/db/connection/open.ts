import { Kysely, PostgresDialect } from 'kysely';
import { LRUCache } from 'lru-cache';
import pg from 'pg';

import type { Schema } from '../schema.ts';
import type { BrokenDatabaseError } from './broken.ts';
import { createGate, type DatabaseObserver } from './gate.ts';
import { databaseLimits } from './limits.ts';
import { migrate } from './migrate.ts';
import { openPool } from './open-pool.ts';
import { openPostgres } from './postgres.ts';
import { namePrepared } from './prepared.ts';
import {
  findMissing,
  readApplied,
  readReadiness,
  requireUsable,
  schemaOutdated,
} from './schema-version.ts';
import { explainMissingRight, requireServer } from './server-check.ts';
import { computeCapacity, ConnectionTurns, type Claim } from './turns.ts';
import { requireUnicode } from './unicode.ts';

export type Database = Kysely<Schema>;

/** Runs `work` in the transaction of `db` or, if there is none, in a new one. */
export const inTransaction = <Result>(
  db: Database,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result> => (db.isTransaction ? work(db) : db.transaction().execute(work));

/** Connections of the pool, and how many requests wait for one. */
export interface PoolUsage {
  max: number;
  total: number;
  idle: number;
  waiting: number;
}

/** The database with one handle for each priority. */
export interface SharedDatabase {
  /** For the service itself and for commands. */
  db: Database;
  /** For minting, redeeming and looking up keys and sessions: never waits behind other requests. */
  hotPathDb: Database;
  /** For all other requests of an organization, which has a limited share of the connections. */
  ofOrganization: (organizationId: string) => Database;
  /**
   * Checks whether the database is usable and has an organization, without waiting for a turn. The
   * first check opens all connections, so that the first requests wait for none.
   *
   * @throws if it does not answer; `portal_outdated` if it needs a newer portal.
   */
  checkReady: () => Promise<{ isEmpty: boolean }>;
}

export interface OpenDatabase extends SharedDatabase {
  /** Names of the applied migrations. */
  applied: string[];
  usage: () => PoolUsage;
  /**
   * Resolves with the reason if the embedded database breaks. All queries fail from then on, and only
   * another process can open it.
   */
  broken: Promise<BrokenDatabaseError>;
  /** Waits for running queries, unless the database is broken. */
  close: () => Promise<void>;
}

export interface OpenOptions {
  /**
   * A PostgreSQL (≥ 15) connection string. Default: the embedded database in `dataDir`, which one
   * process at a time can use.
   */
  databaseUrl?: string | undefined;
  /** Folder of the embedded database. */
  dataDir: string;
  /** Connections to PostgreSQL. Default 10. */
  databaseConnections?: number | undefined;
  /** Time limit for opening a connection to PostgreSQL, in seconds. Default 5. */
  databaseConnectSeconds?: number | undefined;
  /** Time limit for one statement in PostgreSQL, in milliseconds. Default: no limit. */
  statementTimeoutMs?: number | undefined;
  /** Whether an older schema is migrated (`true`, the default) or refused. */
  migrate?: boolean | undefined;
  /** Callbacks for failures of the database. Default: none. */
  observer?: DatabaseObserver | undefined;
}

/** Counts are far below 2⁵³, so int8 arrives as a number on both databases. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
};

/** A handle costs a tenth of a short request, and little memory. */
const maxHandles = 1_000;

/** PostgreSQL's default of 100 leaves room for several instances and their successors. */
export const defaultConnections = 10;

/**
 * Opens the portal's database and, by default, applies missing migrations.
 *
 * @throws if the server cannot be reached or is too old, or its database is not in Unicode; if another process
 *   holds the embedded database or it does not open; `schema_outdated` for an older schema with
 *   `migrate: false`; `portal_outdated` for a schema that needs a newer portal.
 */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  const { databaseUrl, dataDir, statementTimeoutMs } = options;
  const connections = options.databaseConnections ?? defaultConnections;
  const { databaseConnectSeconds: seconds } = options;
  const connectLimitMs = seconds === undefined ? databaseLimits.connect.ms : seconds * 1_000;
  // Loads PGlite only if it is used.
  const { pool, broken, ping, close } = databaseUrl
    ? openPostgres(databaseUrl, { types, connections, connectLimitMs, statementTimeoutMs })
    : await (await import('../embedded/embedded.ts')).openEmbedded(dataDir, { types });
  const turns = new ConnectionTurns(computeCapacity(pool.options.max));
  const gate = createGate(pool, turns, options.observer ?? {}, {
    blocksThread: !databaseUrl,
  });
  pool.on('connect', namePrepared);

  let applied: string[] = [];
  try {
    if (databaseUrl) {
      await requireServer(pool);
      await requireUnicode(pool);
    }
    const before = await readApplied(pool);
    requireUsable(before);
    const missing = await findMissing(before);
    if (missing.length > 0 && options.migrate === false)
      throw schemaOutdated(before.length === 0, missing);
    if (missing.length > 0) applied = await migrate(pool).catch(explainMissingRight);
  } catch (error) {
    await close();
    throw error;
  }
  const openAs = (claim: Claim): Database => {
    const share = { connect: () => gate.connect(claim), end: async () => {} };
    return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: share }) });
  };
  const organizations = new LRUCache<string, Database>({
    max: maxHandles,
    memoMethod: (organizationId) => openAs({ organizationId }),
  });
  let readiness: Promise<{ isEmpty: boolean }> | undefined;
  let isPoolOpen = false;
  const check = async () => {
    const found = await readReadiness({ query: ping });
    if (!isPoolOpen) await openPool(pool);
    isPoolOpen = true;
    return found;
  };
  return {
    applied,
    db: openAs('service'),
    hotPathDb: openAs('hot'),
    ofOrganization: (organizationId) => organizations.memo(organizationId),
    checkReady: () => (readiness ??= check().finally(() => (readiness = undefined))),
    usage: () => ({
      max: pool.options.max,
      total: pool.totalCount,
      idle: pool.idleCount,
      waiting: turns.waiting,
    }),
    broken,
    close,
  };
}
