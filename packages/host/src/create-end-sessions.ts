import { PortalApiError } from '@portal-embed/client';
import type { CallOptions } from '@portal-embed/client';

import type { AddressedRequest } from './adapter-request.ts';
import { readRequestId } from './answer.ts';
import type { ConnectedTenant } from './connect.ts';
import { beforeDeadline, limitTime } from './limit-time.ts';
import type { Limits } from './limits.ts';
import type { Observer } from './observe.ts';
import type { PortalUser } from './options.ts';
import { refuseFailedCall, toCallRefusal, toRefusal } from './refusal.ts';
import type { RefusalCode } from './refusal.ts';
import { requireSignedIn } from './signed-in-user.ts';
import type { Tenant, TenantInfo } from './tenant.ts';
import type { FindTenant } from './tenants.ts';

/** What became of a user's portal sessions. */
export type EndSessionsResult =
  /** No session and no unused URL is left. */
  | { status: 'ended' }
  /** The portal does not know the user, so there was nothing to end. */
  | { status: 'unknown_user' }
  /** The portal cannot end sessions. They end by its own time limits. */
  | { status: 'unsupported' }
  /** The sessions may be open. `detail` says what to do and holds no secret. */
  | { status: 'failed'; code: RefusalCode; detail: string };

type Answered = Exclude<EndSessionsResult['status'], 'failed'>;

/**
 * Creates the end of a user's portal sessions. It never rejects, so that a sign-out goes on without
 * the portal. It also goes on after the browser has closed the connection.
 */
export function createEndSessions<Context>({
  findTenant,
  connect,
  observer,
  limits,
}: {
  findTenant: FindTenant<Context>;
  connect: (hostName: string, tenant: Tenant) => Promise<ConnectedTenant>;
  observer: Pick<Observer<never>, 'sessionsEnded' | 'failed'>;
  limits: Limits;
}): (user: PortalUser, request: AddressedRequest<Context>) => Promise<EndSessionsResult> {
  return async (user, request) => {
    const startedAt = performance.now();
    const requestId = readRequestId(request);
    let tenant: TenantInfo | undefined;
    const exchange = () => ({ requestId, tenant, durationMs: performance.now() - startedAt });
    using time = limitTime(limits.timeoutMs);
    const { signal } = time;
    try {
      const finding = findTenant(request.context, request.readAuthority());
      const { tenant: checked, info } = await beforeDeadline(finding, signal, 'tenants');
      tenant = info;
      const { userEmail } = requireSignedIn(user, info.hostName);
      const connected = await beforeDeadline(connect(info.hostName, checked), signal, 'apiKey');
      const status = await endSessions(connected, userEmail, { signal, requestId });
      observer.sessionsEnded(exchange(), status);
      return { status };
    } catch (error) {
      observer.failed(exchange(), error, 'portal sign-out');
      const { code, message: detail } = toRefusal(error);
      return { status: 'failed', code, detail };
    }
  };
}

async function endSessions(
  { client, gate }: ConnectedTenant,
  userEmail: string,
  options: CallOptions & { signal: AbortSignal },
): Promise<Answered> {
  try {
    await gate.run(() => client.identity.endSessions({ userEmail }, options), options.signal);
    return 'ended';
  } catch (error) {
    const answered = error instanceof PortalApiError ? explainAnswer(error) : undefined;
    if (answered) return answered;
    throw refuseFailedCall(error, options.signal, toCallRefusal);
  }
}

/**
 * Only a portal with this endpoint answers `user_not_found`. Any other 404 comes from a portal that
 * lacks it, and so does a 405 of another endpoint that the address matches.
 */
function explainAnswer({ code, errors = [] }: PortalApiError): Answered | undefined {
  if (code === 'not_found' || code === 'method_not_allowed') return 'unsupported';
  const isNoEmail = errors.some(({ path }) => path === 'userEmail');
  return code === 'user_not_found' || isNoEmail ? 'unknown_user' : undefined;
}
