import type pg from 'pg';

/**
 * Lets no event of a lost connection end the process. The query that used the connection fails, and the
 * next query replaces an idle connection that the server closed.
 */
export function tolerateLostConnections(pool: pg.Pool): void {
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
}
