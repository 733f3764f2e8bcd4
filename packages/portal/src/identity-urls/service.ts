import {
  resolveDisplayFlags,
  type EndpointRequest,
  type SessionRequiredReason,
} from '@portal-embed/contract';

import { toActorColumns, type Context } from '../actor/actor.ts';
import { requirePermission } from '../actor/permissions.ts';
import { invalidApiKey } from '../api-keys/authenticate.ts';
import type { Database } from '../db/connection/open.ts';
import { retryConflicts } from '../db/query/conflicts.ts';
import { PortalError } from '../errors.ts';
import { parseOrigin } from '../organizations/origins.ts';
import { createToken, createViewToken, isToken, isViewToken, sha256 } from '../secrets.ts';
import { throwUnknownUser } from '../users/service.ts';
import * as store from './store.ts';

export interface MintedUrl {
  token: string;
  address: string;
  organizationId: string;
  reportId: string | undefined;
  expiresAt: Date;
}

/** Mints a URL that opens the portal once, within five minutes, as the named user. */
export async function mintIdentityUrl(
  ctx: Context,
  input: EndpointRequest<'mintIdentityUrl'>,
): Promise<MintedUrl> {
  requirePermission(ctx, 'mintIdentityUrl');
  const { organizationId } = ctx;
  if (input.organizationId && input.organizationId !== organizationId)
    throw new PortalError(
      'organization_mismatch',
      'This API key does not belong to the organization organizationId. Use a key of that organization.',
    );
  const token = createToken();
  const address = input.baseUrl === undefined ? ctx.publicUrl : parseOrigin(input.baseUrl);
  const outcome = await store.mint(ctx.db, {
    tokenHash: sha256(token),
    organizationId,
    ...toActorColumns(ctx.actor),
    userEmail: input.userEmail,
    address: address ?? '',
    ownAddress: address === ctx.publicUrl,
    reportId: input.reportId,
    flags: resolveDisplayFlags(input),
    customFilters: input.customFilters ?? [],
  });
  // The context may come from the key cache. `recordRefusal`, which runs this, then looks the key up
  // again and logs the attempt.
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
      { errors: [{ path: 'baseUrl', message }] },
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
    `The user ${input.userEmail} may not open this report, or the report does not exist. Grant access with PUT /api/user/link-reports.`,
  );
}

export type Redemption =
  | ({ bearer: string } & store.OpenedSession)
  | {
      refused: Extract<SessionRequiredReason, 'used' | 'expired' | 'unknown'>;
      organizationId?: string;
      isViewedAs?: boolean;
    };

/**
 * Redeems an identity URL at its address, and opens its session.
 *
 * @param request.embedOrigin for a page that is in a frame already: the origin that embeds it
 * @throws `embed_origin_refused` if the organization does not list the origin; the URL stays unused
 */
export async function redeemIdentityUrl(
  db: Database,
  request: {
    token: unknown;
    address: string;
    embedOrigin?: string | undefined;
    /** Names of the platforms that show frames. Default: none. */
    framed?: readonly string[];
  },
): Promise<Redemption> {
  const { token, address, embedOrigin = null, framed = [] } = request;
  const isView = isViewToken(token);
  if (!isView && !isToken(token)) return { refused: 'unknown' };
  const tokenHash = sha256(token);
  const bearer = isView ? createViewToken() : createToken();
  const bearerHash = sha256(bearer);
  // If the user is deleted concurrently, the URL is deleted too and unknown.
  const opened = await retryConflicts(() =>
    store.redeem(db, { tokenHash, address, embedOrigin, bearerHash, framed }),
  );
  if (opened) return { bearer, ...opened };
  const refusal = await store.findRefusal(db, { tokenHash, address, embedOrigin });
  if (refusal?.reason === 'origin')
    throw new PortalError(
      'embed_origin_refused',
      `${embedOrigin} is not an embed origin of this organization. Register it with \`portal organizations set-embed-origins\`.`,
    );
  return refusal
    ? {
        refused: refusal.reason,
        organizationId: refusal.organizationId,
        isViewedAs: refusal.isViewedAs,
      }
    : { refused: 'unknown' };
}
