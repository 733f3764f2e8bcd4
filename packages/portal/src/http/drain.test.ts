import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { makeDrainable, type Drain } from './drain.ts';

let server: Server;
let drain: Drain;
const stopWithin = (limitMs: number) => drain.stop({ noticeMs: 0, limitMs });
let port: number;
let finish: () => void;
beforeEach(async () => {
  // `/slow` and `/begun` end when the test calls `finish`. `/begun` sends its headers at once.
  server = createServer((req, res) => {
    if (req.url === '/begun') res.write('first ');
    finish = () => res.end('done');
    if (req.url === '/fast') finish();
  });
  drain = makeDrainable(server);
  // Node must not close idle connections itself.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A limit that none of these tests reaches. */
const forever = 3_600_000;

interface Connection {
  socket: Socket;
  received: () => string;
  closed: Promise<unknown>;
}

async function open(): Promise<Connection> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  socket.on('error', () => {});
  return { socket, received: () => received, closed: once(socket, 'close') };
}

async function request(path: string): Promise<Connection> {
  const connection = await open();
  const arrived = once(server, 'request');
  connection.socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await arrived;
  return connection;
}

describe('draining', () => {
  it('finishes requests in flight and closes their connections', async () => {
    const slow = await request('/slow');
    const drained = stopWithin(forever);
    finish();
    await drained;
    await slow.closed;
    expect(slow.received()).toMatch(/^HTTP\/1\.1 200 OK\r\nConnection: close\r\n[^]*done$/);
  });

  it('finishes a response in progress and closes its keep-alive connection at once', async () => {
    const begun = await request('/begun');
    const drained = stopWithin(forever);
    finish();
    await drained;
    await begun.closed;
    expect(begun.received()).toContain('done');
  });

  it('closes the keep-alive connection of a response that ends after the server has stopped listening', async () => {
    const begun = await request('/begun');
    const drained = stopWithin(forever);
    await expect.poll(() => server.listening).toBe(false);
    finish();
    await drained;
    await begun.closed;
    expect(begun.received()).toContain('done');
  });

  it('closes idle connections and rejects new ones', async () => {
    const idle = await request('/fast');
    const slow = await request('/slow');
    const drained = stopWithin(forever);
    await idle.closed;
    await expect(open()).rejects.toThrow('ECONNREFUSED');
    finish();
    await drained;
    await slow.closed;
  });

  it('aborts requests that exceed the limit', async () => {
    const slow = await request('/slow');
    await stopWithin(200);
    await slow.closed;
    expect(slow.received()).toBe('');
  });

  it('the limit begins when the notice ends', async () => {
    const slow = await request('/slow');
    const skipNotice = new AbortController();
    const drained = drain.stop({ noticeMs: forever, limitMs: 1, skipNotice: skipNotice.signal });
    await delay(50);
    expect(slow.socket.closed).toBe(false);
    skipNotice.abort();
    await drained;
    await slow.closed;
  });

  it('leaves no timer behind', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const drained = stopWithin(forever);
      await drained;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('serves new requests during the notice and closes each connection after its response', async () => {
    const idle = await request('/fast');
    await expect.poll(idle.received).toContain('done');
    const skipNotice = new AbortController();
    const times = { noticeMs: forever, limitMs: forever, skipNotice: skipNotice.signal };
    const drained = drain.stop(times);
    expect(drain.draining).toBe(true);
    const late = await request('/fast');
    await late.closed;
    // A connection that was idle before the stop is still served.
    idle.socket.write('GET /fast HTTP/1.1\r\nHost: x\r\n\r\n');
    await idle.closed;
    expect(idle.received().match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(late.received()).toMatch(/^HTTP\/1\.1 200 OK\r\nConnection: close\r\n[^]*done$/);
    skipNotice.abort();
    await drained;
    await expect(open()).rejects.toThrow('ECONNREFUSED');
  });
});
