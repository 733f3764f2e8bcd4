import type { EndSessionsResult, PortalUser } from '@portal-embed/host';
import { createHostEndpoint, HostConfigurationError, readJson } from '@portal-embed/host/adapter';
import type {
  AddressedRequest,
  HostEndpoint,
  MintAnswer,
  MintRequest,
} from '@portal-embed/host/adapter';
import type { Request, RequestHandler, Response } from 'express';

import { toMintOptions } from './options.ts';
import type { PortalEmbedOptions } from './options.ts';
import { readAuthority } from './read-authority.ts';
import { readSpentMs } from './spent-time.ts';

/** The middleware, and what a sign-out calls. */
export interface PortalEmbedHandler extends RequestHandler {
  /**
   * Ends the portal sessions and unused URLs of a user who signs out, at the tenant of the request.
   * Take the user from the session, and destroy the session first, so that it can mint no URL
   * afterwards. It never rejects: the result says whether it worked. The deadline is
   * `limits.timeoutMs`.
   */
  endSessions: (user: PortalUser, req: Request) => Promise<EndSessionsResult>;
}

/**
 * Express middleware that answers `POST {mount}/url` with an identity URL for the user of
 * the current session, and preflight requests of the tenant's `allowedOrigins`. With
 * `allowOpen`, it also answers `GET {mount}/open?reportId=…`: it sends a browser tab on to such a URL,
 * or shows a page that says why not. Mount it with `app.use('/portal-embed', portalEmbed({ … }))`,
 * after the session.
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
): PortalEmbedHandler {
  const endpoint = createHostEndpoint(options && toMintOptions(options), 'portalEmbed');
  const handlers = new Map([['/url', endpoint.mint]]);
  if (options.allowOpen) handlers.set('/open', endpoint.open);

  const handleRequest: RequestHandler = async (req, res, next) => {
    const handle = handlers.get(req.path);
    if (!handle) {
      next();
      return;
    }
    try {
      await respond(handle, req, res);
    } catch (error) {
      next(error);
    }
  };
  return Object.assign(handleRequest, {
    endSessions: (user: PortalUser, req: Request) =>
      endpoint.endSessions(user, describeAddress(req)),
  });
}

async function respond(handle: HostEndpoint<Request>['mint'], req: Request, res: Response) {
  const closed = new AbortController();
  const abort = () => closed.abort();
  if (res.destroyed) abort();
  res.once('close', abort);
  const answer = await handle(describeRequest(req, res, closed.signal));
  res.off('close', abort);
  // A time limit of the application may have answered already.
  if (!res.headersSent && !res.destroyed) send(res, answer);
}

const describeAddress = (req: Request): AddressedRequest<Request> => ({
  header: (name) => {
    const value = req.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  },
  // pino-http and others keep the request's id here.
  id: (req as { id?: unknown }).id,
  context: req,
  readAuthority: () => readAuthority(req),
});

const describeRequest = (
  req: Request,
  res: Response,
  signal: AbortSignal,
): MintRequest<Request> => {
  const address = describeAddress(req);
  return {
    ...address,
    method: req.method,
    // Not `req.query`, whose parser the application chooses.
    search: /\?.*/.exec(req.url)?.[0] ?? '',
    signal,
    spentMs: readSpentMs(res),
    readBody: async () => {
      if (!req.readableEnded) return readJson(req, address.header);
      if (req.body === undefined && hasBody(req))
        throw new HostConfigurationError(
          'Earlier middleware has read the body without setting `req.body`. Set it, or mount portalEmbed first.',
        );
      return (req.body ?? undefined) as unknown;
    },
  };
};

const hasBody = ({ headers }: Request) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function send(res: Response, { status, headers, body }: MintAnswer): void {
  const { Vary: vary, ...rest } = headers;
  res.status(status).set(rest);
  // Earlier middleware may have set it, too.
  if (vary !== undefined) res.vary(vary);
  res.end(body);
}
