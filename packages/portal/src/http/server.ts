import { createServer, type RequestListener, type Server } from 'node:http';

import type { Logger } from 'pino';

import { answerUnreadable } from './unreadable.ts';

/** Creates the HTTP server. Requests that Node would answer itself reach the application too. */
export function createHttpServer(app: RequestListener, logger: Logger): Server {
  const server = createServer(
    {
      // Longer than load balancers keep idle connections, so that they close first.
      keepAliveTimeout: 65_000,
      requestTimeout: 30_000,
      // Node's default of 30 s would let a request take twice its time limit.
      connectionsCheckingInterval: 5_000,
      // `requireHost` answers with a problem document, Node without one.
      requireHostHeader: false,
    },
    app,
  );
  // Unknown expectations may be ignored; Node would answer 417 without a body.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  // `100 Continue` is sent when a handler reads the body. If none does, Node closes the connection
  // after the answer.
  server.on('checkContinue', (req, res) => {
    req.once('resume', () => res.writeContinue());
    server.emit('request', req, res);
  });
  answerUnreadable(server, logger);
  return server;
}
