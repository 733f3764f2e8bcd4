import { randomUUID } from 'node:crypto';

import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';

/** An id the caller chose is kept, so that its log and ours can be read side by side. */
const requestIdPattern = /^[\w.-]{1,128}$/;

/** Asked every few seconds, for ever. */
const probes = new Set(['/livez', '/readyz', '/metrics']);

/** What is longer is not one of our paths. */
const maxPathLength = 500;

/**
 * Gives each request an id (`X-Request-Id`) and one log line. The line has neither headers nor the
 * query: the one carries API keys and bearers, the other identity tokens.
 */
export function logRequests(logger: Logger): RequestHandler {
  const log = pinoHttp({
    logger,
    genReqId: (req, res) => {
      const given = req.headers['x-request-id'];
      const id = typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID();
      res.setHeader('X-Request-Id', id);
      return id;
    },
    serializers: {
      req: (req: { id: string; method: string; url: string }) => ({
        id: req.id,
        method: req.method,
        path: req.url.split('?', 1)[0]?.slice(0, maxPathLength),
      }),
      res: (res: { statusCode: number }) => ({ status: res.statusCode }),
    },
    customLogLevel: (req, res, error) => {
      if (error || res.statusCode >= 500) return 'error';
      if (res.statusCode >= 400) return 'warn';
      return probes.has(req.url ?? '') ? 'debug' : 'info';
    },
  });
  return (req, res, next) => log(req, res, () => next());
}
