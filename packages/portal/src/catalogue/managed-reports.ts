import type { Context } from '../actor/actor.ts';
import { PortalError } from '../errors.ts';
import { includesWorkspace, readAuthoring, type Authoring } from './authoring.ts';
import * as store from './managed-reports-store.ts';

/** Lists the reports that the caller may arrange. */
export async function findReports(
  ctx: Context,
  filter: { page: number; search: string; workspaceId?: string | undefined },
) {
  const authoring = await readAuthoring(ctx);
  const { workspaceIds } = authoring;
  const found = await store.findReports(ctx.db, ctx.organizationId, { ...filter, workspaceIds });
  return {
    ...found,
    canCreate: authoring.canCreate && workspaceIds?.size !== 0,
    canEdit: authoring.canEdit,
  };
}

/** @throws `not_found`, also outside the workspaces of a workspace contributor */
export async function findManagedReport(
  ctx: Context,
  reportId: string,
): Promise<{ report: store.ReportDetails; authoring: Authoring }> {
  const authoring = await readAuthoring(ctx);
  const report = await store.findReport(ctx.db, ctx.organizationId, reportId);
  if (!report || !includesWorkspace(authoring, report.workspace_id))
    throw new PortalError('not_found', 'This report does not exist. Check the address.');
  return { report, authoring };
}
