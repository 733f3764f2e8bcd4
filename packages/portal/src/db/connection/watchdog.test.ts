import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';

import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';

import { watchPool } from './watchdog.ts';

it('the server is asked on a connection of its own only while a query is silent', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  let connections = 0;
  const stream = () => {
    connections += 1;
    return Object.assign(new PassThrough(), { connect: () => {}, setNoDelay: () => {} });
  };
  const pool = Object.assign(new EventEmitter(), { options: {} }) as pg.Pool;
  onTestFinished(watchPool(pool, { stream }, { statementTimeoutMs: undefined }));
  // Without an answer, the watchdog ends the connection after the test.
  const received = { bytesRead: 0, destroy: () => {} };
  const client = Object.assign(new pg.Client({ stream }), {
    connection: { stream: received },
    readyForQuery: true,
  });
  connections = 0;
  pool.emit('connect', client);
  pool.emit('acquire', client);
  vi.advanceTimersByTime(10_000);
  client.readyForQuery = false;
  for (let second = 0; second < 10; second += 0.25) {
    received.bytesRead += 1;
    vi.advanceTimersByTime(250);
  }
  expect(connections).toBe(0);
  vi.advanceTimersByTime(1_000);
  expect(connections).toBe(1);
});
