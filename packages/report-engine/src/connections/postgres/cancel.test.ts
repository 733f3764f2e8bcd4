import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';

import type pg from 'pg';
import { expect, it } from 'vitest';

import { readTls } from '../../../test/support/fake-clickhouse.ts';
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

it('a cancellation of a statement over TLS is encrypted, too', async () => {
  const requests: string[] = [];
  const server = net.createServer();
  const answer = async () => {
    const [socket] = (await once(server, 'connection')) as [net.Socket];
    const [start] = (await once(socket, 'data')) as [Buffer];
    requests.push(start.toString('hex'));
    const encrypted = new tls.TLSSocket(socket, {
      isServer: true,
      key: readTls('key'),
      cert: readTls('certificate'),
    });
    // The server of PostgreSQL agrees to TLS with this letter.
    socket.write('S');
    const [request] = (await once(encrypted, 'data')) as [Buffer];
    requests.push(request.toString('hex'));
    encrypted.destroy();
    server.close();
  };
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const ssl = { ca: readTls('certificate'), servername: 'localhost' };
  const client = { host: '127.0.0.1', port, ssl, processID: 1, secretKey: 2 };
  const answered = answer();
  sendCancel(client as unknown as pg.ClientBase, 1_000);
  await answered;
  // The codes of SSLRequest and CancelRequest, then the process and its key.
  expect(requests).toEqual(['0000000804d2162f', '0000001004d2162e0000000100000002']);
});
