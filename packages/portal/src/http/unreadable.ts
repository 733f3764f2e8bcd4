import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { errorTable, createProblem } from '@portal-embed/contract';
import type { Logger } from 'pino';

const details: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The headers or the address are too long. Shorten them.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive. Send it again.',
};

/** A request with its answer, and the answer before it on the same connection. */
interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
  previous: ServerResponse | undefined;
}

/**
 * Answers, and logs, what never becomes a request that Express could answer: what is no HTTP, and
 * CONNECT.
 */
export function answerUnreadable(server: Server, logger: Logger): void {
  const refuse = (socket: Duplex, reason: string, detail: string) => {
    const requestId = randomUUID();
    const { status } = errorTable.invalid_request;
    logger.warn({ req: { id: requestId }, res: { status }, reason }, 'request unreadable');
    const body = JSON.stringify(createProblem('invalid_request', detail, requestId));
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

  const latest = new WeakMap<Duplex, Exchange>();
  server.on('request', (req, res) => {
    const { socket } = req;
    latest.set(socket, { req, res, previous: latest.get(socket)?.res });
  });

  const broken = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    // All that comes after what is no HTTP is none either.
    if (broken.has(socket)) return;
    broken.add(socket);
    const exchange = latest.get(socket);
    const isOfLatest = exchange?.req.complete === false;
    const refuseInTurn = () => {
      // What breaks may be the rest of a request that was answered: it gets no second answer.
      const isAnswered = isOfLatest && exchange.res.headersSent;
      if (!socket.writable || isAnswered) {
        socket.destroy();
        return;
      }
      const reason = error.code ?? 'unknown';
      refuse(
        socket,
        reason,
        details[reason] ?? 'The request is not valid HTTP. Check the client that sent it.',
      );
    };
    // Answers go out in the order of the requests: this one must not be taken for an earlier one's.
    const earlier = isOfLatest ? exchange.previous : exchange?.res;
    if (!earlier || earlier.closed) refuseInTurn();
    else earlier.once('close', refuseInTurn);
  });

  server.on('connect', (_req, socket) => {
    // Node no longer listens for errors here: a caller that hangs up must not end the process.
    socket.on('error', () => socket.destroy());
    // Node no longer looks after what is on its way here, and a wait could outlast a stop.
    if (latest.get(socket)?.res.closed === false) socket.destroy();
    else
      refuse(
        socket,
        'CONNECT',
        'This server is not a proxy. Send the request directly to its target.',
      );
  });
}
