import type { Dataset } from '@portal-embed/report-model';
import { datasetSchema } from '@portal-embed/report-model';

import type { AdminDataset, ListedDataset } from '#admin/requests';
import { listStoredQuestions } from '#report-engine';

import { recordChange } from '../activity-log/service.ts';
import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import { readAuthoring, type Authoring } from '../catalogue/authoring.ts';
import { requireWorkspace } from '../catalogue/workspaces.ts';
import { deleteLinks, insertLinks } from '../db/query/links.ts';
import { PortalError } from '../errors.ts';
import { workHere } from './content-processes.ts';
import * as store from './datasets-store.ts';
import { getFilePath } from './items.ts';
import { listRoundedRoles } from './rounded-roles.ts';
import type { DataScope } from './service.ts';
import type { DatasetNames } from './tasks.ts';

type WorkScope = Pick<DataScope, 'worker'> & { signal: AbortSignal };

/** Lists the datasets from which the caller may make reports. */
export async function findDatasets(ctx: Context): Promise<ListedDataset[]> {
  const { workspaceIds } = await readAuthoring(ctx);
  const found = await store.listDatasets(ctx.db, ctx.organizationId, workspaceIds);
  return found.map(presentListed);
}

/** Returns a dataset; its roles, its workspaces and the values of its files for administrators only. */
export async function readDataset(
  ctx: Context,
  scope: WorkScope & Pick<DataScope, 'datasetFolder'>,
  id: string,
): Promise<AdminDataset> {
  const authoring = await readAuthoring(ctx);
  const { isAdministrator, workspaceIds } = authoring;
  const found = await requireDataset(ctx, authoring, id);
  const { db, organizationId } = ctx;
  const definition = found.source.definition as Dataset;
  return {
    ...presentListed(found),
    description: definition.description ?? null,
    file: getFilePath({ kind: 'dataset', slug: found.slug }),
    rowAccess: found.row_access,
    version: found.version,
    savedBy: found.author,
    savedFrom: found.origin,
    savedAt: found.saved_at?.toISOString() ?? null,
    isEdited: found.edited_at !== null,
    fields: (await listFields(ctx, scope, found)).map(({ name, type }) => ({
      name,
      type,
      expression: definition.fields.find((field) => field.name === name)?.expression ?? null,
    })),
    metrics: definition.metrics.map(({ name, expression }) => ({ name, expression })),
    reports: await store.listReportsOf(db, organizationId, id, workspaceIds),
    roles: isAdministrator ? await listRoles(ctx, scope, id) : null,
    questions: isAdministrator
      ? await listStoredQuestions(
          { root: scope.datasetFolder, organizationId },
          datasetSchema.parse(definition),
          found.source.files,
          scope.signal,
        )
      : null,
    workspaces: isAdministrator ? await store.listWorkspacesOf(db, organizationId, id) : null,
  };
}

async function listRoles(ctx: Context, { worker, signal }: WorkScope, datasetId: string) {
  const { db, organizationId } = ctx;
  const rounded = await listRoundedRoles({ db, worker, signal }, { organizationId, datasetId });
  const holders = await store.countHolders(db, organizationId, datasetId);
  return holders.map(({ id, name, users, groups }) => ({
    id,
    name,
    users,
    groups,
    roundedField: rounded.find(({ role }) => role === name)?.field ?? null,
  }));
}

/** @throws `dataset_not_found`, also for a dataset that the workspaces of the caller may not use */
export async function requireDataset(
  { db, organizationId }: Context,
  { workspaceIds }: Authoring,
  id: string,
): Promise<store.DatasetDetails> {
  return (await store.findDataset(db, organizationId, id, workspaceIds)) ?? throwUnknown();
}

function throwUnknown(): never {
  throw new PortalError('dataset_not_found', 'This dataset does not exist. Check the address.');
}

/** Opens a dataset to the contributors of a workspace, or closes it to them. */
export async function changeDatasetWorkspace(
  ctx: Context,
  input: { datasetId: string; workspaceId: string; isOpened: boolean },
): Promise<void> {
  requireAdministrator(ctx);
  const { organizationId } = ctx;
  const { datasetId, workspaceId, isOpened } = input;
  const activity = {
    action: 'changeDatasetWorkspace',
    subject: datasetId,
    details: { workspaceId, isOpened },
  } as const;
  await recordChange(ctx, activity, async (transaction) => {
    await requireWorkspace(transaction, organizationId, workspaceId);
    if (!(await store.lockDataset(transaction, organizationId, datasetId))) throwUnknown();
    await (isOpened ? insertLinks : deleteLinks)(
      transaction,
      'dataset_workspaces',
      organizationId,
      { column: 'dataset_id', id: datasetId },
      { column: 'workspace_id', ids: [workspaceId] },
    );
  });
}

export async function listFields(
  ctx: Context,
  { worker = workHere, signal }: WorkScope,
  { source }: Pick<store.DatasetDetails, 'source'>,
): Promise<DatasetNames['fields']> {
  return (await worker.run(ctx, 'describeDataset', source, signal)).fields;
}

const presentListed = (row: store.DatasetListRow): ListedDataset => ({
  id: row.id,
  name: row.name,
  reports: row.reports,
  roles: row.roles,
  source: row.sourceName,
});
