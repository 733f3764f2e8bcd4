import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from 'pino';

import type { Database } from '../db/connection/open.ts';
import { foldRowCounts } from '../db/query/row-counts.ts';
import {
  deleteIdleAdminSessions,
  deleteIdleSessions,
  deleteOldAttempts,
  deleteOldIdentityUrls,
  deleteOldOidcFlows,
  expireLogEntries,
  expireMintEntries,
  tryLock,
} from './store.ts';

/** Rows that accumulate and are processed in batches. */
export interface SweepTask {
  name: string;
  /** Processes at most `limit` rows in the transaction and returns their number. */
  sweep: (transaction: Database, limit: number) => Promise<number>;
  /** Default: 1,000. */
  batchSize?: number;
}

/**
 * Creates the tasks of the service. Rate-limit windows need none: they are deleted with their key or
 * user.
 *
 * @param options.mintLogDays days after which entries of mints leave the activity log; 0 for never
 */
export const createSweepTasks = (options: { mintLogDays: number }): SweepTask[] => [
  { name: 'identity_urls', sweep: deleteOldIdentityUrls },
  { name: 'portal_sessions', sweep: deleteIdleSessions },
  { name: 'admin_sessions', sweep: deleteIdleAdminSessions },
  { name: 'sign_in_attempts', sweep: deleteOldAttempts },
  { name: 'admin_oidc_flows', sweep: deleteOldOidcFlows },
  { name: 'row_count_changes', sweep: foldRowCounts },
  { name: 'audit_entries', sweep: expireLogEntries('audit_entries') },
  { name: 'activity_entries', sweep: expireLogEntries('activity_entries') },
  ...(options.mintLogDays === 0
    ? []
    : [
        {
          name: 'activity_entries',
          sweep: (db: Database, limit: number) =>
            expireMintEntries(db, { days: options.mintLogDays, limit }),
        },
      ]),
];

export interface Sweeper {
  /** Processes everything now, unless another instance is sweeping. */
  sweep: () => Promise<void>;
  /** Stops after the current batch. */
  stop: () => Promise<void>;
}

/** Small enough that a batch takes only milliseconds. */
const defaultBatchSize = 1_000;

/**
 * Sweeps now and every `intervalMs`. Each batch is a transaction under an advisory lock, so one instance
 * works at a time, and a crashed one leaves no lock.
 */
export function startSweeper(options: {
  db: Database;
  tasks: readonly SweepTask[];
  logger: Logger;
  intervalMs: number;
  onSwept?: ((task: string, count: number) => void) | undefined;
  /** Called after each complete sweep, also if another instance is sweeping. */
  onSuccess?: (() => void) | undefined;
}): Sweeper {
  const { db, tasks, logger } = options;
  const stopping = new AbortController();
  const isStopped = () => stopping.signal.aborted;

  async function sweepAll(): Promise<void> {
    for (const task of tasks) {
      let isFull = true;
      while (isFull && !isStopped()) {
        const count = await sweepBatch(db, task);
        if (count > 0) options.onSwept?.(task.name, count);
        isFull = count >= batchSizeOf(task);
      }
    }
    if (!isStopped()) options.onSuccess?.();
  }

  let turn = Promise.resolve();
  /** Runs sweeps one after the other, because concurrent ones would compete for the lock. */
  function sweep(): Promise<void> {
    const swept = turn.then(sweepAll);
    turn = swept.catch(() => {});
    return swept;
  }

  async function run(): Promise<void> {
    while (!isStopped()) {
      await sweep().catch((error: unknown) => logger.warn({ err: error }, 'sweeping failed'));
      await delay(options.intervalMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    sweep,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

const batchSizeOf = ({ batchSize = defaultBatchSize }: SweepTask): number => batchSize;

/** Does nothing while another instance sweeps. */
const sweepBatch = (db: Database, task: SweepTask): Promise<number> =>
  db
    .transaction()
    .execute(async (transaction) =>
      (await tryLock(transaction)) ? await task.sweep(transaction, batchSizeOf(task)) : 0,
    );
