import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

import express from 'express';
import { send } from 'test-support';
import { expect, it, onTestFinished, vi } from 'vitest';

import { expectProblem } from '../../test/support/http.ts';
import { failureAdvice, failureTexts } from '../db/connection/database-failures.ts';
import { createLogger } from '../logger.ts';
import { createToken } from '../secrets.ts';
import { logRequests } from './logging.ts';
import { answerErrors } from './problems.ts';

it('a database failure answers 503 with Retry-After and is detailed only in the log', async () => {
  const lines: string[] = [];
  const app = express();
  app.use(logRequests(createLogger('info', { write: (line) => lines.push(line) })));
  app.get('/', () => Promise.reject(Object.assign(new Error('shut down'), { code: '57P01' })));
  app.use(answerErrors);
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const answer = await send(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expectProblem(answer, 'database_unavailable');
  expect(answer.headers['retry-after']).toBe('2');
  const { happened, advice } = failureTexts.unreachable;
  expect(answer.json()).toMatchObject({ detail: `${happened} ${advice}`, advice });
  await expect.poll(() => lines.length).toBe(2);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: failureAdvice.unreachable, err: { message: 'shut down' } },
    { code: 'database_unavailable', reason: 'unreachable', res: { status: 503 } },
  ]);
});

it('a full disk is reported to the caller and in the log', async () => {
  const lines: string[] = [];
  const app = express();
  app.use(logRequests(createLogger('info', { write: (line) => lines.push(line) })));
  app.get('/', () => Promise.reject(Object.assign(new Error('write failed'), { code: 'ENOSPC' })));
  app.use(answerErrors);
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  expectProblem(await send(address), 'storage_full');
  expect(lines.join('')).toContain('The disk of the portal is full. Free disk space.');
});

it('an error in the middle of a response aborts it and is only logged, redacted', async () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {});
  const lines: string[] = [];
  const secret = createToken();
  const app = express();
  app.set('env', 'production');
  app.use(logRequests(createLogger('info', { write: (line) => lines.push(line) })));
  app.get('/', async (_req, res) => {
    res.write('half');
    await Promise.reject(new Error(`no ${secret}`));
  });
  app.use(answerErrors);
  const server = app.listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    await expect(answer.text()).rejects.toThrow('terminated');
    await expect.poll(() => lines.length).toBe(2);
    expect(lines[0]).toContain('answer broken off');
    expect(lines[1]).toContain('request aborted');
    expect(lines.join('')).not.toContain(secret);
    expect(print).not.toHaveBeenCalled();
  } finally {
    print.mockRestore();
    server.close();
  }
});

it('an error after the client has gone is neither answered nor logged', async () => {
  const lines: string[] = [];
  let fail!: () => void;
  const failed = new Promise<void>((resolve) => (fail = resolve));
  const app = express();
  app.use(logRequests(createLogger('info', { write: (line) => lines.push(line) })));
  app.get('/', async (_req, res) => {
    const gone = once(res, 'close');
    request.destroy();
    await gone;
    fail();
    throw new Error('too late');
  });
  app.use(answerErrors);
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const request = http.get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  request.on('error', () => {});
  await failed;
  await new Promise(setImmediate);
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['request aborted']);
});

it.each([
  ['/admin/api/datasets', 'the operator of the portal'],
  ['/api/content', 'your administrator'],
])('an unexpected error of %s is for %s', async (path, contact) => {
  const app = express();
  app.use(logRequests(createLogger('silent')));
  app.get('/{*rest}', () => Promise.reject(new Error('a bug')));
  app.use(answerErrors);
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const answer = await send(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  expect(answer.json().detail).toContain(`send the requestId to ${contact}.`);
});
