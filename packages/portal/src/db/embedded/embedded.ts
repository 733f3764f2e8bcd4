import fs from 'node:fs';
import path from 'node:path';

import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import pg from 'pg';

import type { BrokenDatabaseError } from '../connection/broken.ts';
import { internalsOf } from '../connection/probe.ts';
import type { Queryable } from '../connection/schema-version.ts';
import { syncAfterCrash } from './crash-sync.ts';
import { takeLock } from './lock.ts';
import { BreakablePGlite } from './pglite.ts';

/** A query that is unanswered for this long never will be. */
const silenceMs = 2_000;

/** How often unanswered queries are looked for. */
const tickMs = 250;

/** How much may be in the write-ahead log that the tables' files do not have yet. */
const walLimitBytes = 64 * 1024 * 1024;

/** How often that is looked at. */
const checkpointIntervalMs = 5_000;

export interface Embedded {
  pool: pg.Pool;
  /** Resolves with the reason, should it break. From then on queries fail. */
  broken: Promise<BrokenDatabaseError>;
  /** Runs a query without waiting for a turn. */
  ping: Queryable['query'];
  close: () => Promise<void>;
}

/**
 * Opens the embedded database in `dataDir`, for this process alone. A committed transaction is on
 * disk.
 *
 * @throws `LockedError` when another process holds it, `BrokenDatabaseError` when it does not open.
 */
export async function openEmbedded(
  dataDir: string,
  options: { types: pg.CustomTypesConfig },
): Promise<Embedded> {
  const folder = path.join(dataDir, 'database');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  // PGlite's files are open to everybody; what keeps others out is the folder.
  fs.chmodSync(folder, 0o700);
  const releaseLock = await takeLock(path.join(dataDir, 'lock.duckdb'));
  try {
    const synced = await syncAfterCrash(folder);
    const pglite = new BreakablePGlite(folder, synced);
    await pglite.waitReady.catch((error: Error) => {
      throw pglite.describeFailure('does not open', error);
    });
    // From here on, every sync that PostgreSQL asks for is done.
    synced.clear();
    const config = createPgConfig(pglite);
    // One connection that is never given back: there is nothing behind it to reconnect to.
    const poolConfig = { ...options, max: 1, idleTimeoutMillis: 0 };
    const pool = new pg.Pool(Object.assign(config, poolConfig));
    const stopWatching = watchAnswers(pool, () => {
      for (const message of pglite.break())
        config.connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message);
    });
    const stopCheckpoints = keepWalShort(pool);
    return {
      pool,
      broken: pglite.broken,
      ping: (text) => pool.query(text),
      close: async () => {
        stopCheckpoints();
        // Closing a broken database hangs.
        if (!pglite.isBroken) {
          await pool.end();
          await pglite.close();
        }
        stopWatching();
        releaseLock();
      },
    };
  } catch (error) {
    releaseLock();
    throw error;
  }
}

/**
 * Makes checkpoints. A server has a process for that; without one the log would grow until the disk
 * is full, and all of it be gone through after a crash.
 *
 * @returns how to stop making them.
 */
function keepWalShort(pool: pg.Pool): () => void {
  async function checkpointIfDue(): Promise<void> {
    const { rows } = await pool.query<{ due: boolean }>(`
      SELECT pg_current_wal_lsn() - redo_lsn > ${walLimitBytes} AS due
      FROM pg_control_checkpoint()`);
    if (rows[0]!.due) await pool.query('CHECKPOINT');
  }
  // One that fails is tried again; what broke the database, the next query tells.
  const timer = setInterval(() => void checkpointIfDue().catch(() => {}), checkpointIntervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Calls `onSilent` when a query has lost its answer. PGlite works on this thread: however long a
 * query takes, it is answered before a timer has its turn again.
 *
 * @returns how to stop watching.
 */
function watchAnswers(pool: pg.Pool, onSilent: () => void): () => void {
  let client: pg.PoolClient | undefined;
  pool.on('connect', (connected) => (client = connected));
  let silentTicks = 0;
  const timer = setInterval(() => {
    silentTicks = !client || internalsOf(client).readyForQuery ? 0 : silentTicks + 1;
    if (silentTicks * tickMs === silenceMs) onSilent();
  }, tickMs);
  return () => clearInterval(timer);
}
