import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import express, { Router, type ErrorRequestHandler } from 'express';
import { expect, it, onTestFinished } from 'vitest';

import { mount, type Admission, type Row } from './mount.ts';

const table = {
  readThing: { method: 'GET', path: '/{name}' },
  listThings: { method: 'GET', path: '/things' },
  createThing: { method: 'POST', path: '/things', body: {} },
  exportThing: { method: 'POST', path: '/things/file', isFile: true },
  uploadThing: { method: 'POST', path: '/things/large', body: {}, bodyLimit: 200 },
  downloadThing: { method: 'GET', path: '/things/download', isFile: true },
} as const satisfies Record<string, Row>;

/** A service that lists the steps of its requests. */
async function listen(changes: Partial<Admission> = {}) {
  const steps: string[] = [];
  const note = async <Result>(step: string, result?: Result) => {
    steps.push(step);
    return result as Result;
  };
  const handlers = {
    listThings: () => note('handle', { things: [] }),
    createThing: () => note('handle', { created: true }),
    readThing: () => note('handle', { read: true }),
    exportThing: () => note('handle', { type: 'text/csv', content: writeFile() }),
    uploadThing: () => note('handle', { uploaded: true }),
    downloadThing: () =>
      note('handle', { name: 'things.csv', type: 'text/csv', content: Buffer.from('a,b') }),
  };
  async function* writeFile() {
    yield await note('send part', 'a,b\n');
  }
  const router = Router();
  const rows: Record<keyof typeof table, Row> = table;
  const admit = async () => {
    await note('admit');
    return {
      confirm: () => note('confirm'),
      onUnreadable: () => note('refuse body'),
      parse: () => note('parse', {}),
      limit: async <Result>(work: () => Promise<Result>) => {
        await note('limit');
        return work().finally(() => steps.push('leave limit'));
      },
      run: (handle, input) => handle(undefined, input),
      ...changes,
    } satisfies Admission;
  };
  mount(router, rows, handlers, admit, { prefix: '/api', bodyLimit: 100 });
  const failures: unknown[] = [];
  const noteFailure: ErrorRequestHandler = (error, _req, _res, next) => {
    failures.push(error);
    next(error);
  };
  const server = express().use(router).use(noteFailure).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open = (method: string, path: string, headers = {}) =>
    request({ host: '127.0.0.1', port, method, path: `/api${path}`, headers });
  const send = async (outgoing: ReturnType<typeof open>, body?: string) => {
    const [answer] = (await once(outgoing.end(body), 'response')) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
  };
  return { steps, failures, open, send };
}

const json = (length: number) => ({ 'Content-Type': 'application/json', 'Content-Length': length });

it('a request is admitted, parsed, limited and handled in this order', async () => {
  const { steps, open, send } = await listen();
  const { status, headers, body } = await send(open('GET', '/things'));
  expect({ status, body }).toEqual({ status: 200, body: '{"things":[]}' });
  expect(headers['cache-control']).toBe('no-store');
  expect(steps).toEqual(['admit', 'parse', 'limit', 'handle', 'leave limit']);
});

it('a caller is confirmed again after a slow body and before it is parsed', async () => {
  const { steps, open, send } = await listen();
  const outgoing = open('POST', '/things', json(2));
  outgoing.write('{');
  await expect.poll(() => steps).toContain('admit');
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  await send(outgoing, '}');
  expect(steps).toEqual(['admit', 'confirm', 'parse', 'limit', 'handle', 'leave limit']);
});

it.each([
  ['is not JSON', '{', json(1)],
  ['is larger than the limit', 'x'.repeat(101), json(101)],
  ['has another type', '{}', { 'Content-Type': 'text/plain' }],
])('a body that %s is refused before it is parsed', async (_case, body, headers) => {
  const { steps, open, send } = await listen();
  await send(open('POST', '/things', headers), body);
  expect(steps).toEqual(['admit', 'refuse body']);
});

it('the body of a row without a schema is not read', async () => {
  const { steps, open, send } = await listen();
  await send(open('POST', '/things/file', { 'Content-Type': 'text/plain' }), 'any');
  expect(steps).toContain('handle');
});

it('a file counts toward the limit until it is sent', async () => {
  const { steps, open, send } = await listen();
  const { headers, body } = await send(open('POST', '/things/file'));
  expect(body).toBe('a,b\n');
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'content-disposition': 'attachment',
    'content-type': 'text/csv; charset=utf-8',
  });
  expect(steps).toEqual(['admit', 'parse', 'limit', 'handle', 'send part', 'leave limit']);
});

it('a file ends when its client leaves, which is no failure', async () => {
  async function* writeForever() {
    for (;;) yield 'x'.repeat(64_000);
  }
  const run = async () => ({ type: 'text/csv', content: writeForever() });
  const { steps, failures, open } = await listen({ run });
  const [answer] = (await once(open('POST', '/things/file').end(), 'response')) as [
    IncomingMessage,
  ];
  answer.destroy();
  await expect.poll(() => steps).toEqual(['admit', 'parse', 'limit', 'leave limit']);
  await new Promise(setImmediate);
  expect(failures).toEqual([]);
});

it('a path without parameters is not taken for a parameter', async () => {
  const { open, send } = await listen();
  expect((await send(open('GET', '/things'))).body).toBe('{"things":[]}');
  expect((await send(open('GET', '/others'))).body).toBe('{"read":true}');
});

it('another method of a path answers 405 with the methods of its rows, and admits nobody', async () => {
  const { steps, open, send } = await listen();
  const { status, headers } = await send(open('DELETE', '/things'));
  expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'GET, HEAD, POST' });
  expect(steps).toEqual([]);
});

it('a row can have a larger limit of its body than the others', async () => {
  const { open, send } = await listen();
  const post = async (length: number) => {
    const body = JSON.stringify('x'.repeat(length - 2));
    return (await send(open('POST', '/things/large', json(length)), body)).status;
  };
  expect([await post(200), await post(201)]).toEqual([200, 500]);
});

it('a file with a name is sent under it, also if it is complete', async () => {
  const { open, send } = await listen();
  const { headers, body } = await send(open('GET', '/things/download'));
  expect(body).toBe('a,b');
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'content-disposition': 'attachment; filename=things.csv',
    'content-type': 'text/csv; charset=utf-8',
  });
});
