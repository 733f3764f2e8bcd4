import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

import type pg from 'pg';
import { expect, it } from 'vitest';

import { sendCancel } from './cancel.ts';

it('a server that drops the connection of a cancellation does not end the portal', async () => {
  const server = net.createServer((socket) => socket.resetAndDestroy());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const client = { host: '127.0.0.1', port, ssl: false, processID: 1, secretKey: 2 };
  sendCancel(client as unknown as pg.ClientBase, 1_000);
  await once(server, 'connection');
  server.close();
  // An error without a listener would fail the run.
  await expect(once(server, 'close')).resolves.toEqual([]);
});
