import type pg from 'pg';

import { getInternals } from '#server-kit';

import { databaseLimits } from './limits.ts';
import { probe } from './probe.ts';
import { socketOf, trackQueries } from './watched-client.ts';

/** Silence of a query after which the watchdog asks the server. */
const suspicionMs = 500;

const silenceMs = databaseLimits.silence.ms;

/** Minimum time between two questions. */
const probeGapMs = 750;

/** Time limit for connecting while the server is known to be unavailable. */
const awayTimeoutMs = 750;

/** Extra time for a query beyond the server's time limit. */
const graceMs = 1_000;

const unlimited = new WeakSet<pg.PoolClient>();

/** Removes the time limit of `client` until it is released. */
export const liftLimit = (client: pg.PoolClient): void => void unlimited.add(client);

/**
 * Ends silent connections. A host that loses power or network, or a firewall that drops a connection,
 * closes nothing, and a query would wait for minutes. Slow queries continue, because their backend is
 * working.
 *
 * @param pool its clients are `WatchedClient`
 * @param options.statementTimeoutMs the server's time limit for one statement
 * @returns a function that stops the watchdog
 */
export function watchPool(
  pool: pg.Pool,
  connection: pg.ClientConfig,
  options: { statementTimeoutMs: number | undefined },
): () => void {
  /** Whether a query of each client is in flight. */
  const clients = new Map<pg.PoolClient, () => boolean>();
  /** Time at which each client in use last received data or had no query in flight. */
  const activity = new Map<pg.PoolClient, { at: number; bytes: number }>();
  const recordActivity = (client: pg.PoolClient) =>
    activity.set(client, { at: performance.now(), bytes: countReceived([client]) });
  pool.on('connect', (client) => clients.set(client, trackQueries(client)));
  pool.on('acquire', recordActivity);
  pool.on('release', (_error, client) => {
    activity.delete(client);
    unlimited.delete(client);
  });
  pool.on('remove', (client) => clients.delete(client));

  function findSilent(minMs: number): pg.PoolClient[] {
    for (const [client, { bytes }] of activity)
      if (!clients.get(client)?.() || countReceived([client]) !== bytes) recordActivity(client);
    const limit = performance.now() - minMs;
    return [...activity].filter(([, { at }]) => at < limit).map(([client]) => client);
  }

  const patience = pool.options.connectionTimeoutMillis;
  const limitMs = (options.statementTimeoutMs ?? Infinity) + graceMs;
  let isAway = false;
  let probedAt = -Infinity;
  let probing = false;

  async function watch(): Promise<void> {
    const suspects = findSilent(suspicionMs);
    const isTooSoon = performance.now() - probedAt < probeGapMs;
    if (probing || isTooSoon || !(suspects.length > 0 || isAway)) return;
    probing = true;
    const receivedBefore = countReceived(clients.keys());
    const waiting = await probe(connection, suspects.map(getBackendId), silenceMs);
    isAway = !waiting && countReceived(clients.keys()) <= receivedBefore;
    pool.options.connectionTimeoutMillis = isAway ? awayTimeoutMs : patience;

    const overdue = findSilent(limitMs).filter((client) => !unlimited.has(client));
    const forgotten = findSilent(silenceMs).filter((client) => waiting?.has(getBackendId(client)));
    // To the query and the pool, it looks as if the server closed the connection.
    if (isAway) end(clients.keys());
    else if (overdue.length + forgotten.length > 0) {
      // Idle connections are probably lost too and are easy to replace.
      end([...clients.keys()].filter((client) => !activity.has(client)));
      end([...overdue, ...forgotten]);
    }
    probedAt = performance.now();
    probing = false;
  }

  const timer = setInterval(() => void watch(), suspicionMs / 2);
  timer.unref();
  return () => clearInterval(timer);
}

const getBackendId = (client: pg.PoolClient): number => getInternals(client).processID;

const countReceived = (clients: Iterable<pg.PoolClient>): number =>
  [...clients].reduce((bytes, client) => bytes + socketOf(client).bytesRead, 0);

function end(clients: Iterable<pg.PoolClient>): void {
  for (const client of clients) socketOf(client).destroy();
}
