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
 * alone, since the server still accepts connections.
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

  async function watch(): Promise<void> {
    const now = performance.now();
    const suspicious = [...busySince.values()].some((since) => now - since > suspicionMs);
    if (probing || now - probedAt < probeGapMs || !(suspicious || isAway)) return;
    probing = true;
    isAway = !(await isThere(connection));
    pool.options.connectionTimeoutMillis = isAway ? awayTimeoutMs : patience;
    if (isAway) for (const client of clients) disconnect(client);
    probedAt = performance.now();
    probing = false;
  }

  const timer = setInterval(() => void watch(), suspicionMs / 2);
  timer.unref();
  return () => clearInterval(timer);
}

async function isThere(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: probeLimitMs });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    // Whoever refuses in PostgreSQL's own words, such as "too many clients", is there.
    return error instanceof pg.DatabaseError;
  } finally {
    // Not awaited: a server that is away does not say goodbye.
    client.end().catch(() => {});
  }
}

/** Query and pool learn of it as of a connection that the server closed. */
function disconnect(client: pg.PoolClient): void {
  (client as unknown as { connection: pg.Connection }).connection.stream.destroy();
}
