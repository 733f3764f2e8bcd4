import type { EndpointRequest, PagedList } from '@portal-embed/contract';

import type { Context } from '../actor/actor.ts';
import { requireAdministrator, requireOperator, requirePermission } from '../actor/permissions.ts';
import { PortalError } from '../errors.ts';
import * as store from './roles-store.ts';

export function listRoles(
  ctx: Context,
  input: EndpointRequest<'listRlsRoles'>,
): Promise<PagedList<store.RoleRow>> {
  requirePermission(ctx, 'listRlsRoles');
  return store.listRoles(ctx.db, ctx.organizationId, input);
}

/** The first roles whose name or dataset contains a text. */
export function searchRoles(
  ctx: Context,
  filter: { search: string; limit: number },
): Promise<store.NamedRole[]> {
  requireAdministrator(ctx);
  return store.searchRoles(ctx.db, ctx.organizationId, filter);
}

/** Roles that members of a group have. */
export function listGroupRoles(ctx: Context, groupId: string): Promise<store.NamedRole[]> {
  requireAdministrator(ctx);
  return store.listGroupRoles(ctx.db, ctx.organizationId, groupId);
}

/**
 * Returns the role as the functions below name it.
 *
 * @throws `role_not_found`
 */
export async function requireRoleById(
  ctx: Context,
  id: string,
): Promise<{ datasetId: string; role: string }> {
  requireAdministrator(ctx);
  const found = await store.findRole(ctx.db, ctx.organizationId, id);
  if (found) return { datasetId: found.datasetId, role: found.name };
  throw new PortalError('role_not_found', 'This organization has no such role. Search for it.');
}

/** Lists the organization's datasets for an operator, who names them by slug or id. */
export function listRoleDatasets(ctx: Context): Promise<store.DatasetRow[]> {
  requireOperator(ctx);
  return store.listRoleDatasets(ctx.db, ctx.organizationId);
}

/** How messages name a dataset: its slug, or id and name of one of another product. */
export const nameDataset = ({ id, slug, name }: store.DatasetRow): string =>
  slug ?? `${id} (${name})`;

/**
 * Returns the id of the dataset with this slug or id.
 *
 * @throws `dataset_not_found`, which names the datasets
 */
export async function requireDataset(ctx: Context, reference: string): Promise<string> {
  const datasets = await listRoleDatasets(ctx);
  const found = datasets.find(({ id, slug }) => id === reference || slug === reference);
  if (found) return found.id;
  throw new PortalError(
    'dataset_not_found',
    `Unknown dataset "${reference}". ${
      datasets.length === 0
        ? 'This organization has no datasets.'
        : `Datasets: ${datasets.map(nameDataset).join(', ')}.`
    }`,
  );
}
