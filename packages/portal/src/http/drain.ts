import type { Server, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export interface Drain {
  /** Whether the server is about to stop. Load balancers must then use other instances. */
  readonly draining: boolean;
  /**
   * Accepts requests for `noticeMs`, then refuses new connections and lets requests in flight finish.
   * Closes each connection after its answer, and all that are left after `limitMs`. Aborting
   * `skipNotice` skips the rest of the notice.
   */
  stop: (times: { noticeMs: number; limitMs: number; skipNotice?: AbortSignal }) => Promise<void>;
}

/** Adds a graceful stop to `server`. */
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
    stop: async ({ noticeMs, limitMs, skipNotice }) => {
      draining = true;
      for (const res of inFlight) announceClose(res);
      await delay(noticeMs, undefined, { signal: skipNotice }).catch(() => {});
      const deadline = setTimeout(() => server.closeAllConnections(), limitMs);
      await new Promise((resolve) => server.close(resolve));
      clearTimeout(deadline);
    },
  };
}

function announceClose(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
}
