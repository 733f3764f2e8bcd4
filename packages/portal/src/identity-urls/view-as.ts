import type { ViewUrl } from '#admin/requests';

import { recordChange } from '../activity-log/service.ts';
import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import { PortalError } from '../errors.ts';
import { listAddresses } from '../organizations/store.ts';
import { createViewToken, sha256 } from '../secrets.ts';
import type { AdminSession } from '../sign-in/admin-session.ts';
import { requireUser } from '../users/service.ts';
import { insertViewUrl } from './view-as-store.ts';

/**
 * Mints a URL with which an administrator or operator views the portal, or one report, as a user, read
 * only. It opens once, within five minutes; its session ends with the sign-in.
 *
 * @throws `user_not_found`; `user_expired`; `report_not_accessible`
 */
export async function viewAs(
  ctx: Context,
  { id: sessionId, account }: AdminSession,
  { userId, reportId }: { userId: string; reportId?: string | undefined },
): Promise<ViewUrl> {
  requireAdministrator(ctx);
  const { organizationId, publicUrl } = ctx;
  const user = await requireUser(ctx, userId);
  const token = createViewToken();
  const [own] = await listAddresses(ctx.db, organizationId);
  const address = own ?? publicUrl;
  const actor = { sessionId, id: account.user?.id ?? account.id, email: account.email };
  const url = { tokenHash: sha256(token), organizationId, userId, reportId, address, actor };
  const activity = {
    action: 'viewAs',
    subject: user.email,
    ...(reportId !== undefined && { details: { reportId } }),
  } as const;
  await recordChange(ctx, activity, async (transaction) => {
    const { isExpired, isReadable } = await insertViewUrl(transaction, url);
    if (!isReadable)
      throw new PortalError(
        'report_not_accessible',
        `${user.email} may not open this report, or the report does not exist.`,
        { advice: 'Give them access first.' },
      );
    if (!isExpired) return;
    throw new PortalError('user_expired', `The access of ${user.email} has ended.`, {
      advice: 'Set a later end first.',
    });
  });
  return { url: `${address}/identity?token=${token}`, isFrameable: own !== undefined };
}
