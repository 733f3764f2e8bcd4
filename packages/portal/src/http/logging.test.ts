import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import express from 'express';
import { send } from 'test-support';
import { expect, it, onTestFinished } from 'vitest';

import { createLogger } from '../logger.ts';
import { logRequests } from './logging.ts';
import { noteRefusal } from './response-notes.ts';

/** Sends a request and returns its log line. */
async function logOne(path: string, handle: (res: express.Response) => void | Promise<void>) {
  const lines: string[] = [];
  const app = express();
  app.use(logRequests(createLogger('debug', { write: (line) => lines.push(line) })));
  app.use((_req, res) => handle(res));
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  await send(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  await expect.poll(() => lines.length).toBe(1);
  return JSON.parse(lines[0]!);
}

const levels = { debug: 20, info: 30, warn: 40, error: 50 };

it.each([
  ['debug', '/livez', 200],
  ['debug', '/readyz', 200],
  ['debug', '/metrics', 200],
  ['warn', '/metrics', 404],
  ['info', '/api/user', 200],
  ['info', '/api/user', 399],
  ['warn', '/api/user', 400],
  ['warn', '/api/user', 499],
  ['error', '/api/user', 500],
  ['error', '/readyz', 503],
] as const)('logs at level %s: %s, status %i', async (level, path, status) => {
  const line = await logOne(path, (res) => void res.status(status).end());
  expect(line).toMatchObject({ level: levels[level], res: { status } });
});

it('a draining instance logs its refusals at level debug', async () => {
  const line = await logOne('/readyz', (res) => {
    noteRefusal(res, 'draining');
    res.status(503).end();
  });
  expect(line).toMatchObject({ level: levels.debug, code: 'draining' });
  expect(line).not.toHaveProperty('reason');
});

it('the log has the response time in whole milliseconds', async () => {
  const startedAt = performance.now();
  const { responseTime } = await logOne('/', async (res) => {
    await delay(60);
    res.end();
  });
  expect(Number.isInteger(responseTime)).toBe(true);
  expect(responseTime).toBeGreaterThanOrEqual(59);
  expect(responseTime).toBeLessThanOrEqual(performance.now() - startedAt);
});

it('the log has the path of a request without its query', async () => {
  const line = await logOne('/identity?token=x&b=?', (res) => void res.end());
  expect(line.req).toEqual({ id: expect.any(String), method: 'GET', path: '/identity' });
});
