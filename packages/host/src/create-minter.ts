import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

import { parseOptions } from '@portal-embed/contract';
import { z } from 'zod';

import type { MintAnswer, MintRequest } from './adapter-request.ts';
import { parseAuthority } from './authority.ts';
import { CallbackFailure, HostConfigurationError, runCallback } from './callback.ts';
import type { EndSessionsResult } from './create-end-sessions.ts';
import { createHostEndpoint } from './create-host-endpoint.ts';
import { isCrossSite as isCrossSiteRequest } from './cross-site.ts';
import { optionalFunction } from './options.ts';
import type { MintOptions, PortalUser } from './options.ts';
import { readJson, requireUncompressed } from './read-body.ts';

export interface MinterOptions<User extends PortalUser, Context> extends MintOptions<
  User,
  Context
> {
  /**
   * Returns the origin at which the browser sees your application, such as
   * `https://acme.app.example`. Its host name selects the tenant. Take it from where your framework
   * or your proxy guarantees it, never from a header that any client can set. Default: the origin of
   * the request's URL; the request is refused if its `Host` header names another host.
   */
  origin?: ((context: Context) => string | null | undefined) | undefined;
  /**
   * Returns the body that the framework has already parsed, for example `(request) => request.body`
   * on Fastify. It is called once the user is known. Default: the body of the request is read, 256 kB
   * at most.
   */
  body?: ((context: Context) => unknown) | undefined;
}

type ContextArgument<Context> = Request extends Context ? [context?: Context] : [context: Context];

/**
 * The host endpoint. The last argument of each function is the framework's own request, which the
 * callbacks receive; without it they receive the web request. None of them rejects.
 */
export interface Minter<Context> {
  /** Answers `POST /portal-embed/url`. */
  (request: Request, ...context: ContextArgument<Context>): Promise<Response>;
  /**
   * Answers `GET /portal-embed/open?reportId=…`: sends a browser tab on to a fresh URL, or shows a
   * page that says why not. Needs the option `allowOpen`.
   */
  open: (request: Request, ...context: ContextArgument<Context>) => Promise<Response>;
  /**
   * Ends the portal sessions and unused URLs of a user who signs out, at the tenant of the request.
   * Take the user from the session, and destroy the session first, so that it can mint no URL
   * afterwards. The result says whether it worked; the deadline is `limits.timeoutMs`.
   */
  endSessions: (
    user: PortalUser,
    request: Request,
    ...context: ContextArgument<Context>
  ) => Promise<EndSessionsResult>;
}

const ownOptions = z.object(
  { origin: optionalFunction, body: optionalFunction },
  'needs an object with tenants and user',
);

/**
 * Creates a function that answers `POST /portal-embed/url` with an identity URL for the user
 * of the current session: from a web `Request` to a `Response`. It answers preflight requests
 * (`OPTIONS`) as well, and any other method with 405. Create it once and keep it: it holds the
 * connections to the portals.
 *
 * Every failure is answered with a problem of the closed union `HostErrorCode`, and a compressed body
 * with `unsupported_media_type`. A callback that throws is answered with `portal_unavailable`; its
 * error goes to `onError` and, without its text, to `logger`, or is printed where there is neither.
 *
 * @throws TypeError if an option is missing, unknown or not valid; the message says what to fix.
 */
export function createMinter<User extends PortalUser, Context = Request>(
  options: MinterOptions<User, Context>,
): Minter<Context> {
  parseOptions(ownOptions, options, 'createMinter');
  const { origin, body, ...rest } = options;
  const endpoint = createHostEndpoint<User, Context>(rest, 'createMinter');

  function describe(request: Request, context: Context): MintRequest<Context> {
    const header = createHeaderReader(request);
    return {
      method: request.method,
      search: parseUrl(request.url)?.search ?? '',
      header,
      signal: request.signal,
      context,
      readAuthority() {
        try {
          return origin ? parseOrigin(origin(context)) : readAuthority(request);
        } catch (error) {
          throw new CallbackFailure('origin', error);
        }
      },
      async readBody() {
        requireUncompressed({ header });
        if (body) return runCallback('body', () => body(context));
        if (request.bodyUsed)
          throw new HostConfigurationError(
            'The body was read before the mint. Return it from the option `body`.',
          );
        if (request.body === null) return undefined;
        const bytes = Readable.fromWeb(request.body as ReadableStream<Uint8Array>);
        // A client that gives up after its body was read must not crash the process.
        bytes.on('error', () => {});
        return readJson(bytes, header);
      },
    };
  }

  const answerWith =
    (handle: (described: MintRequest<Context>) => Promise<MintAnswer>): Minter<Context>['open'] =>
    async (request, ...[context = request as Context]) => {
      const { status, headers, body: text } = await handle(describe(request, context));
      return new Response(text || null, { status, headers });
    };
  return Object.assign(answerWith(endpoint.mint), {
    open: answerWith(endpoint.open),
    endSessions: (
      user: PortalUser,
      request: Request,
      ...[context = request as Context]: ContextArgument<Context>
    ) => endpoint.endSessions(user, describe(request, context)),
  });
}

const createHeaderReader = (request: Request) => (name: string) =>
  request.headers.get(name) ?? undefined;

/** Reads an origin as strictly as the header `Host`, without a URL parser's corrections. */
function parseOrigin(origin: unknown) {
  const { protocol, host } =
    /^(?<protocol>https?):\/\/(?<host>[^/]+)\/?$/.exec(String(origin))?.groups ?? {};
  return host === undefined ? undefined : parseAuthority(protocol!, host);
}

/** Some servers build the URL from the header `Host`, which a client can set to any text. */
const parseUrl = (url: string) => (URL.canParse(url) ? new URL(url) : undefined);

/** A request whose URL and header `Host` differ names two hosts, so it has no authority. */
function readAuthority({ url, headers }: Request) {
  const parsed = parseUrl(url);
  if (!parsed) return undefined;
  const { protocol, origin } = parsed;
  const authority = parseOrigin(origin);
  const host = headers.get('host');
  if (host === null) return authority;
  const named = parseAuthority(protocol.replace(':', ''), host);
  return named?.origin === authority?.origin ? authority : undefined;
}

/**
 * Whether a page of another site may have sent the request. Use it for your own forms, such as the
 * sign-in, as the host endpoint does for itself.
 *
 * @param options.allowedOrigins other origins whose pages may send the request. Default: none
 * @param options.origin the origin of your application. Default: the origin of the request's URL
 */
export const isCrossSite = (
  request: Request,
  { allowedOrigins, origin }: { allowedOrigins?: ReadonlySet<string>; origin?: string } = {},
): boolean =>
  isCrossSiteRequest(
    { header: createHeaderReader(request) },
    origin === undefined ? readAuthority(request) : parseOrigin(origin),
    allowedOrigins,
  );
