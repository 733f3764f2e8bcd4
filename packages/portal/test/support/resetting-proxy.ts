import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

/**
 * A proxy that closes a connection instead of passing on the first answer to a request that begins
 * with `start`. The target has handled the request then.
 */
export async function startResettingProxy(targetPort: number, start: string) {
  let seen = 0;
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    let isCut = false;
    client.on('data', (chunk) => {
      if (chunk.toString('latin1').startsWith(start)) isCut = ++seen === 1;
      target.write(chunk);
    });
    target.on('data', (chunk) => {
      if (isCut) client.destroy();
      else client.write(chunk);
    });
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      socket.on('error', () => {});
      socket.on('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** How often the request arrived. */
    get seen() {
      return seen;
    },
    close: () => server.close(),
  };
}
