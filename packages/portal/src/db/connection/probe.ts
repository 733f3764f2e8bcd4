import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';

/** How long the server has to answer when it is asked. */
const probeLimitMs = 1_000;

/**
 * Those of the backends $1 that are gone, or for $3 ms have waited for us to speak or to listen. A
 * pooler in between would mean other processes by these numbers: it is known by its own number, $2.
 */
const waitingBackends = `
  SELECT asked.pid FROM unnest($1::int[]) AS asked (pid)
  LEFT JOIN pg_stat_activity AS backend ON backend.pid = asked.pid
  WHERE pg_backend_pid() = $2 AND (backend.pid IS NULL OR (
    wait_event_type = 'Client' AND state_change < now() - $3::int * interval '1 millisecond'))`;

/**
 * Asks on a connection of its own which of `backends` have waited for us for `waitedMs`.
 *
 * @returns `undefined` when the server accepts no connection.
 */
export async function probe(
  connection: pg.ClientConfig,
  backends: number[],
  waitedMs: number,
): Promise<ReadonlySet<number> | undefined> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  let isAccepted = false;
  async function ask(): Promise<number[]> {
    await client.connect();
    isAccepted = true;
    const values = [backends, internalsOf(client).processID, waitedMs];
    const { rows } = await client.query<{ pid: number }>(waitingBackends, values);
    return rows.map(({ pid }) => pid);
  }
  const asking = ask().catch((error: unknown) => {
    // Whoever refuses in PostgreSQL's own words, such as "too many clients", is there.
    isAccepted ||= error instanceof pg.DatabaseError;
    return [];
  });
  const waiting = await Promise.race([asking, waitInTicks(probeLimitMs)]);
  // Without a goodbye, which a server that is away would not hear.
  internalsOf(client).connection.stream.destroy();
  return isAccepted ? new Set(waiting) : undefined;
}

/** In small steps: when this process itself was held up, what arrived meanwhile still counts. */
async function waitInTicks(limitMs: number): Promise<[]> {
  for (let waitedMs = 0; waitedMs < limitMs; waitedMs += 100) await delay(100);
  return [];
}

interface Internals {
  connection: { stream: Socket };
  processID: number;
  /** False from the moment that a query is sent until all of its answer is there. */
  readyForQuery: boolean;
}

/** What every client of `pg` has, and its types leave out. */
export const internalsOf = (client: pg.ClientBase): Internals => client as never;
