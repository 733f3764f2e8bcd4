import type { Dataset } from '@portal-embed/report-model';

import type { AdminDataset, ListedDataset, Sample } from '#wire/admin/datasets.ts';

import type { Context } from '../auth/actor.ts';
import { workHere } from '../content/content-processes.ts';
import { getFilePath } from '../content/items.ts';
import { openAs, type PreviewScope } from '../content/preview.ts';
import type { DatasetNames } from '../content/tasks.ts';
import { PortalError } from '../errors.ts';
import { explainFailure } from '../report-views/service.ts';
import { readAuthoring } from '../reports/authoring.ts';
import { presentSample, sampleReport } from './sample.ts';
import * as store from './store.ts';

type WorkScope = Pick<PreviewScope, 'worker' | 'signal'>;

/** Lists the datasets from which the caller may make reports: all of the organization. */
export async function findDatasets(ctx: Context): Promise<ListedDataset[]> {
  await readAuthoring(ctx);
  return (await store.listDatasets(ctx.db, ctx.organizationId)).map(presentListed);
}

/** Returns a dataset; who holds its roles for administrators only. */
export async function readDataset(
  ctx: Context,
  scope: WorkScope,
  id: string,
): Promise<AdminDataset> {
  const { isAdministrator, workspaceIds } = await readAuthoring(ctx);
  const found = await requireDataset(ctx, id);
  const { db, organizationId } = ctx;
  const definition = found.definition as Dataset | null;
  return {
    ...presentListed(found),
    description: definition?.description ?? null,
    file: found.slug === null ? null : getFilePath({ kind: 'dataset', slug: found.slug }),
    rowAccess: found.row_access,
    version: found.version,
    savedBy: found.author,
    savedFrom: found.origin,
    savedAt: found.saved_at?.toISOString() ?? null,
    isEdited: found.edited_at !== null,
    fields: (await listFields(ctx, scope, found)).map(({ name, type }) => ({
      name,
      type,
      expression: definition?.fields.find((field) => field.name === name)?.expression ?? null,
    })),
    metrics: definition?.metrics.map(({ name, expression }) => ({ name, expression })) ?? [],
    reports: await store.listReportsOf(db, organizationId, id, workspaceIds),
    roles: isAdministrator ? await store.countHolders(db, organizationId, id) : null,
  };
}

/**
 * Computes some rows as the caller, or as another user for an administrator.
 *
 * @throws `not_found` without a definition; as `previewReport`
 */
export async function readSample(
  ctx: Context,
  scope: PreviewScope,
  { datasetId, asUserId }: { datasetId: string; asUserId?: string | undefined },
): Promise<Sample> {
  await readAuthoring(ctx);
  const found = await requireDataset(ctx, datasetId);
  const fields = await listFields(ctx, scope, found);
  if (fields.length === 0)
    throw new PortalError('not_found', 'This dataset has no definition, so there is no sample.', {
      advice: 'Apply a definition file for it.',
    });
  const definition = sampleReport(fields.map(({ name }) => name));
  const { request } = await openAs(ctx, scope, found, { asUserId, definition });
  try {
    return presentSample(await scope.platform.compute(request));
  } catch (error) {
    throw explainFailure(scope, error);
  }
}

async function requireDataset(ctx: Context, id: string): Promise<store.DatasetDetails> {
  const found = await store.findDataset(ctx.db, ctx.organizationId, id);
  if (found) return found;
  throw new PortalError('dataset_not_found', 'This dataset does not exist. Check the address.');
}

/** The fields of a dataset; none without a definition. */
async function listFields(
  ctx: Context,
  { worker = workHere, signal }: WorkScope,
  { definition, columns }: store.DatasetDetails,
): Promise<DatasetNames['fields']> {
  if (definition === null) return [];
  const input = { definition, columns };
  return (await worker.run(ctx, 'describeDataset', input, signal)).fields;
}

const presentListed = (row: store.DatasetListRow): ListedDataset => ({
  id: row.id,
  name: row.name,
  reports: row.reports,
  roles: row.roles,
  source: row.source?.connection ?? row.source?.file ?? row.source?.files ?? null,
  isDefined: row.slug !== null,
});
