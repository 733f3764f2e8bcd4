import { randomUUID } from 'node:crypto';

import { isRequestId } from '@portal-embed/contract';
import type { Request, RequestHandler, Response } from 'express';
import type { Level, Logger } from 'pino';

import { redactSecrets } from '../logger.ts';

declare global {
  namespace Express {
    interface Request {
      /** Of the answer's `X-Request-Id` and of the request's lines in the log. */
      id: string;
      /** Logs an error that the answer does not tell. */
      logFailure: (error: unknown, message: string) => void;
    }
  }
}

/** Asked every few seconds, for ever. */
const probes = new Set(['/livez', '/readyz', '/metrics']);

/** What is longer is not one of our paths. */
const maxPathLength = 500;

/**
 * Gives each request an id (`X-Request-Id`) and one log line. The line has neither headers nor the
 * query: the one carries API keys and bearers, the other identity tokens.
 */
export function logRequests(logger: Logger): RequestHandler {
  // This line's fields are those named below, so it is spared the search for secret ones, which
  // costs more than the line. Its text is still looked through.
  const lines = logger.child({}, { redact: [] });
  return (req, res, next) => {
    const startedAt = performance.now();
    req.id = chooseId(req.headers['x-request-id']);
    res.setHeader('X-Request-Id', req.id);
    req.logFailure = (error, message) => logger.error({ req: describe(req), err: error }, message);
    res.once('close', () => {
      const line = {
        req: describe(req),
        res: { status: res.headersSent ? res.statusCode : null },
        responseTime: Math.round(performance.now() - startedAt),
      };
      lines[levelOf(req, res)](
        line,
        res.writableFinished ? 'request completed' : 'request aborted',
      );
    });
    next();
  };
}

/** An id the caller chose is kept, so that its log and ours can be read side by side. */
const chooseId = (given: unknown): string => (isRequestId(given) ? given : randomUUID());

/** Without what would hide a secret from the redaction: needless escapes, and a cut through it. */
function pathOf(req: Request): string {
  const path = req.originalUrl
    .split('?', 1)[0]!
    .replace(/%(2d|5f|3\d|[46][1-9a-f]|[57][\da])/gi, decodeURIComponent);
  return path.length > maxPathLength ? redactSecrets(path).slice(0, maxPathLength) : path;
}

const describe = (req: Request) => ({ id: req.id, method: req.method, path: pathOf(req) });

function levelOf(req: Request, res: Response): Level {
  if (res.statusCode >= 500) return 'error';
  if (res.statusCode >= 400) return 'warn';
  return probes.has(req.originalUrl) ? 'debug' : 'info';
}
