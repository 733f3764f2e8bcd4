import type { Holder } from '#admin/requests';

import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import { findManagedReport } from '../catalogue/managed-reports.ts';
import { PortalError } from '../errors.ts';
import * as store from './holders-store.ts';
import { listReportGroups, listReportUsers } from './report-holders-store.ts';
import {
  linkGroupReports,
  linkReports,
  unlinkGroupReports,
  unlinkReports,
} from './report-links.ts';
import { linkGroups, linkUsers, unlinkGroups, unlinkUsers } from './role-links.ts';

/** A user or a group to link or unlink. */
export interface HolderChange {
  kind: 'user' | 'group';
  id: string;
  isLinked: boolean;
}

/** The first users and groups whose name or e-mail contains a text. */
export function searchHolders(ctx: Context, search: string): Promise<Holder[]> {
  requireAdministrator(ctx);
  return store.searchHolders(ctx.db, ctx.organizationId, search);
}

/** The groups that may open a report, and one page of the users who are linked to it themselves. */
export async function listReportHolders(
  ctx: Context,
  { reportId, ...filter }: { reportId: string; page: number; search: string },
) {
  requireAdministrator(ctx);
  await findManagedReport(ctx, reportId);
  const { db, organizationId } = ctx;
  return {
    groups: await listReportGroups(db, organizationId, reportId),
    users: await listReportUsers(db, organizationId, reportId, filter),
  };
}

/** Gives a user or the members of a group access to a report, or takes it away. */
export async function changeAccess(
  ctx: Context,
  { reportId, ...change }: HolderChange & { reportId: string },
): Promise<void> {
  requireAdministrator(ctx);
  await findManagedReport(ctx, reportId);
  const name = await requireHolder(ctx, change);
  const reports = [reportId];
  if (change.kind === 'user')
    await (change.isLinked ? linkReports : unlinkReports)(ctx, { userEmail: name, reports });
  else
    await (change.isLinked ? linkGroupReports : unlinkGroupReports)(ctx, { group: name, reports });
}

/** Gives a role to a user or the members of a group, or takes it away. */
export async function changeRoleHolder(
  ctx: Context,
  { roleId, ...change }: HolderChange & { roleId: string },
): Promise<void> {
  requireAdministrator(ctx);
  const role = await store.findRole(ctx.db, ctx.organizationId, roleId);
  if (!role)
    throw new PortalError('role_not_found', 'This role does not exist. Check the address.');
  const name = await requireHolder(ctx, change);
  const input = { datasetId: role.dataset_id, role: role.name };
  if (change.kind === 'user')
    await (change.isLinked ? linkUsers : unlinkUsers)(ctx, { ...input, usersEmails: [name] });
  else await (change.isLinked ? linkGroups : unlinkGroups)(ctx, { ...input, groups: [change.id] });
}

/** The roles of a report's dataset, with those who hold them. */
export async function listReportRoles(ctx: Context, reportId: string) {
  requireAdministrator(ctx);
  const { report } = await findManagedReport(ctx, reportId);
  const { dataset_id: datasetId, row_access: rowAccess } = report;
  return {
    rowAccess,
    datasetId,
    roles: await store.listRolesOfDataset(ctx.db, ctx.organizationId, { datasetId, reportId }),
  };
}

/** Returns the e-mail of a user or the name of a group. */
async function requireHolder(
  { db, organizationId }: Context,
  { kind, id }: HolderChange,
): Promise<string> {
  const name = await store.findHolder(db, organizationId, kind, id);
  if (name !== undefined) return name;
  throw kind === 'user'
    ? new PortalError('user_not_found', 'This user does not exist. Load the page again.')
    : new PortalError('group_not_found', 'This group does not exist. Load the page again.');
}
