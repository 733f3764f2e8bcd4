import { createServer, type RequestListener, type Server } from 'node:http';

import type { Logger } from 'pino';

import { answerUnreadable } from './unreadable.ts';

/** The HTTP server in front of the application: what Node would answer by itself goes there too. */
export function createHttpServer(app: RequestListener, logger: Logger): Server {
  const server = createServer(
    {
      // Longer than a load balancer keeps an idle connection, so that it is never the one surprised.
      keepAliveTimeout: 65_000,
      requestTimeout: 30_000,
      // Else Node looks every half a minute, and a request may take twice as long.
      connectionsCheckingInterval: 5_000,
      // Node's own refusal is no problem document; `requireHost` is.
      requireHostHeader: false,
    },
    app,
  );
  // An expectation that is not understood may be ignored; Node would answer 417 without a body.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  // A caller that asks whether to send its body is told so when somebody reads it. If nobody does,
  // what comes next could be the body or not, so the connection ends.
  server.on('checkContinue', (req, res) => {
    const { shouldKeepAlive } = res;
    res.shouldKeepAlive = false;
    req.once('resume', () => {
      if (res.headersSent) return;
      res.shouldKeepAlive = shouldKeepAlive;
      res.writeContinue();
    });
    server.emit('request', req, res);
  });
  answerUnreadable(server, logger);
  return server;
}
