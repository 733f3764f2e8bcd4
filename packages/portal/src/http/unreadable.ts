import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';

import { problem } from '@portal-embed/contract';

const details: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The headers, or the address, are too long.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive.',
};

/** Answers what is no HTTP request at all, before there is one that Express could answer. */
export function answerUnreadable(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const requestId = randomUUID();
    const body = JSON.stringify(
      problem(
        'invalid_request',
        details[error.code ?? ''] ?? 'This is not a request that HTTP allows.',
        requestId,
      ),
    );
    socket.end(
      [
        'HTTP/1.1 400 Bad Request',
        'Connection: close',
        'Content-Type: application/problem+json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        `X-Request-Id: ${requestId}`,
        '',
        body,
      ].join('\r\n'),
    );
  });
}
