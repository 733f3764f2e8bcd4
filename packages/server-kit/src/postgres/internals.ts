import type { Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';

import type pg from 'pg';

interface Internals {
  connection: { stream: Socket };
  host: string;
  port: number;
  /** `false`, or the options of TLS. */
  ssl: boolean | ConnectionOptions;
  processID: number;
  secretKey: number;
}

/** Members of every `pg` client that its types leave out. */
export const getInternals = (client: pg.ClientBase): Internals => client as never;
