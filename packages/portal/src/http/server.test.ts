import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';

import { startStopwatch } from 'test-support/stopwatch';
import { expect, it, onTestFinished } from 'vitest';

import { createLogger } from '../logger.ts';
import { createHttpServer } from './server.ts';

const lines: string[] = [];

async function listen(app: RequestListener): Promise<Server> {
  lines.length = 0;
  const server = createHttpServer(
    app,
    createLogger('debug', { write: (line) => lines.push(line) }),
  );
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Writes bytes, keeps the connection open and returns what the server sent before it closed it. */
async function sendOpen(server: Server, bytes: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  socket.write(bytes);
  await once(socket, 'close');
  return received;
}

/** Splits a response into status line, headers and body. */
function parseAnswer(text: string) {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [status, ...headers] = head.split('\r\n');
  return { status, headers: Object.fromEntries(headers.map((line) => line.split(': '))), body };
}

it('a request has 30 seconds to arrive', async () => {
  const server = await listen(() => {});
  expect([server.requestTimeout, server.headersTimeout]).toEqual([30_000, 30_000]);
});

it('a request that arrives too slowly is rejected within seconds of its time limit', async () => {
  const server = await listen(() => {});
  server.headersTimeout = server.requestTimeout = 100;
  const stop = startStopwatch();
  const answer = parseAnswer(await sendOpen(server, 'GET / HTTP/1.1\r\nHost: x\r\n'));
  // Node checks every 30 seconds by default.
  expect(stop()).toBeLessThan(15_000);
  expect(answer.status).toBe('HTTP/1.1 400 Bad Request');
  expect(JSON.parse(answer.body).detail).toBe(
    'The request took too long to arrive. Send it again.',
  );
});

it('bytes that are not HTTP get a complete problem document and one log line', async () => {
  const server = await listen(() => {});
  const { status, headers, body } = parseAnswer(await sendOpen(server, 'BREW / HTTP/1.1\r\n\r\n'));
  const problem = JSON.parse(body);
  expect(status).toBe('HTTP/1.1 400 Bad Request');
  expect(headers).toEqual({
    Connection: 'close',
    'Cache-Control': 'no-store',
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': problem.requestId,
  });
  expect(problem).toMatchObject({
    code: 'invalid_request',
    detail: 'The request is not valid HTTP. Check the client that sent it.',
  });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 40,
      req: { id: problem.requestId },
      res: { status: 400 },
      reason: 'HPE_INVALID_METHOD',
    },
  ]);
});

it('a connection that the client resets is not logged as a parse error', async () => {
  const server = await listen(() => {});
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [accepted] = (await once(server, 'connection')) as [NodeJS.Socket];
  const closed = new Promise((resolve) => accepted.once('close', resolve));
  socket.resetAndDestroy();
  await closed;
  expect(lines).toEqual([]);
});

it('an error of a CONNECT connection does not end the process', async () => {
  const server = await listen(() => {});
  const socket = new PassThrough();
  server.emit('connect', {} as IncomingMessage, socket, Buffer.alloc(0));
  expect(() => socket.emit('error', new Error('reset'))).not.toThrow();
  expect(socket.destroyed).toBe(true);
});

const expectContinueRequest =
  'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n';
const statuses = (text: string) => text.match(/(?<=HTTP\/1\.1 )\d+/g);

it('an unread body with Expect: 100-continue closes the connection', async () => {
  const server = await listen((_req, res) => void res.end());
  const received = await sendOpen(server, expectContinueRequest);
  expect(statuses(received)).toEqual(['200']);
  expect(received).toContain('Connection: close\r\n');
});

it('a body that the portal reads after Expect: 100-continue keeps the connection open', async () => {
  const server = await listen((req, res) => {
    req.resume().once('end', () => res.end());
  });
  server.keepAliveTimeout = 1;
  const received = await sendOpen(server, `${expectContinueRequest}{}`);
  expect(statuses(received)).toEqual(['100', '200']);
  expect(received).toContain('Connection: keep-alive\r\n');
});
