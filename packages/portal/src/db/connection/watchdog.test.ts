import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';

import type pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';

import { watchPool } from './watchdog.ts';
import { socketOf, WatchedClient } from './watched-client.ts';

it('the server is asked on a connection of its own only while a query is silent', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const connect = vi.spyOn(Socket.prototype, 'connect').mockReturnThis();
  const destroy = vi.spyOn(Socket.prototype, 'destroy').mockReturnThis();
  onTestFinished(() => {
    connect.mockRestore();
    destroy.mockRestore();
  });
  const pool = Object.assign(new EventEmitter(), { options: {} }) as pg.Pool;
  // Without an answer, the watchdog ends the connection after the test.
  onTestFinished(watchPool(pool, {}, { statementTimeoutMs: undefined }));
  const client = Object.assign(new WatchedClient(), { query: async () => {} });
  let bytesRead = 0;
  vi.spyOn(socketOf(client), 'bytesRead', 'get').mockImplementation(() => bytesRead);
  pool.emit('connect', client);
  pool.emit('acquire', client);
  vi.advanceTimersByTime(10_000);
  void client.query('SELECT 1');
  for (let second = 0; second < 10; second += 0.25) {
    bytesRead += 1;
    vi.advanceTimersByTime(250);
  }
  client.emit('drain');
  vi.advanceTimersByTime(10_000);
  expect(connect).not.toHaveBeenCalled();
  void client.query('SELECT 1');
  vi.advanceTimersByTime(1_000);
  expect(connect).toHaveBeenCalledTimes(1);
});
