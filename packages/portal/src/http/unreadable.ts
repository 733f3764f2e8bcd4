import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { createProblem, errorTable } from '@portal-embed/contract';
import type { Logger } from 'pino';

const details: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The headers or the address are too long. Shorten them.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive. Send it again.',
};

/**
 * Answers 400 to bytes that are not HTTP and to CONNECT, which never reach Express. If a request is
 * pending on the connection, closes the connection instead, because the client could take this answer
 * for the one to the pending request.
 */
export function answerUnreadable(server: Server, logger: Logger): void {
  const latest = new WeakMap<Duplex, { req: IncomingMessage; res: ServerResponse }>();
  server.on('request', (req, res) => latest.set(req.socket, { req, res }));

  const isPending = (socket: Duplex): boolean => {
    const exchange = latest.get(socket);
    return exchange !== undefined && !(exchange.req.complete && exchange.res.closed);
  };

  function refuse(socket: Duplex, reason: string, detail: string): void {
    const requestId = randomUUID();
    const { status } = errorTable.invalid_request;
    logger.warn({ req: { id: requestId }, res: { status }, reason }, 'request unreadable');
    const body = JSON.stringify(createProblem('invalid_request', detail, requestId));
    const head = [
      `HTTP/1.1 ${status} Bad Request`,
      'Connection: close',
      'Cache-Control: no-store',
      'Content-Type: application/problem+json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
    ];
    // A caller that keeps its end open must not delay a stop.
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  }

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const reason = error.code ?? 'unknown';
    if (isPending(socket) || !socket.writable) socket.destroy();
    else
      refuse(
        socket,
        reason,
        details[reason] ?? 'The request is not valid HTTP. Check the client that sent it.',
      );
  });

  server.on('connect', (_req, socket) => {
    // Node no longer handles errors of this socket.
    socket.on('error', () => socket.destroy());
    if (isPending(socket)) socket.destroy();
    else
      refuse(
        socket,
        'CONNECT',
        'This server is not a proxy. Send the request directly to its target.',
      );
  });
}
