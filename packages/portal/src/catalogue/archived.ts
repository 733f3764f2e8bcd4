import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import { PortalError } from '../errors.ts';
import type { ItemReference } from './apply-store.ts';
import * as store from './archived-store.ts';
import { includesWorkspace, readAuthoring, requireRight, type Authoring } from './authoring.ts';
import { adminPageSize } from './managed-reports-store.ts';

export type { ArchivedRow, ItemRow } from './archived-store.ts';

/** Lists archived reports that the caller may arrange and, for administrators, archived datasets. */
export async function findArchived(ctx: Context, filter: { page: number; search: string }) {
  const { isAdministrator, canEdit, workspaceIds } = await readAuthoring(ctx);
  const found = await store.listArchived(ctx.db, ctx.organizationId, {
    ...filter,
    pageSize: adminPageSize,
    workspaceIds,
    withDatasets: isAdministrator,
  });
  return { ...found, canRestore: canEdit };
}

/**
 * Finds an item that the caller may archive, restore or change.
 *
 * @throws `not_found`, also outside the workspaces of the caller; `missing_permission`
 */
export async function requireItem(
  ctx: Context,
  item: ItemReference,
  right: 'canCreate' | 'canEdit' = 'canEdit',
): Promise<{ item: store.ItemRow; authoring: Authoring }> {
  const authoring = await readAuthoring(ctx);
  if (item.kind === 'dataset') requireAdministrator(ctx);
  const found = await store.findItem(ctx.db, ctx.organizationId, item);
  const isVisible =
    found && (found.workspaceId === null || includesWorkspace(authoring, found.workspaceId));
  if (!isVisible)
    throw new PortalError('not_found', `This ${item.kind} does not exist. Load the page again.`);
  requireRight(authoring, right);
  return { item: found, authoring };
}

/**
 * Requires that an item is written here and not archived.
 *
 * @throws `invalid_request`
 */
export function requireWritten(item: store.ItemRow): asserts item is store.ItemRow & {
  slug: string;
} {
  if (item.isArchived)
    throw new PortalError('invalid_request', `This ${item.kind} is archived. Restore it first.`);
  if (item.slug === null)
    throw new PortalError(
      'invalid_request',
      `This ${item.kind} belongs to another product. Change it there.`,
    );
}
