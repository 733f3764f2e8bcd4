import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from 'pino';

import type { Database } from '../db/connection/open.ts';
import { foldRowCounts } from '../db/query/row-counts.ts';
import { deleteOverIdentityUrls, deleteOverSessions, expireMintEntries, tryLock } from './store.ts';

/** Something that piles up and is worked off in batches. */
export interface SweepTask {
  name: string;
  /** Deals with at most `limit` rows, within the transaction, and returns how many it were. */
  sweep: (transaction: Database, limit: number) => Promise<number>;
}

/**
 * The tasks of the service. Rate-limit windows need none: each is deleted with its key or user.
 *
 * @param options.mintLogDays days after which entries of mints leave the activity log; 0 for never
 */
export const createSweepTasks = (options: { mintLogDays: number }): SweepTask[] => [
  { name: 'identity_urls', sweep: deleteOverIdentityUrls },
  { name: 'portal_sessions', sweep: deleteOverSessions },
  { name: 'row_count_changes', sweep: foldRowCounts },
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
  /** Works off everything at once, unless another instance is at it. */
  sweep: () => Promise<void>;
  /** Resolves once the batch at work is done; there is none after it. */
  stop: () => Promise<void>;
}

/** Small enough that a batch takes milliseconds and delays nobody. */
const batchSize = 1_000;

/**
 * Sweeps now and every `intervalMs`. Each batch is a transaction under an advisory lock: of all the
 * instances one works at a time, and one that dies leaves no lock behind.
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
        isFull = count >= batchSize;
      }
    }
    if (!isStopped()) options.onSuccess?.();
  }

  let turn = Promise.resolve();
  /** One after the other: two at once would keep each other from the lock. */
  function sweep(): Promise<void> {
    const swept = turn.then(sweepAll);
    turn = swept.catch(() => {});
    return swept;
  }

  async function run(): Promise<void> {
    while (!isStopped()) {
      await sweep().catch((error: unknown) => logger.warn({ err: error }, 'sweeping failed'));
      await delay(options.intervalMs, undefined, { signal: stopping.signal, ref: false }).catch(
        () => {},
      );
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

/** Nothing is done while another instance sweeps. */
const sweepBatch = (db: Database, task: SweepTask): Promise<number> =>
  db
    .transaction()
    .execute(async (transaction) =>
      (await tryLock(transaction)) ? await task.sweep(transaction, batchSize) : 0,
    );
