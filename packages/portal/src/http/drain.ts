import type { Server, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export interface Drain {
  /** Whether the server is about to stop, so that load balancers must send their requests elsewhere. */
  readonly draining: boolean;
  /**
   * Announces the end, accepts requests for `noticeMs` more, then refuses new connections, lets the
   * requests in flight finish, and closes each connection after its answer. What is not finished
   * `limitMs` later is cut off. An aborted `hurry` skips the rest of the notice.
   */
  stop: (times: { noticeMs: number; limitMs: number; hurry?: AbortSignal }) => Promise<void>;
}

/** Lets `server` be stopped without breaking off an answer. */
export function makeDrainable(server: Server): Drain {
  const inFlight = new Set<ServerResponse>();
  let draining = false;
  server.prependListener('request', (_req, res) => {
    inFlight.add(res);
    if (draining) announceClose(res);
    res.once('close', () => {
      inFlight.delete(res);
      // An answer that had begun could not announce it; its connection is idle from now on.
      if (draining && !server.listening) setImmediate(() => server.closeIdleConnections());
    });
  });

  return {
    get draining() {
      return draining;
    },
    stop: async ({ noticeMs, limitMs, hurry }) => {
      draining = true;
      for (const res of inFlight) announceClose(res);
      if (noticeMs > 0) await delay(noticeMs, undefined, { signal: hurry }).catch(() => {});
      const deadline = setTimeout(() => server.closeAllConnections(), limitMs);
      await new Promise((resolve) => server.close(resolve));
      clearTimeout(deadline);
    },
  };
}

function announceClose(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
}
