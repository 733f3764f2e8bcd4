import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { errorTable, problem } from '@portal-embed/contract';
import type { Logger } from 'pino';

const details: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The headers, or the address, are too long.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive.',
};

/**
 * Answers, and logs, what never becomes a request that Express could answer: what is no HTTP, and
 * CONNECT.
 */
export function answerUnreadable(server: Server, logger: Logger): void {
  const refuse = (socket: Duplex, reason: string, detail: string) => {
    const requestId = randomUUID();
    const { status } = errorTable.invalid_request;
    logger.warn({ req: { id: requestId }, res: { status }, reason }, 'request unreadable');
    const body = JSON.stringify(problem('invalid_request', detail, requestId));
    socket.end(
      [
        `HTTP/1.1 ${status} Bad Request`,
        'Connection: close',
        'Cache-Control: no-store',
        'Content-Type: application/problem+json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        `X-Request-Id: ${requestId}`,
        '',
        body,
      ].join('\r\n'),
      // Nothing else ends a connection that its caller keeps open, and a stop would wait for it.
      () => socket.destroy(),
    );
  };

  /** The latest request of each connection, with its answer. */
  const latest = new WeakMap<Duplex, { req: IncomingMessage; res: ServerResponse }>();
  server.on('request', (req, res) => latest.set(req.socket, { req, res }));
  const isAnswered = (socket: Duplex) => {
    const exchange = latest.get(socket);
    return exchange?.res.headersSent === true && !exchange.req.complete;
  };

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // What breaks may be the rest of a request that was answered: it gets no second answer.
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswered(socket)) {
      socket.destroy();
      return;
    }
    const reason = error.code ?? 'unknown';
    refuse(socket, reason, details[reason] ?? 'This is not a request that HTTP allows.');
  });

  server.on('connect', (_req, socket) => {
    // Node no longer listens for errors here: a caller that hangs up must not end the process.
    socket.on('error', () => socket.destroy());
    refuse(socket, 'CONNECT', 'This is no proxy. Send the request to its own address.');
  });
}
