import { setTimeout as delay } from 'node:timers/promises';

import type pg from 'pg';

import { findFailureCause, type FailureCause } from './database-failures.ts';
import { databaseLimits } from './limits.ts';
import type { Claim, ConnectionTurns } from './turns.ts';

/** Callbacks for failures of the database. */
export interface DatabaseObserver {
  /** No connection is open and none can be opened. */
  onLost?: (error: unknown) => void;
  /** A connection was opened again. */
  onReturned?: () => void;
  /** A query failed for this cause. */
  onFailure?: (cause: FailureCause) => void;
}

/** Hands out connections of the pool, one per turn. */
export interface Gate {
  connect: (claim: Claim) => Promise<pg.PoolClient>;
}

/**
 * Makes requests wait for a turn before they get a connection, and reports failures.
 *
 * @param options.blocksThread whether queries run on this thread. Then requests that arrived during
 *   a turn are read before the next one starts, or a queue would keep them out
 */
export function createGate(
  pool: pg.Pool,
  turns: ConnectionTurns,
  observer: DatabaseObserver,
  options: { blocksThread: boolean },
): Gate {
  const open = new Set<pg.PoolClient>();
  let isLost = false;
  pool.on('connect', (client) => {
    open.add(client);
    observeQueries(client, (error) => reportFailure(error, observer));
    if (isLost) observer.onReturned?.();
    isLost = false;
  });
  pool.on('remove', (client) => open.delete(client));

  async function connect(): Promise<pg.PoolClient> {
    const deadline = performance.now() + databaseLimits.fullServer.ms;
    for (;;) {
      try {
        return await pool.connect();
      } catch (error) {
        // A connection of this pool may become idle, or one of another client may close.
        if (findFailureCause(error) === 'too_many_connections' && performance.now() < deadline) {
          await delay(25 + Math.random() * 50);
          continue;
        }
        reportFailure(error, observer);
        if (findFailureCause(error) === 'unreachable' && open.size === 0 && !pool.ending) {
          if (!isLost) observer.onLost?.(error);
          isLost = true;
          turns.rejectAll(error as Error);
        }
        throw error;
      }
    }
  }

  return {
    connect: async (claim) => {
      const endTurn = await turns.acquire(claim);
      try {
        const client = await connect();
        const release = client.release.bind(client);
        client.release = (error) => {
          release(error);
          if (options.blocksThread) setImmediate(endTurn);
          else endTurn();
        };
        return client;
      } catch (error) {
        endTurn();
        throw error;
      }
    },
  };
}

/** Calls `onError` with each error of a query on this connection. */
function observeQueries(client: pg.PoolClient, onError: (error: unknown) => void): void {
  const query = client.query.bind(client) as (...input: unknown[]) => unknown;
  client.query = ((...input: unknown[]) => {
    const result = query(...input);
    if (result instanceof Promise) result.catch(onError);
    return result;
  }) as typeof client.query;
}

function reportFailure(error: unknown, { onFailure }: DatabaseObserver): void {
  const cause = findFailureCause(error);
  if (cause) onFailure?.(cause);
}
