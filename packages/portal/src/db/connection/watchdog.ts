import type pg from 'pg';

import { internalsOf, probe } from './probe.ts';

/** A query that hears nothing for longer than this makes the watchdog ask the server. */
const suspicionMs = 500;

/** A query has fallen silent when it and its backend have waited for one another this long. */
const silenceMs = 1_000;

/** No question sooner than this after the last one. */
const probeGapMs = 750;

/** Connecting takes no longer while the server is known to be away. */
const awayTimeoutMs = 750;

/** How much later than the server's own limit a query's end may be heard. */
const graceMs = 1_000;

const unlimited = new WeakSet<pg.PoolClient>();

/** Has the statements of `client` take as long as they take, until it is released. */
export const liftLimit = (client: pg.PoolClient): void => void unlimited.add(client);

/**
 * Ends connections that have fallen silent: a host that lost its power or its network, or a
 * firewall that forgot a connection, closes nothing, and a query would wait for its answer for
 * minutes. A slow query is left alone, since its backend is at work.
 *
 * @param options.statementTimeoutMs how long the server works on one statement at most
 * @returns how to stop watching.
 */
export function watchPool(
  pool: pg.Pool,
  connection: pg.ClientConfig,
  options: { statementTimeoutMs: number | undefined },
): () => void {
  const clients = new Set<pg.PoolClient>();
  /** Of each client in use: when it was last seen to receive something, or to await nothing. */
  const heard = new Map<pg.PoolClient, { at: number; bytes: number }>();
  const hear = (client: pg.PoolClient) =>
    heard.set(client, { at: performance.now(), bytes: countReceived([client]) });
  pool.on('connect', (client) => clients.add(client));
  pool.on('acquire', hear);
  pool.on('release', (_error, client) => {
    heard.delete(client);
    unlimited.delete(client);
  });
  pool.on('remove', (client) => {
    clients.delete(client);
    heard.delete(client);
  });

  function findSilent(minMs: number): pg.PoolClient[] {
    for (const [client, { bytes }] of heard)
      if (internalsOf(client).readyForQuery || countReceived([client]) !== bytes) hear(client);
    const limit = performance.now() - minMs;
    return [...heard].filter(([, { at }]) => at < limit).map(([client]) => client);
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
    const receivedBefore = countReceived(clients);
    const waiting = await probe(connection, suspects.map(backendOf), silenceMs);
    isAway = !waiting && countReceived(clients) <= receivedBefore;
    pool.options.connectionTimeoutMillis = isAway ? awayTimeoutMs : patience;

    const overdue = findSilent(limitMs).filter((client) => !unlimited.has(client));
    const forgotten = findSilent(silenceMs).filter((client) => waiting?.has(backendOf(client)));
    // Query and pool learn of it as of a connection that the server closed.
    if (isAway) end(clients);
    else if (overdue.length + forgotten.length > 0) {
      // Those that nobody uses are likely to share the fate, and are easily replaced.
      end([...clients].filter((client) => !heard.has(client)));
      end([...overdue, ...forgotten]);
    }
    probedAt = performance.now();
    probing = false;
  }

  const timer = setInterval(() => void watch(), suspicionMs / 2);
  timer.unref();
  return () => clearInterval(timer);
}

const backendOf = (client: pg.PoolClient): number => internalsOf(client).processID;

const streamOf = (client: pg.PoolClient) => internalsOf(client).connection.stream;

const countReceived = (clients: Iterable<pg.PoolClient>): number =>
  [...clients].reduce((bytes, client) => bytes + streamOf(client).bytesRead, 0);

function end(clients: Iterable<pg.PoolClient>): void {
  for (const client of clients) streamOf(client).destroy();
}
