import { Socket } from 'node:net';

import pg from 'pg';

const sockets = new WeakMap<pg.ClientBase, Socket>();

/** A client whose socket is known to `socketOf`. `pg` keeps it to itself. */
export class WatchedClient extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    sockets.set(this, socket);
  }
}

/** Returns the socket of a `WatchedClient`, below TLS. */
export const socketOf = (client: pg.ClientBase): Socket => sockets.get(client)!;

/**
 * Observes the queries of a connected client.
 *
 * @returns a function that says whether one is in flight
 */
export function trackQueries(client: pg.ClientBase): () => boolean {
  let isBusy = false;
  const query = client.query.bind(client) as (...input: unknown[]) => unknown;
  client.query = ((...input: unknown[]) => {
    const result = query(...input);
    isBusy = true;
    return result;
  }) as typeof client.query;
  client.on('drain', () => {
    isBusy = false;
  });
  return () => isBusy;
}
