import type { Server, ServerResponse } from 'node:http';

/**
 * Lets `server` be stopped without breaking off an answer: the returned function refuses new
 * connections, lets the requests in flight finish, and closes each connection after its answer.
 * What is not finished after `limitMs` is cut off.
 */
export function makeDrainable(server: Server): (limitMs: number) => Promise<void> {
  const inFlight = new Set<ServerResponse>();
  let draining = false;
  server.prependListener('request', (_req, res) => {
    inFlight.add(res);
    if (draining) announceClose(res);
    res.once('close', () => {
      inFlight.delete(res);
      // An answer that had begun could not announce it; its connection is idle from now on.
      if (draining) setImmediate(() => server.closeIdleConnections());
    });
  });

  return async (limitMs) => {
    draining = true;
    for (const res of inFlight) announceClose(res);
    const deadline = setTimeout(() => server.closeAllConnections(), limitMs);
    await new Promise((resolve) => server.close(resolve));
    clearTimeout(deadline);
  };
}

function announceClose(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
}
