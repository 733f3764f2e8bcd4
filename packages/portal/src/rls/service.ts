import { randomUUID } from 'node:crypto';

import type { EndpointRequest, PagedList } from '@portal-embed/contract';
import { flatPredicateSchema, rowPredicateSchema } from '@portal-embed/report-model';
import { z } from 'zod';

import { recordChange, type Action } from '../activity-log/service.ts';
import type { Context } from '../actor/actor.ts';
import { requireAdministrator, requireOperator, requirePermission } from '../actor/permissions.ts';
import type { Database } from '../db/connection/open.ts';
import { emailKey } from '../db/query/filters.ts';
import { deleteLinks, insertLinks } from '../db/query/links.ts';
import { PortalError } from '../errors.ts';
import { lockGroups } from '../groups/store.ts';
import type { RoleRows } from '../platforms/platform.ts';
import { requireAll } from '../references.ts';
import { lockUsers } from '../users/store.ts';
import * as store from './store.ts';

/** Roles of content files, and those that programs created without one. */
const roleRowsSchema: z.ZodType<RoleRows> = z.union([
  z.literal('all'),
  rowPredicateSchema,
  flatPredicateSchema,
]);

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
export function listDatasets(ctx: Context): Promise<store.DatasetRow[]> {
  requireOperator(ctx);
  return store.listDatasets(ctx.db, ctx.organizationId);
}

/**
 * Returns the id of the dataset with this slug or id.
 *
 * @throws `dataset_not_found`, which names the datasets
 */
export async function requireDataset(ctx: Context, reference: string): Promise<string> {
  const datasets = await listDatasets(ctx);
  const found = datasets.find(({ id, slug }) => id === reference || slug === reference);
  if (found) return found.id;
  throw new PortalError(
    'dataset_not_found',
    `Unknown dataset "${reference}". ${
      datasets.length === 0
        ? 'This organization has no datasets.'
        : `Datasets: ${datasets.map(({ id, slug }) => slug ?? id).join(', ')}.`
    }`,
  );
}

export async function createRole(
  ctx: Context,
  input: { datasetId: string; name: string; predicate: RoleRows },
): Promise<void> {
  requireOperator(ctx);
  const predicate = roleRowsSchema.parse(input.predicate);
  const { organizationId } = ctx;
  const id = randomUUID();
  const activity = {
    action: 'createRole',
    subject: input.name,
    details: { id, datasetId: input.datasetId, predicate },
  } as const;
  await recordChange(ctx, activity, (transaction) =>
    store.insertRole(transaction, { ...input, predicate, organizationId, id }),
  );
}

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

/** What a user may see of a dataset. */
export interface VisibleRows {
  /** Version of the dataset to which the rows belong. */
  version: number;
  rowAccess: 'by-role' | 'everyone';
  /** Names of the user's roles. */
  roles: string[];
  /** The rows of any of these. */
  rows: RoleRows[];
  /** The user's stored address, whatever spelling a mint has; empty if the user does not exist. */
  email: string;
  /** Whether another user's address differs only in its sigmas. */
  hasEmailTwin: boolean;
  department: string;
  groups: string[];
  companies: string[];
}

/**
 * Returns which rows of a dataset a user may see: the union of their roles' rows. A dataset whose
 * `rowAccess` is `everyone` shows all rows to each reader, as long as it has no roles. Returns
 * `undefined` if the dataset was deleted.
 */
export async function findVisibleRows(
  db: Database,
  reader: { organizationId: string; userId: string; datasetId: string },
): Promise<VisibleRows | undefined> {
  const access = await store.findRowAccess(db, reader);
  if (!access) return undefined;
  const { roles, ...rest } = access;
  if (rest.rowAccess === 'everyone' && roles.length === 0)
    return { ...rest, roles: [], rows: ['all'] };
  const held = roles.filter((role) => role.held);
  return {
    ...rest,
    rowAccess: 'by-role',
    roles: held.map(({ name }) => name),
    rows: held.map(({ rows }) => roleRowsSchema.parse(rows)),
  };
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
  const id = await store.lockRole(db, organizationId, {
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
