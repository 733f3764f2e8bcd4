import fs from 'node:fs';
import path from 'node:path';

import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import pg from 'pg';

import type { BrokenDatabaseError } from '../connection/broken.ts';
import { tolerateLostConnections } from '../connection/lost-connections.ts';
import type { Queryable } from '../connection/schema-version.ts';
import { trackQueries } from '../connection/watched-client.ts';
import { syncAfterCrash } from './crash-sync.ts';
import { takeLock } from './lock.ts';
import { BreakablePGlite } from './pglite.ts';

/** Time after which an unanswered query is lost. */
const silenceMs = 2_000;

/** Interval of the search for unanswered queries. */
const tickMs = 250;

/** Size of the write-ahead log since the last checkpoint that starts the next one. */
const walLimitBytes = 64 * 1024 * 1024;

/** Interval of that check. */
const checkpointIntervalMs = 5_000;

export interface Embedded {
  pool: pg.Pool;
  /** The database below the pool. A command that nobody else disturbs may use it beside the pool. */
  pglite: BreakablePGlite;
  /** Resolves with the reason if the database breaks. All queries fail from then on. */
  broken: Promise<BrokenDatabaseError>;
  /** Runs a query without waiting for a turn. */
  ping: Queryable['query'];
  close: () => Promise<void>;
}

/**
 * Opens the embedded database in `dataDir` for this process alone. Committed transactions are on disk.
 *
 * @throws `LockedError` if another process holds it; `BrokenDatabaseError` if it does not open
 */
export async function openEmbedded(
  dataDir: string,
  options: { types: pg.CustomTypesConfig },
): Promise<Embedded> {
  const folder = path.join(dataDir, 'database');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  // PGlite's files are readable by all users, so the folder must keep others out.
  fs.chmodSync(folder, 0o700);
  const releaseLock = await takeLock(path.join(dataDir, 'lock.duckdb'));
  try {
    const synced = await syncAfterCrash(folder);
    const pglite = new BreakablePGlite(folder, synced);
    await pglite.waitReady.catch((error: Error) => {
      throw pglite.describeFailure('does not open', error);
    });
    // From here on, no sync is skipped.
    synced.clear();
    const config = createPgConfig(pglite);
    // The only connection is never closed, because nothing could open it again.
    const poolConfig = { ...options, max: 1, idleTimeoutMillis: 0 };
    const pool = new pg.Pool(Object.assign(config, poolConfig));
    tolerateLostConnections(pool);
    const stopWatching = watchAnswers(pool, () => {
      for (const message of pglite.break())
        config.connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message);
    });
    const stopCheckpoints = keepWalShort(pool);
    return {
      pool,
      pglite,
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
 * Makes checkpoints, for which a server has a process. Without them the log would grow until the disk
 * is full, and recovery would read all of it.
 *
 * @returns a function that stops the checkpoints
 */
function keepWalShort(pool: pg.Pool): () => void {
  async function checkpointIfDue(): Promise<void> {
    const { rows } = await pool.query<{ due: boolean }>(`
      SELECT pg_current_wal_lsn() - redo_lsn > ${walLimitBytes} AS due
      FROM pg_control_checkpoint()`);
    if (rows[0]!.due) await pool.query('CHECKPOINT');
  }
  // A failed checkpoint is repeated; if the database is broken, the next query fails.
  const timer = setInterval(() => void checkpointIfDue().catch(() => {}), checkpointIntervalMs);
  return () => clearInterval(timer);
}

/**
 * Calls `onSilent` when a query has lost its answer. PGlite runs on this thread, so every query that
 * can be answered is answered before a timer fires.
 *
 * @returns a function that stops the checks
 */
function watchAnswers(pool: pg.Pool, onSilent: () => void): () => void {
  let isBusy: (() => boolean) | undefined;
  pool.on('connect', (client) => {
    isBusy = trackQueries(client);
  });
  let silentTicks = 0;
  const timer = setInterval(() => {
    silentTicks = isBusy?.() ? silentTicks + 1 : 0;
    if (silentTicks * tickMs === silenceMs) onSilent();
  }, tickMs);
  return () => clearInterval(timer);
}
