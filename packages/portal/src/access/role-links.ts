import type { EndpointRequest } from '@portal-embed/contract';

import { recordChange, type Action } from '../activity-log/service.ts';
import type { Context } from '../actor/actor.ts';
import { requirePermission } from '../actor/permissions.ts';
import type { Database } from '../db/connection/open.ts';
import { emailKey } from '../db/query/filters.ts';
import { deleteLinks, insertLinks } from '../db/query/links.ts';
import { PortalError } from '../errors.ts';
import { lockGroups } from '../groups/store.ts';
import { requireAll } from '../references.ts';
import { lockUsers } from '../users/store.ts';
import { lockRole } from './roles-store.ts';

type UserLinks = EndpointRequest<'linkRlsUsers'>;
type GroupLinks = EndpointRequest<'linkRlsGroups'>;

export async function linkUsers(ctx: Context, input: UserLinks): Promise<void> {
  requirePermission(ctx, 'linkRlsUsers');
  await changeUserLinks(ctx, input, 'linkRlsUsers', insertLinks);
}

export async function unlinkUsers(ctx: Context, input: UserLinks): Promise<void> {
  requirePermission(ctx, 'unlinkRlsUsers');
  await changeUserLinks(ctx, input, 'unlinkRlsUsers', deleteLinks);
}

export async function linkGroups(ctx: Context, input: GroupLinks): Promise<void> {
  requirePermission(ctx, 'linkRlsGroups');
  await changeGroupLinks(ctx, input, 'linkRlsGroups', insertLinks);
}

export async function unlinkGroups(ctx: Context, input: GroupLinks): Promise<void> {
  requirePermission(ctx, 'unlinkRlsGroups');
  await changeGroupLinks(ctx, input, 'unlinkRlsGroups', deleteLinks);
}

async function changeUserLinks(
  ctx: Context,
  input: UserLinks,
  action: Action,
  change: typeof insertLinks,
): Promise<void> {
  const { organizationId } = ctx;
  const { role: subject, ...details } = input;
  await recordChange(ctx, { action, subject, details }, async (transaction) => {
    const role = await requireRole(transaction, organizationId, input);
    const users = await lockUsers(transaction, organizationId, input.usersEmails);
    requireAll('usersEmails', 'user', input.usersEmails, new Set(users.keys()));
    const ids = input.usersEmails.map((email) => users.get(emailKey(email))!);
    const members = { column: 'user_id', ids };
    await change(transaction, 'rls_role_users', organizationId, role, members);
  });
}

async function changeGroupLinks(
  ctx: Context,
  input: GroupLinks,
  action: Action,
  change: typeof insertLinks,
): Promise<void> {
  const { organizationId } = ctx;
  const { role: subject, ...details } = input;
  await recordChange(ctx, { action, subject, details }, async (transaction) => {
    const role = await requireRole(transaction, organizationId, input);
    const found = await lockGroups(transaction, organizationId, input.groups);
    requireAll('groups', 'group', input.groups, found);
    const groups = { column: 'group_id', ids: input.groups };
    await change(transaction, 'rls_role_groups', organizationId, role, groups);
  });
}

async function requireRole(
  db: Database,
  organizationId: string,
  input: { datasetId: string; role: string },
): Promise<{ column: string; id: string }> {
  const id = await lockRole(db, organizationId, {
    datasetId: input.datasetId,
    name: input.role,
  });
  if (!id)
    throw new PortalError(
      'role_not_found',
      `The dataset ${input.datasetId} has no role named "${input.role}". GET /api/datasets/rls lists the roles.`,
    );
  return { column: 'role_id', id };
}
