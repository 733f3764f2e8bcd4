import { parseOptions } from '@portal-embed/contract';
import type { HostRequest, HostResponse } from '@portal-embed/contract';

import { answerMethodNotAllowed, answerRefusal, answerUrl, readRequestId } from './answer.ts';
import { HostConfigurationError, runCallback } from './callback.ts';
import { createConnect } from './connect.ts';
import { answerPreflight, createCorsHeaders, isPreflight } from './cors.ts';
import { isCrossSite } from './cross-site.ts';
import { beforeDeadline, limitTime } from './limit-time.ts';
import type { MintAnswer, MintRequest } from './mint-request.ts';
import { mintFor } from './mint.ts';
import { createObserver } from './observe.ts';
import type { Exchange } from './observe.ts';
import { mintOptionsSchema } from './options.ts';
import type { MintOptions, PortalUser } from './options.ts';
import { applyPolicy, readPolicy } from './policy.ts';
import { createProvisioner } from './provisioning.ts';
import { isSlow, parseHostRequest, requireJson } from './read-body.ts';
import { Refusal } from './refusal.ts';
import type { TenantInfo } from './tenant.ts';
import { createFindTenant } from './tenants.ts';
import type { FoundTenant } from './tenants.ts';
import { createUserRate } from './user-rate.ts';

/** What is known of a request while it is handled. */
interface Handling<User extends PortalUser> extends Omit<Exchange<User>, 'durationMs'> {
  corsHeaders: Record<string, string>;
}

interface Minted<User extends PortalUser> {
  url: HostResponse;
  tenant: TenantInfo;
  user: User;
  request: HostRequest;
}

/**
 * Creates the host endpoint for an adapter: from a framework's request, described as a
 * `MintRequest`, to an answer. It never rejects.
 *
 * @param caller the adapter's public function, for error messages
 * @throws TypeError if an option is missing, unknown or not valid; the message says what to fix.
 */
export function createMintHandler<User extends PortalUser, Context>(
  options: MintOptions<User, Context>,
  caller: string,
): (request: MintRequest<Context>) => Promise<MintAnswer> {
  const { limits } = parseOptions(mintOptionsSchema, options, caller);
  const { authorize = () => true } = options;
  const findTenant = createFindTenant(options.tenants, caller);
  const connect = createConnect(limits);
  const countMint = createUserRate(limits.mintsPerUserPerMinute);
  const createProvisioning = createProvisioner(options.provision, limits.timeoutMs);
  const observer = createObserver(options);

  async function findUser(context: Context, { hostName }: TenantInfo) {
    const found = await runCallback('user', async () => readUser(await options.user(context)));
    if (!found || !isSignedInAt(found.hostName, hostName)) throw new Refusal('not_signed_in');
    return found;
  }

  async function mint(
    request: MintRequest<Context>,
    { tenant: checked, info: tenant, portalOrigin }: FoundTenant,
    handling: Handling<User>,
    signal: AbortSignal,
  ): Promise<Minted<User>> {
    const { context } = request;
    const { requestId } = handling;
    const identify = async () => {
      const found = await beforeDeadline(findUser(context, tenant), signal, 'user');
      handling.user = found.user;
      return found;
    };
    // Before the body, so that requests without a user are refused unread.
    const first = await identify();
    await countMint(tenant.organizationId, first.userEmail);
    const reading = request.readBody();
    const isBodySlow = await isSlow(reading);
    const asked = parseHostRequest(await beforeDeadline(reading, signal, 'the body'));
    // The user may have signed out while the body was under way.
    const { user, userEmail } = isBodySlow ? await identify() : first;
    const decision = runCallback('authorize', async () =>
      readPolicy(await authorize({ user, tenant, request: asked, context })),
    );
    const granted = applyPolicy(asked, await beforeDeadline(decision, signal, 'authorize'));
    const connected = await beforeDeadline(connect(tenant.hostName, checked), signal, 'apiKey');
    const url = await mintFor({ ...connected, portalOrigin }, userEmail, granted, {
      signal,
      requestId,
      provisioning: createProvisioning(
        connected,
        { user, tenant, context },
        { signal, requestId, userEmail },
      ),
    });
    return { url, tenant, user, request: granted };
  }

  async function handle(
    request: MintRequest<Context>,
    handling: Handling<User>,
    startedAt: number,
  ): Promise<MintAnswer> {
    using time = limitTime(Math.max(0, limits.timeoutMs - (request.spentMs ?? 0)), {
      closed: request.signal,
    });
    const { signal } = time;
    const authority = request.readAuthority();
    const found = await beforeDeadline(findTenant(request.context, authority), signal, 'tenants');
    handling.tenant = found.info;
    handling.corsHeaders = createCorsHeaders(request, found.allowedOrigins);
    if (request.method === 'OPTIONS')
      return (
        answerPreflight(request, handling.corsHeaders) ?? answerMethodNotAllowed(handling.requestId)
      );
    if (isCrossSite(request, authority, found.allowedOrigins)) throw new Refusal('cross_site');
    requireJson(request);
    const { url, ...minted } = await mint(request, found, handling, signal);
    const { requestId } = handling;
    const durationMs = performance.now() - startedAt;
    observer.minted({ requestId, durationMs, expiresAt: url.expiresAt, ...minted });
    return answerUrl(url);
  }

  return async (request) => {
    const startedAt = performance.now();
    const requestId = readRequestId(request);
    const handling: Handling<User> = { requestId, corsHeaders: {} };
    const answer = async () => {
      if (request.method !== 'POST' && !isPreflight(request))
        return answerMethodNotAllowed(requestId);
      try {
        return await handle(request, handling, startedAt);
      } catch (error) {
        const refusal = toRefusal(error);
        const { corsHeaders: _, ...exchange } = handling;
        // A closed connection is not a failure to report.
        if (!request.signal.aborted || refusal !== error)
          observer.failed({ ...exchange, durationMs: performance.now() - startedAt }, error);
        return answerRefusal(refusal, requestId);
      }
    };
    const { headers, ...rest } = await answer();
    const common = { 'Cache-Control': 'no-store', 'X-Request-Id': requestId };
    return { ...rest, headers: { ...common, ...handling.corsHeaders, ...headers } };
  };
}

/** A browser can do as little about a failed callback as about a failed portal. */
function toRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal('portal_unavailable', { cause: error });
}

function readUser<User extends PortalUser>(user: User | null | undefined) {
  if (!user) return undefined;
  const { email: userEmail, hostName } = user;
  if (typeof userEmail !== 'string' || userEmail === '')
    throw new HostConfigurationError('user must return an object with an email, or null.');
  return { user, userEmail, hostName };
}

function isSignedInAt(hostName: unknown, current: string): boolean {
  if (hostName === undefined) return true;
  // A token may hold any value. Only a string can match.
  return typeof hostName === 'string' && hostName.toLowerCase().replace(/\.$/, '') === current;
}
