import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';

import { isRequestId } from '@portal-embed/contract';
import type { Request, RequestHandler, Response } from 'express';
import type { Level, Logger } from 'pino';

import { redactSecrets } from '../logger.ts';
import { readCaller, readHint, readRefusal } from './response-notes.ts';
import { readRoute } from './route-label.ts';

declare global {
  namespace Express {
    interface Request {
      /** Id in the `X-Request-Id` header and in the log. */
      id: string;
      /** Logs an error that the response does not describe. */
      logFailure: (error: unknown, message: string, fields?: object) => void;
    }
  }
}

/** Paths of health checks, which are logged at a lower level. */
const probes = new Set(['/livez', '/readyz', '/metrics']);

/** Longer than any path of the portal. */
const maxPathLength = 500;

/** Room for every logged character as an escape of three, and for the longest secret. */
const maxSearchedLength = 2_000;

/**
 * Gives each request an id (`X-Request-Id`) and one log line, without headers and query, which contain
 * keys, bearers and tokens.
 *
 * @param options.hasClientAddress whether the line of a refused request has the client's address
 */
export function logRequests(
  logger: Logger,
  options: { hasClientAddress?: boolean | undefined } = {},
): RequestHandler {
  // The line has only the fields below, so it skips the search for secret fields, which costs more
  // than the line. Its text is still searched.
  const lines = logger.child({}, { redact: [] });
  return (req, res, next) => {
    const startedAt = performance.now();
    req.id = chooseId(req.headers['x-request-id']);
    res.setHeader('X-Request-Id', req.id);
    req.logFailure = (error, message, fields) =>
      logger.error({ req: describe(req), err: error, ...fields }, message);
    res.once('close', () => {
      const line = {
        req: describe(req),
        res: { status: res.headersSent ? res.statusCode : null },
        responseTime: Math.round(performance.now() - startedAt),
        ...readCaller(res),
        ...describeRefusal(req, res, options),
      };
      lines[chooseLevel(req, res)](
        line,
        res.writableFinished ? 'request completed' : 'request aborted',
      );
    });
    next();
  };
}

/** Keeps the caller's request id, so that both logs can be correlated. */
const chooseId = (given: unknown): string => (isRequestId(given) ? given : randomUUID());

/**
 * Decodes the escapes that could hide a secret from the redaction. Redacts more characters than are
 * logged, so that a secret at the cut is still recognized.
 */
function readPath(req: Request): string {
  const path = req.originalUrl
    .slice(0, maxSearchedLength)
    .split('?', 1)[0]!
    .replace(/%(2d|5f|3\d|[46][1-9a-f]|[57][\da])/gi, decodeURIComponent);
  return path.length > maxPathLength ? redactSecrets(path).slice(0, maxPathLength) : path;
}

/** Fields of a refused request. */
function describeRefusal(
  req: Request,
  res: Response,
  { hasClientAddress = false }: { hasClientAddress?: boolean | undefined },
): object | undefined {
  const refusal = readRefusal(res);
  if (!refusal) return undefined;
  const hint = readHint(res);
  return {
    code: refusal.code,
    ...(refusal.reason === '' ? {} : { reason: refusal.reason }),
    route: readRoute(req),
    ...(hint === undefined ? {} : { hint }),
    // A trusted proxy can forward a value that is not an address.
    ...(hasClientAddress && isIP(req.ip ?? '') !== 0 && { client: req.ip }),
  };
}

const describe = (req: Request) => ({ id: req.id, method: req.method, path: readPath(req) });

function chooseLevel(req: Request, res: Response): Level {
  // A drain is intended, so it is not an error.
  if (readRefusal(res)?.code === 'draining') return 'debug';
  if (res.statusCode >= 500) return 'error';
  if (res.statusCode >= 400) return 'warn';
  return probes.has(req.originalUrl) ? 'debug' : 'info';
}
