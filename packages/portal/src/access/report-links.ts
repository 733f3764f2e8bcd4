import type { EndpointRequest } from '@portal-embed/contract';

import { recordChange, type Action } from '../activity-log/service.ts';
import type { Context } from '../actor/actor.ts';
import { requireAdministrator, requirePermission } from '../actor/permissions.ts';
import { lockReports } from '../catalogue/store.ts';
import type { Database } from '../db/connection/open.ts';
import { deleteLinks, insertLinks } from '../db/query/links.ts';
import { changeGroup } from '../groups/service.ts';
import { requireAll } from '../references.ts';
import { throwUnknownUser } from '../users/service.ts';
import { lockUser } from '../users/store.ts';

export async function linkReports(
  ctx: Context,
  input: EndpointRequest<'linkReports'>,
): Promise<void> {
  requirePermission(ctx, 'linkReports');
  await changeLinks(ctx, input, 'linkReports', insertLinks, 'Create the user first.');
}

/** Removes direct links only: what a group grants stays granted. */
export async function unlinkReports(
  ctx: Context,
  input: EndpointRequest<'unlinkReports'>,
): Promise<void> {
  requirePermission(ctx, 'unlinkReports');
  await changeLinks(ctx, input, 'unlinkReports', deleteLinks, 'Check the e-mail.');
}

interface ReportChange {
  group: string;
  reports: readonly string[];
}

export async function linkGroupReports(ctx: Context, input: ReportChange): Promise<void> {
  requireAdministrator(ctx);
  await changeGroup(ctx, 'linkGroupReports', input, (transaction, id) =>
    changeReports(transaction, ctx.organizationId, id, input.reports, insertLinks),
  );
}

export async function unlinkGroupReports(ctx: Context, input: ReportChange): Promise<void> {
  requireAdministrator(ctx);
  await changeGroup(ctx, 'unlinkGroupReports', input, (transaction, id) =>
    changeReports(transaction, ctx.organizationId, id, input.reports, deleteLinks),
  );
}

async function changeLinks(
  ctx: Context,
  input: EndpointRequest<'linkReports'>,
  action: Action,
  change: typeof insertLinks,
  advice: string,
): Promise<void> {
  const { organizationId } = ctx;
  const { userEmail: subject, ...details } = input;
  await recordChange(ctx, { action, subject, details }, async (transaction) => {
    const userId =
      (await lockUser(transaction, organizationId, input.userEmail)) ??
      throwUnknownUser(input.userEmail, advice);
    const found = await lockReports(transaction, organizationId, input.reports);
    requireAll('reports', 'report', input.reports, found);
    await change(
      transaction,
      'report_users',
      organizationId,
      { column: 'user_id', id: userId },
      { column: 'report_id', ids: input.reports },
    );
  });
}

/** Changes which reports the members of a group may open. */
export async function changeReports(
  transaction: Database,
  organizationId: string,
  groupId: string,
  reports: readonly string[],
  change: typeof insertLinks,
): Promise<void> {
  const found = await lockReports(transaction, organizationId, reports);
  requireAll('reports', 'report', reports, found);
  const group = { column: 'group_id', id: groupId };
  await change(transaction, 'report_groups', organizationId, group, {
    column: 'report_id',
    ids: reports,
  });
}
