import { onTestFinished } from 'vitest';

import { createClickhouseConnection } from '../../src/connections/clickhouse/clickhouse-connection.ts';
import type { Connection } from '../../src/connections/connection.ts';
import { startFakeClickhouse, type FakeClickhouse } from './fake-clickhouse.ts';

/** Starts a fake server and stops it after the test. */
export async function startServer(options?: { isTls: boolean }): Promise<FakeClickhouse> {
  const server = await startFakeClickhouse(options);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** Connects to a local server and closes the connection after the test. */
export function connect(
  port: number,
  { user = 'reader:sesame', scheme = 'clickhouse', path = '/sales', limitMs = 15_000 } = {},
): Connection {
  const url = `${scheme}://${user}@127.0.0.1:${port}${path}`;
  const options = { name: 'warehouse', url, connections: 2, memoryMb: 256, limitMs };
  const connection = createClickhouseConnection(options);
  onTestFinished(() => connection.close());
  return connection;
}
