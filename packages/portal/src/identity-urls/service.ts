import {
  resolveDisplayFlags,
  type EndpointRequest,
  type SessionRequiredReason,
} from '@portal-embed/contract';

import { recordChange } from '../activity-log/service.ts';
import { invalidApiKey } from '../api-keys/service.ts';
import { requireOperator, requirePermission, type Context } from '../context.ts';
import type { Database } from '../db/connection/open.ts';
import { retryConflicts } from '../db/query/conflicts.ts';
import { PortalError } from '../errors.ts';
import { parseOrigin } from '../organizations/origins.ts';
import { isToken, newToken, sha256 } from '../secrets.ts';
import { throwUnknownUser } from '../users/service.ts';
import { lockUser } from '../users/store.ts';
import * as store from './store.ts';

export interface MintedUrl {
  token: string;
  address: string;
  organizationId: string;
  reportId: string | undefined;
  expiresAt: Date;
}

/** Issues a URL that opens the portal once, within five minutes, as the named user. */
export async function mintIdentityUrl(
  ctx: Context,
  input: EndpointRequest<'mintIdentityUrl'>,
): Promise<MintedUrl> {
  requirePermission(ctx, 'identity:mint');
  const { organizationId } = ctx;
  if (input.organizationId && input.organizationId.toLowerCase() !== organizationId)
    throw new PortalError(
      'organization_mismatch',
      'This API key does not belong to the organization organizationId. Use a key of that organization.',
    );
  const token = newToken();
  const address = input.baseUrl === undefined ? ctx.publicUrl : parseOrigin(input.baseUrl);
  const outcome = await store.mint(ctx.db, {
    tokenHash: sha256(token),
    organizationId,
    apiKeyId: ctx.apiKeyId,
    operator: ctx.operator,
    userEmail: input.userEmail,
    address: address ?? '',
    ownAddress: address === ctx.publicUrl,
    reportId: input.reportId,
    flags: resolveDisplayFlags(input),
    customFilters: input.customFilters ?? [],
  });
  // The key may have been recalled rather than looked up: see `rememberApiKeys`.
  if (!outcome.key_live) throw invalidApiKey();
  if (!outcome.expires_at || !address) throw explainRefusal(outcome, input);
  return {
    token,
    address,
    organizationId,
    reportId: input.reportId,
    expiresAt: outcome.expires_at,
  };
}

function explainRefusal(
  outcome: store.MintOutcome,
  input: EndpointRequest<'mintIdentityUrl'>,
): PortalError {
  if (!outcome.address_known) {
    const message = 'is not a registered portal address of this organization';
    return new PortalError(
      'invalid_request',
      `baseUrl ${message}. Register the address, or leave baseUrl out.`,
      [{ path: 'baseUrl', message }],
    );
  }
  if (!outcome.user_found) return throwUnknownUser(input.userEmail, 'Create the user first.');
  if (outcome.user_expired)
    return new PortalError(
      'user_expired',
      `The user ${input.userEmail} has expired. Extend the user's expiration date.`,
    );
  return new PortalError(
    'report_not_accessible',
    `The user ${input.userEmail} may not open this report, or there is no such report. Grant access with PUT /api/user/link-reports.`,
  );
}

/** A session as whoever holds its bearer may use it. */
export interface Session extends store.LiveSessionRow {
  bearerHash: Buffer;
}

export type Redemption =
  | { bearer: string; session: Session & store.OpenedSessionRow }
  | {
      refused: Extract<SessionRequiredReason, 'used' | 'expired' | 'unknown'>;
      organizationId?: string;
    };

/** Opens the session of an identity URL, at the address that it was minted for, once. */
export async function redeemIdentityUrl(
  db: Database,
  request: { token: unknown; address: string },
): Promise<Redemption> {
  const { token, address } = request;
  if (!isToken(token)) return { refused: 'unknown' };
  const tokenHash = sha256(token);
  const bearer = newToken();
  const bearerHash = sha256(bearer);
  // The user may be deleted at this moment: then the URL went with them, and is unknown.
  const session = await retryConflicts(() => store.redeem(db, { tokenHash, address, bearerHash }));
  if (session) return { bearer, session: { ...session, bearerHash } };
  const refusal = await store.findRefusal(db, { tokenHash, address });
  return refusal
    ? { refused: refusal.reason, organizationId: refusal.organization_id }
    : { refused: 'unknown' };
}

/** @throws `session_required` when the bearer opens no session at this address any more. */
export async function requireSession(
  db: Database,
  request: { bearer: unknown; address: string },
): Promise<Session> {
  const { bearer, address } = request;
  const bearerHash = isToken(bearer) ? sha256(bearer) : undefined;
  const session = bearerHash && (await store.findLiveSession(db, { bearerHash, address }));
  if (session) return { ...session, bearerHash };
  throw sessionEnded();
}

export const sessionEnded = (): PortalError =>
  new PortalError(
    'session_required',
    'This portal session has ended. Reload the page that shows the portal.',
  );

/** Ends a user's sessions and unspent URLs, for example when they sign out of the host application. */
export async function endSessions(
  ctx: Context,
  input: EndpointRequest<'endSessions'>,
): Promise<{ urls: number; sessions: number }> {
  requirePermission(ctx, 'identity:mint');
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

/** Counts open sessions and unspent URLs without a key, from earlier releases. */
export function countKeylessSessions(ctx: Context): Promise<number> {
  requireOperator(ctx);
  return store.countKeyless(ctx.db, ctx.organizationId);
}

/** The organization's open sessions, newest first. */
export function listSessions(
  ctx: Context,
  filter: { userEmail?: string | undefined; limit: number },
): Promise<store.ListedSessionRow[]> {
  requireOperator(ctx);
  return store.listLiveSessions(ctx.db, ctx.organizationId, filter);
}
