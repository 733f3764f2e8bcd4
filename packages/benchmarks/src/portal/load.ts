import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Measured {
  /** Latency of each request, in milliseconds. */
  latencies: number[];
  seconds: number;
}

/**
 * Sends requests over so many kept-alive connections, one at a time on each. On bare sockets: a
 * client that costs as much as the server would measure itself.
 *
 * @param nextRequest the next request as it goes over the wire
 * @throws when an answer is not a 200.
 */
export async function drive(options: {
  port: number;
  connections: number;
  seconds: number;
  nextRequest: () => string;
}): Promise<Measured> {
  const latencies: number[] = [];
  const start = performance.now();
  const end = start + options.seconds * 1000;
  await Promise.all(
    Array.from({ length: options.connections }, async () => {
      const socket = connect(options.port, '127.0.0.1');
      socket.setNoDelay(true);
      await once(socket, 'connect');
      while (performance.now() < end) {
        const sent = performance.now();
        await exchange(socket, options.nextRequest());
        latencies.push(performance.now() - sent);
      }
      socket.destroy();
    }),
  );
  return { latencies, seconds: (performance.now() - start) / 1000 };
}

function exchange(socket: Socket, request: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let head = '';
    let missing = Infinity;
    const settle = (error?: Error) => {
      socket.off('data', receive).off('error', settle).off('close', closed);
      if (error) reject(error);
      else resolve();
    };
    const closed = () => settle(new Error('The server closed the connection.'));
    const receive = (chunk: Buffer) => {
      if (missing === Infinity) {
        head += chunk.toString('latin1');
        const bodyStart = head.indexOf('\r\n\r\n');
        if (bodyStart < 0) return;
        const length = /content-length: (\d+)/i.exec(head.slice(0, bodyStart))?.[1];
        missing = Number(length ?? 0) - (head.length - bodyStart - 4);
      } else missing -= chunk.length;
      if (missing > 0) return;
      if (head.startsWith('HTTP/1.1 200')) settle();
      else settle(new Error(`The answer was no 200: ${head.slice(0, 2_000)}`));
    };
    socket.on('data', receive).on('error', settle).on('close', closed);
    socket.write(request);
  });
}
