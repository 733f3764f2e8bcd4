import { randomUUID } from 'node:crypto';

import type { EndpointRequest, PagedList } from '@portal-embed/contract';

import { recordChange } from '../activity-log/service.ts';
import type { Context } from '../actor/actor.ts';
import { requireOperator, requirePermission } from '../actor/permissions.ts';
import type { PlatformName } from '../db/schema.ts';
import { platformKinds } from '../platforms/registry.ts';
import * as store from './store.ts';

export function listReports(
  ctx: Context,
  input: EndpointRequest<'listReports'>,
): Promise<PagedList<store.ReportRow>> {
  requirePermission(ctx, 'listReports');
  return store.listReports(ctx.db, ctx.organizationId, input);
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
