import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';

/** A query that takes longer than this makes the watchdog ask whether the server is there at all. */
const suspicionMs = 500;

/** How long the server has to accept a connection when it is asked. */
const probeLimitMs = 1_000;

/** No question sooner than this after the last one. */
const probeGapMs = 750;

/** Connecting takes no longer while the server is known to be away. */
const awayTimeoutMs = 750;

/**
 * Ends the connections of a server that has fallen silent: a host that lost its power or its
 * network closes nothing, and a query would wait for its answer for minutes. A slow query is left
 * alone, since the server still accepts connections or answers others.
 *
 * @returns how to stop watching.
 */
export function watchPool(pool: pg.Pool, connection: pg.ClientConfig): () => void {
  const clients = new Set<pg.PoolClient>();
  const busySince = new Map<pg.PoolClient, number>();
  pool.on('connect', (client) => clients.add(client));
  pool.on('acquire', (client) => busySince.set(client, performance.now()));
  pool.on('release', (_error, client) => busySince.delete(client));
  pool.on('remove', (client) => {
    clients.delete(client);
    busySince.delete(client);
  });

  const patience = pool.options.connectionTimeoutMillis;
  let isAway = false;
  let probedAt = -Infinity;
  let probing = false;

  async function isSilent(): Promise<boolean> {
    const heardBefore = countReceived(clients);
    return !(await acceptsConnection(connection)) && countReceived(clients) <= heardBefore;
  }

  async function watch(): Promise<void> {
    const now = performance.now();
    const suspicious = [...busySince.values()].some((since) => now - since > suspicionMs);
    if (probing || now - probedAt < probeGapMs || !(suspicious || isAway)) return;
    probing = true;
    isAway = await isSilent();
    pool.options.connectionTimeoutMillis = isAway ? awayTimeoutMs : patience;
    // Query and pool learn of it as of a connection that the server closed.
    if (isAway) for (const client of clients) streamOf(client).destroy();
    probedAt = performance.now();
    probing = false;
  }

  const timer = setInterval(() => void watch(), suspicionMs / 2);
  timer.unref();
  return () => clearInterval(timer);
}

async function acceptsConnection(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  const connecting = client.connect().then(
    () => true,
    // Whoever refuses in PostgreSQL's own words, such as "too many clients", is there.
    (error: unknown) => error instanceof pg.DatabaseError,
  );
  const accepted = await Promise.race([connecting, waitInTicks(probeLimitMs)]);
  // Without a goodbye, which a server that is away would not hear.
  streamOf(client).destroy();
  return accepted;
}

/** In small steps: when this process itself was held up, what arrived meanwhile still counts. */
async function waitInTicks(limitMs: number): Promise<false> {
  for (let waitedMs = 0; waitedMs < limitMs; waitedMs += 100) await delay(100);
  return false;
}

const countReceived = (clients: ReadonlySet<pg.PoolClient>): number =>
  [...clients].reduce((bytes, client) => bytes + streamOf(client).bytesRead, 0);

const streamOf = (client: pg.ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;
