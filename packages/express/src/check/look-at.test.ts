import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

import { startFakePortal } from 'testing/fake-portal';
import { describe, expect, it } from 'vitest';

import { allowsOrigin, lookAt, readDirective } from './look-at.ts';

describe('looking at an address', () => {
  it('ends with the headers of an answer that does not end', async () => {
    let closed: Promise<unknown> | undefined;
    await using page = await startFakePortal((_, response) => {
      closed = once(response, 'close');
      response.writeHead(401, { 'X-Page': 'yes' }).write('endless');
    });
    expect(await lookAt(page.url)).toMatchObject({ status: 401, headers: { 'x-page': 'yes' } });
    // Else the command, which has nothing more to do, would go on for as long as the answer.
    await closed;
  });

  it('ends when time is up, however many headers have come by then', async () => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('X-More: yes\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const looking = lookAt(`http://127.0.0.1:${port}`, { patienceMs: 200 });
    await expect(looking).rejects.toThrow('no answer within 0.2 seconds');
    for (const socket of sockets) socket.destroy();
    server.close();
  });
});

describe('a source list', () => {
  const origin = 'https://acme.portal.example';
  it.each([
    ['*', true],
    ['https:', true],
    ['http:', false],
    [origin, true],
    [`${origin}/`, true],
    ['acme.portal.example', true],
    ['*.portal.example', true],
    ['https://*.portal.example', true],
    ['http://*.portal.example', false],
    ['portal.example', false],
    ['https://acme.portal.example:8443', false],
    ["'self'", false],
    ["'none'", false],
  ])('%s lets a subdomain through: %s', (source, isAllowed) => {
    expect(allowsOrigin(["'self'", source], origin)).toBe(isAllowed);
  });

  it('is read from the first directive that is there', () => {
    const names = ['frame-src', 'child-src', 'default-src'];
    expect(readDirective("default-src 'self';frame-src a.test b.test", names)).toEqual([
      ['a.test', 'b.test'],
    ]);
    expect(readDirective("script-src 'self'", names)).toEqual([]);
  });

  it('is read from each of several policies', () => {
    const header = "frame-src *, script-src 'self', default-src 'self'";
    expect(readDirective(header, ['frame-src', 'default-src'])).toEqual([['*'], ["'self'"]]);
  });
});
