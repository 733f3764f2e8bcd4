import { randomUUID } from 'node:crypto';

import { userRoles } from '@portal-embed/contract';

import type { AdminWorkspace } from '#admin/requests';

import { recordChange } from '../activity-log/service.ts';
import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import { deleteLinks, insertLinks } from '../db/query/links.ts';
import { PortalError } from '../errors.ts';
import { lockForChange } from '../organizations/store.ts';
import { includesWorkspace, readAuthoring } from './authoring.ts';
import { ensureWorkspace } from './store.ts';
import * as store from './workspaces-store.ts';

/** Lists the workspaces in which the caller may arrange reports. Administrators see contributors. */
export async function listWorkspaces(ctx: Context): Promise<AdminWorkspace[]> {
  const authoring = await readAuthoring(ctx);
  const all = await store.listWorkspaces(ctx.db, ctx.organizationId);
  const own = all.filter(({ id }) => includesWorkspace(authoring, id));
  if (authoring.isAdministrator) return own;
  return own.map(({ id, name, reports }) => ({ id, name, reports, contributors: [] }));
}

/** Creates a workspace and returns its id. */
export async function createWorkspace(ctx: Context, name: string): Promise<string> {
  requireAdministrator(ctx);
  const { organizationId } = ctx;
  const id = randomUUID();
  return recordChange(ctx, { action: 'createWorkspace', subject: name }, async (transaction) => {
    // Applying content creates workspaces under the same lock.
    await lockForChange(transaction, organizationId);
    if ((await ensureWorkspace(transaction, organizationId, { id, name })) === id) return id;
    throw new PortalError(
      'invalid_request',
      `The workspace "${name}" exists already. Choose another name.`,
    );
  });
}

/** Deletes a workspace without reports. */
export async function deleteWorkspace(ctx: Context, id: string): Promise<void> {
  requireAdministrator(ctx);
  const { organizationId } = ctx;
  const activity = { action: 'deleteWorkspace' as const, subject: id };
  await recordChange(ctx, activity, async (transaction) => {
    await lockForChange(transaction, organizationId);
    activity.subject = (await requireWorkspace(transaction, organizationId, id)).name;
    if (await store.hasReports(transaction, organizationId, id))
      throw new PortalError(
        'invalid_request',
        'This workspace has reports, possibly archived ones. Move them to another workspace first.',
      );
    await store.deleteWorkspace(transaction, organizationId, id);
  });
}

/** Adds a workspace contributor to a workspace, or removes them from it. */
export async function changeContributor(
  ctx: Context,
  input: { workspaceId: string; userId: string; isLinked: boolean },
): Promise<void> {
  requireAdministrator(ctx);
  const { organizationId } = ctx;
  const { workspaceId, userId, isLinked } = input;
  const activity = {
    action: 'changeContributor',
    subject: userId,
    details: { workspaceId, isLinked },
  } as const;
  await recordChange(ctx, activity, async (transaction) => {
    await requireWorkspace(transaction, organizationId, workspaceId);
    const user = await store.lockUserById(transaction, organizationId, userId);
    if (!user)
      throw new PortalError('user_not_found', 'This user does not exist. Choose another one.');
    if (isLinked && user.role !== userRoles.workspaceContributor)
      throw new PortalError(
        'invalid_request',
        `${user.email} is not a workspace contributor. Give the user that role first.`,
      );
    await (isLinked ? insertLinks : deleteLinks)(
      transaction,
      'workspace_contributors',
      organizationId,
      { column: 'workspace_id', id: workspaceId },
      { column: 'user_id', ids: [userId] },
    );
  });
}

/** Locks the workspace until the transaction ends. */
export async function requireWorkspace(
  db: Context['db'],
  organizationId: string,
  id: string,
): Promise<{ name: string }> {
  const workspace = await store.lockWorkspace(db, organizationId, id);
  if (workspace) return workspace;
  throw new PortalError('not_found', 'This workspace does not exist. Load the page again.');
}
