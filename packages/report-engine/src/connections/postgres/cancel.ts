import type { Socket } from 'node:net';

import pg from 'pg';

import { getInternals } from '#server-kit';

/** Members of a `pg` connection that its types leave out. */
interface CancelConnection extends pg.Connection {
  readonly stream: Socket;
  connect: (portOrPath: number | string, host?: string) => void;
  requestSsl: () => void;
  cancel: (processID: number, secretKey: number) => void;
}

/**
 * Asks the server to cancel the statement of `client`, over a separate connection as the protocol
 * requires. The server does not confirm it.
 */
export function sendCancel(client: pg.ClientBase, limitMs: number): void {
  const { host, port, ssl, processID, secretKey } = getInternals(client);
  const connection = new pg.Connection({ ssl }) as CancelConnection;
  const { stream } = connection;
  connection.on('error', () => {});
  if (ssl) connection.once('connect', () => connection.requestSsl());
  connection.once(ssl ? 'sslconnect' : 'connect', () => connection.cancel(processID, secretKey));
  if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
  else connection.connect(port, host);
  const timer = setTimeout(() => stream.destroy(), limitMs);
  stream.once('close', () => clearTimeout(timer));
}
