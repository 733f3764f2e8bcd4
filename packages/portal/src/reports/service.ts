import { randomUUID } from 'node:crypto';

import type { EndpointRequest, PagedList } from '@portal-embed/contract';

import { recordChange, type Action } from '../activity-log/service.ts';
import type { Context } from '../actor/actor.ts';
import { requireOperator, requirePermission } from '../actor/permissions.ts';
import { deleteLinks, insertLinks } from '../db/query/links.ts';
import { platformKinds, type PlatformName } from '../platforms/registry.ts';
import { requireAll } from '../references.ts';
import { throwUnknownUser } from '../users/service.ts';
import { lockUser } from '../users/store.ts';
import * as store from './store.ts';

export function listReports(
  ctx: Context,
  input: EndpointRequest<'listReports'>,
): Promise<PagedList<store.ReportRow>> {
  requirePermission(ctx, 'listReports');
  return store.listReports(ctx.db, ctx.organizationId, input);
}

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

/**
 * Adds a dataset of the built-in platform and returns its id: the one given, which another
 * organization may have too, or a new one.
 *
 * @param dataset.name the Table of a custom filter's `Table/Column`
 * @param dataset.file name of a .parquet or .csv file in the dataset root
 */
export async function importDataset(
  ctx: Context,
  { id = randomUUID(), ...dataset }: { id?: string; name: string; file: string },
): Promise<string> {
  requireOperator(ctx);
  const { organizationId } = ctx;
  const { name: subject, file } = dataset;
  await recordChange(
    ctx,
    { action: 'importDataset', subject, details: { id, file } },
    (transaction) => store.insertDataset(transaction, { ...dataset, organizationId, id }),
  );
  return id;
}

/**
 * Adds a report and returns its id, which is given or new.
 *
 * @param input.platform default `builtin`
 * @param input.definition in the platform's own shape
 */
export async function importReport(
  ctx: Context,
  input: {
    id?: string;
    name: string;
    description: string | null;
    datasetId: string;
    workspaceName: string;
    platform?: PlatformName;
    definition: object;
  },
): Promise<string> {
  requireOperator(ctx);
  const { organizationId } = ctx;
  const { workspaceName, id = randomUUID(), platform = 'builtin', ...report } = input;
  const { reportType, parseDefinition } = platformKinds[platform];
  const definition = parseDefinition(input.definition);
  const activity = {
    action: 'importReport',
    subject: input.name,
    details: { id, datasetId: input.datasetId, workspaceName },
  } as const;
  await recordChange(ctx, activity, async (transaction) => {
    const workspaceId = await store.ensureWorkspace(transaction, organizationId, {
      id: randomUUID(),
      name: workspaceName,
    });
    await store.insertReport(transaction, {
      ...report,
      organizationId,
      id,
      workspaceId,
      platform,
      reportType,
      definition,
    });
  });
  return id;
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
    const found = await store.lockReports(transaction, organizationId, input.reports);
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
