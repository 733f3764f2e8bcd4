import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface Measured {
  /** Latency of each request, in milliseconds. */
  latencies: number[];
  seconds: number;
}

/**
 * Sends requests over several kept-alive connections, one at a time on each. It uses bare sockets,
 * because a client that costs as much as the server would measure itself.
 *
 * @param options.nextRequest the next request as it goes over the wire
 * @param options.pauseMs pause of a connection between two requests; default: none
 * @throws when an answer is not a 200.
 */
export async function drive(options: {
  port: number;
  connections: number;
  seconds: number;
  nextRequest: () => string;
  pauseMs?: number;
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
        if (options.pauseMs !== undefined) await delay(options.pauseMs);
      }
      socket.destroy();
    }),
  );
  return { latencies, seconds: (performance.now() - start) / 1000 };
}

/** Writes a mint as it goes over the wire. */
export function writeMintRequest(host: string, apiKey: string, fields: object): string {
  const body = JSON.stringify(fields);
  return [
    'POST /api/identity/url HTTP/1.1',
    `Host: ${host}`,
    `X-API-Key: ${apiKey}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

function exchange(socket: Socket, request: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const finish = (error?: Error) => {
      socket.off('data', receive).off('error', finish).off('close', closed);
      if (error) reject(error);
      else resolve();
    };
    const closed = () => finish(new Error('The server closed the connection.'));
    const receive = (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      if (!isComplete(answer)) return;
      if (answer.startsWith('HTTP/1.1 200')) finish();
      else finish(new Error(`The answer was no 200: ${answer.slice(0, 2_000)}`));
    };
    socket.on('data', receive).on('error', finish).on('close', closed);
    socket.write(request);
  });
}

function isComplete(answer: string): boolean {
  const headEnd = answer.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.slice(0, headEnd))?.[1];
  // Without a length the body comes in chunks, and the last one is empty.
  if (length === undefined) return answer.endsWith('\r\n0\r\n\r\n');
  return answer.length >= headEnd + 4 + Number(length);
}
