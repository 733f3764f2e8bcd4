import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

import { startFakePortal } from 'test-support/fake-portal';
import { describe, expect, it } from 'vitest';

import { probe } from './probe.ts';

describe('a probe of an address', () => {
  it('ends with the headers of an endless answer', async () => {
    let closed: Promise<unknown> | undefined;
    await using page = await startFakePortal((_, response) => {
      closed = once(response, 'close');
      response.writeHead(401, { 'X-Page': 'yes' }).write('endless');
    });
    expect(await probe(page.url)).toMatchObject({ status: 401, headers: { 'x-page': 'yes' } });
    // The command would otherwise run for as long as the answer.
    await closed;
  });

  it('ends at its time limit while headers trickle in', async () => {
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
    const probing = probe(`http://127.0.0.1:${port}`, { timeoutMs: 200 });
    await expect(probing).rejects.toThrow('no answer within 0.2 seconds');
    for (const socket of sockets) socket.destroy();
    server.close();
  });
});
