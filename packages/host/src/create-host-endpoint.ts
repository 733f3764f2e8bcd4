import { parseOptions } from '@portal-embed/contract';
import type { HostRequest, HostResponse } from '@portal-embed/contract';

import type { AddressedRequest, MintAnswer, MintRequest } from './adapter-request.ts';
import { answerMethodNotAllowed, answerRefusal, answerUrl, readRequestId } from './answer.ts';
import { createConnect } from './connect.ts';
import { answerPreflight, createCorsHeaders, isPreflight } from './cors.ts';
import { createEndSessions } from './create-end-sessions.ts';
import type { EndSessionsResult } from './create-end-sessions.ts';
import { createGrantUrl } from './create-grant-url.ts';
import { isCrossSite } from './cross-site.ts';
import { beforeDeadline, limitTime } from './limit-time.ts';
import { parseOpenQuery, requireNavigation } from './navigation.ts';
import { createObserver } from './observe.ts';
import type { Exchange } from './observe.ts';
import { answerOpenMethodNotAllowed, answerOpenRefusal, answerRedirect } from './open-answer.ts';
import { mintOptionsSchema } from './options.ts';
import type { MintOptions, PortalUser } from './options.ts';
import { parseHostRequest, requireJson } from './read-body.ts';
import { Refusal, toRefusal } from './refusal.ts';
import { createFindTenant } from './tenants.ts';
import type { FoundTenant } from './tenants.ts';
import { createUserRate } from './user-rate.ts';
import type { CountMint } from './user-rate.ts';

/** What is known of a request while it is handled. */
interface Handling<User extends PortalUser> extends Omit<Exchange<User>, 'durationMs'> {
  startedAt: number;
  corsHeaders: Record<string, string>;
}

/** The host endpoint for an adapter. None of its functions rejects. */
export interface HostEndpoint<Context> {
  /** Answers `POST {mount}/url`, and its preflight requests. */
  mint: (request: MintRequest<Context>) => Promise<MintAnswer>;
  /** Answers `GET {mount}/open`. Without `allowOpen` it answers 404. */
  open: (request: MintRequest<Context>) => Promise<MintAnswer>;
  /** Ends the portal sessions of a user at the tenant of a request. */
  endSessions: (user: PortalUser, request: AddressedRequest<Context>) => Promise<EndSessionsResult>;
}

/**
 * Creates the host endpoint for an adapter, which describes the framework's request as a
 * `MintRequest` and sends the answer.
 *
 * @param caller the adapter's public function, for error messages
 * @throws TypeError if an option is missing, unknown or not valid; the message says what to fix.
 */
export function createHostEndpoint<User extends PortalUser, Context>(
  options: MintOptions<User, Context>,
  caller: string,
): HostEndpoint<Context> {
  const { limits, allowOpen } = parseOptions(mintOptionsSchema, options, caller);
  const findTenant = createFindTenant(options.tenants, caller);
  const connect = createConnect(limits);
  const observer = createObserver(options);
  const grantUrl = createGrantUrl(options, limits, connect);
  const countMint = createUserRate(limits.mintsPerUserPerMinute);
  // Any site can open links, and must not use up the mints of the user's page.
  const countOpened = createUserRate(limits.mintsPerUserPerMinute);

  const startTime = ({ spentMs = 0, signal }: MintRequest<Context>) =>
    limitTime(Math.max(0, limits.timeoutMs - spentMs), { closed: signal });

  async function find(
    { context }: MintRequest<Context>,
    authority: ReturnType<MintRequest<Context>['readAuthority']>,
    handling: Handling<User>,
    signal: AbortSignal,
  ): Promise<FoundTenant> {
    const found = await beforeDeadline(findTenant(context, authority), signal, 'tenants');
    handling.tenant = found.info;
    return found;
  }

  async function grant(
    { context }: MintRequest<Context>,
    found: FoundTenant,
    handling: Handling<User>,
    signal: AbortSignal,
    count: CountMint,
    readAsked: () => Promise<HostRequest>,
  ): Promise<HostResponse> {
    const { requestId, startedAt } = handling;
    const { url, ...granted } = await grantUrl({
      context,
      found,
      signal,
      requestId,
      countMint: count,
      readAsked,
      onUser: (user) => (handling.user = user),
    });
    const durationMs = performance.now() - startedAt;
    observer.minted({ requestId, durationMs, expiresAt: url.expiresAt, ...granted });
    return url;
  }

  async function mint(
    request: MintRequest<Context>,
    handling: Handling<User>,
  ): Promise<MintAnswer> {
    const { requestId } = handling;
    if (request.method !== 'POST' && !isPreflight(request))
      return answerMethodNotAllowed(requestId);
    using time = startTime(request);
    const { signal } = time;
    const authority = request.readAuthority();
    const found = await find(request, authority, handling, signal);
    handling.corsHeaders = createCorsHeaders(request, found.allowedOrigins);
    if (request.method === 'OPTIONS')
      return answerPreflight(request, handling.corsHeaders) ?? answerMethodNotAllowed(requestId);
    if (isCrossSite(request, authority, found.allowedOrigins)) throw new Refusal('cross_site');
    requireJson(request);
    const readAsked = async () => parseHostRequest(await request.readBody());
    return answerUrl(await grant(request, found, handling, signal, countMint, readAsked));
  }

  async function open(
    request: MintRequest<Context>,
    handling: Handling<User>,
  ): Promise<MintAnswer> {
    if (allowOpen !== true)
      throw new Refusal('not_found', {
        cause: new Error('Links that open a report are off. Set allowOpen: true.'),
      });
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return answerOpenMethodNotAllowed(handling.requestId);
    requireNavigation(request);
    using time = startTime(request);
    const { signal } = time;
    const found = await find(request, request.readAuthority(), handling, signal);
    const readAsked = async () => parseOpenQuery(request.search);
    const { embedUrl } = await grant(request, found, handling, signal, countOpened, readAsked);
    return answerRedirect(embedUrl);
  }

  const answerWith =
    (
      handle: typeof mint,
      answerError: (refusal: Refusal, requestId: string) => MintAnswer,
    ): ((request: MintRequest<Context>) => Promise<MintAnswer>) =>
    async (request) => {
      const requestId = readRequestId(request);
      const startedAt = performance.now();
      const handling: Handling<User> = { requestId, startedAt, corsHeaders: {} };
      const answer = async () => {
        try {
          return await handle(request, handling);
        } catch (error) {
          const refusal = toRefusal(error);
          const { corsHeaders: _, startedAt: __, ...exchange } = handling;
          // A closed connection is not a failure to report.
          if (!request.signal.aborted || refusal !== error)
            observer.failed({ ...exchange, durationMs: performance.now() - startedAt }, error);
          return answerError(refusal, requestId);
        }
      };
      const { headers, ...rest } = await answer();
      const common = { 'Cache-Control': 'no-store', 'X-Request-Id': requestId };
      return { ...rest, headers: { ...common, ...handling.corsHeaders, ...headers } };
    };

  return {
    mint: answerWith(mint, answerRefusal),
    open: answerWith(open, answerOpenRefusal),
    endSessions: createEndSessions({ findTenant, connect, observer, limits }),
  };
}
