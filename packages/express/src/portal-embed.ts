import type { PortalUser } from '@portal-embed/host';
import { createMintHandler, readJson } from '@portal-embed/host/adapter';
import type { MintAnswer, MintRequest } from '@portal-embed/host/adapter';
import type { Request, RequestHandler, Response } from 'express';

import { toMintOptions } from './options.ts';
import type { PortalEmbedOptions } from './options.ts';
import { readAuthority } from './read-authority.ts';
import { readSpentMs } from './spent-time.ts';

/**
 * Express middleware that answers `POST {mount}/url` with a single-use portal URL for the user of
 * the current session, and preflight requests of the tenant's `allowedOrigins`. Mount it with
 * `app.use('/portal-embed', portalEmbed({ … }))`, after the session.
 *
 * Every failure is answered with a problem of the closed union `HostErrorCode`, and a compressed body
 * with `unsupported_media_type`. A callback that throws is answered with `portal_unavailable`; its
 * error goes to `onError` and, without its text, to `logger`, or is printed where there is neither.
 *
 * A session that an earlier middleware has read is not read again after a slow body. To re-check the
 * session then, mount `express.json({ inflate: false })` before it.
 *
 * @throws TypeError if an option is missing, unknown or not valid; the message says what to fix.
 */
export function portalEmbed<User extends PortalUser>(
  options: PortalEmbedOptions<User>,
): RequestHandler {
  const handle = createMintHandler(options && toMintOptions(options), 'portalEmbed');

  async function respond(req: Request, res: Response) {
    const closed = new AbortController();
    const abort = () => closed.abort();
    if (res.destroyed) abort();
    res.once('close', abort);
    const answer = await handle(describeRequest(req, res, closed.signal));
    res.off('close', abort);
    // A time limit of the application may have answered already.
    if (!res.headersSent && !res.destroyed) send(res, answer);
  }

  return async (req, res, next) => {
    if (req.path !== '/url') {
      next();
      return;
    }
    try {
      await respond(req, res);
    } catch (error) {
      next(error);
    }
  };
}

const describeRequest = (
  req: Request,
  res: Response,
  signal: AbortSignal,
): MintRequest<Request> => {
  const header = (name: string) => {
    const value = req.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  return {
    method: req.method,
    header,
    signal,
    // pino-http and others keep the request's id here.
    id: (req as { id?: unknown }).id,
    spentMs: readSpentMs(res),
    context: req,
    readAuthority: () => readAuthority(req),
    readBody: async () =>
      req.readableEnded ? ((req.body ?? undefined) as unknown) : readJson(req, header),
  };
};

function send(res: Response, { status, headers, body }: MintAnswer): void {
  const { Vary: vary, ...rest } = headers;
  res.status(status).set(rest);
  // Earlier middleware may have set it, too.
  if (vary !== undefined) res.vary(vary);
  res.end(body);
}
