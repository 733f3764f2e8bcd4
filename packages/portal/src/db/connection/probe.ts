import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';

import { getInternals } from '#server-kit';

import { socketOf, WatchedClient } from './watched-client.ts';

/** Time limit for the answer of the server. */
const probeLimitMs = 1_000;

/**
 * Selects the backends among $1 that are gone or have waited for the portal for $3 ms. The number $2
 * of this connection's own backend reveals a pooler, whose numbers mean other processes.
 */
const waitingBackends = `
  SELECT asked.pid FROM unnest($1::int[]) AS asked (pid)
  LEFT JOIN pg_stat_activity AS backend ON backend.pid = asked.pid
  WHERE pg_backend_pid() = $2 AND (backend.pid IS NULL OR (
    wait_event_type = 'Client' AND state_change < now() - $3::int * interval '1 millisecond'))`;

/**
 * Asks the server on a new connection which of `backends` have waited for the portal for `waitedMs`.
 *
 * @returns `undefined` if the server accepts no connection
 */
export async function probe(
  connection: pg.ClientConfig,
  backends: number[],
  waitedMs: number,
): Promise<ReadonlySet<number> | undefined> {
  const client = new WatchedClient(connection);
  client.on('error', () => {});
  let isAccepted = false;
  async function ask(): Promise<number[]> {
    await client.connect();
    isAccepted = true;
    const values = [backends, getInternals(client).processID, waitedMs];
    const { rows } = await client.query<{ pid: number }>(waitingBackends, values);
    return rows.map(({ pid }) => pid);
  }
  const asking = ask().catch((error: unknown) => {
    // A server that refuses with an error of PostgreSQL, such as "too many clients", is available.
    isAccepted ||= error instanceof pg.DatabaseError;
    return [];
  });
  const waiting = await Promise.race([asking, waitInTicks(probeLimitMs)]);
  // Ends without a message, which an unavailable server would not receive.
  socketOf(client).destroy();
  return isAccepted ? new Set(waiting) : undefined;
}

/** Waits in small steps, so that an answer that arrived while this process was blocked counts. */
async function waitInTicks(limitMs: number): Promise<[]> {
  for (let waitedMs = 0; waitedMs < limitMs; waitedMs += 100) await delay(100);
  return [];
}
