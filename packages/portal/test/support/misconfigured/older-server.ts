import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

/** Forwards to a PostgreSQL server, and changes the number of its version to one of PostgreSQL 14. */
export async function startOlderServer(
  target: number,
): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    client.pipe(upstream);
    // Such as 150015, which has as many bytes afterwards.
    upstream.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1').replaceAll(/\b\d\d(?=00\d\d\b)/g, '14');
      client.write(Buffer.from(text, 'latin1'));
    });
    for (const socket of [client, upstream])
      socket
        .on('error', () => {})
        .on('close', () => {
          client.destroy();
          upstream.destroy();
        });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}
