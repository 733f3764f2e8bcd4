import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

import { expect, it, onTestFinished, vi } from 'vitest';

import { createAgent } from './agent.ts';

it('the time limit for opening a connection does not end an open one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const server = net.createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = createAgent({ isTls: false, certificates: null, connections: 1 });
  const socket = agent.createConnection({ host: '127.0.0.1', port }) as net.Socket;
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  await once(socket, 'connect');
  vi.advanceTimersByTime(60_000);
  expect(socket.destroyed).toBe(false);
});
