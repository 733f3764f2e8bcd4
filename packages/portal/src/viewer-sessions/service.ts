import type { EndpointRequest } from '@portal-embed/contract';

import { recordChange } from '../activity-log/service.ts';
import type { Context } from '../actor/actor.ts';
import { requireOperator, requirePermission } from '../actor/permissions.ts';
import type { Database } from '../db/connection/open.ts';
import { PortalError } from '../errors.ts';
import { isToken, isViewToken, sha256 } from '../secrets.ts';
import { throwUnknownUser } from '../users/service.ts';
import { lockUser } from '../users/store.ts';
import type { Session } from './session.ts';
import * as store from './store.ts';

/**
 * Finds the live session of a bearer.
 *
 * @throws `session_required` if there is none at this address
 */
export async function requireSession(
  db: Database,
  request: { bearer: unknown; address: string },
): Promise<Session> {
  const { bearer, address } = request;
  const bearerHash = isToken(bearer) || isViewToken(bearer) ? sha256(bearer) : undefined;
  const session = bearerHash && (await store.findLiveSession(db, { bearerHash, address }));
  if (!session) throw sessionEnded();
  return session;
}

export const sessionEnded = (): PortalError =>
  new PortalError(
    'session_required',
    'This portal session has ended. Reload the page that shows the portal.',
  );

/** Ends a user's sessions and unused URLs, for example when they sign out of the host application. */
export async function endSessions(
  ctx: Context,
  input: EndpointRequest<'endSessions'>,
): Promise<{ urls: number; sessions: number }> {
  requirePermission(ctx, 'endSessions');
  const { userEmail } = input;
  const details = { urls: 0, sessions: 0 };
  const activity = { action: 'endSessions', subject: userEmail, details } as const;
  return recordChange(ctx, activity, async (transaction) => {
    const userId =
      (await lockUser(transaction, ctx.organizationId, userEmail)) ??
      throwUnknownUser(userEmail, 'Check the e-mail.');
    return Object.assign(details, await store.endSessions(transaction, ctx.organizationId, userId));
  });
}

/** Counts open sessions and unused URLs of earlier releases, which did not store the key. */
export function countKeylessSessions(ctx: Context): Promise<number> {
  requireOperator(ctx);
  return store.countKeyless(ctx.db, ctx.organizationId);
}

/** Lists the organization's open sessions, newest first. */
export function listSessions(
  ctx: Context,
  filter: { userEmail?: string | undefined; limit: number },
): Promise<store.ListedSessionRow[]> {
  requireOperator(ctx);
  return store.listLiveSessions(ctx.db, ctx.organizationId, filter);
}
