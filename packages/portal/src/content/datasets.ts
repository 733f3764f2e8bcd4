import type { Dataset, DatasetSource } from '@portal-embed/report-model';
import { datasetSchema } from '@portal-embed/report-model';

import type { AdminDataset, DataFiles, DatasetRole, ListedDataset } from '#admin/requests';
import { listStoredQuestions } from '#report-engine';

import { countHolders } from '../access/holders-store.ts';
import { recordChange } from '../activity-log/service.ts';
import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import { readAuthoring, type Authoring } from '../catalogue/authoring.ts';
import { requireWorkspace } from '../catalogue/workspaces.ts';
import { deleteLinks, insertLinks } from '../db/query/links.ts';
import { PortalError } from '../errors.ts';
import type { Platforms } from '../platforms/registry.ts';
import { workHere } from './content-processes.ts';
import * as store from './datasets-store.ts';
import { findDefinedDataset } from './definitions-store.ts';
import { getFilePath } from './items.ts';
import { listRoundedRoles } from './rounded-roles.ts';
import { filesOf, type ContentServices } from './service.ts';
import type { DatasetNames } from './tasks.ts';

/** Shown for a dataset of an unknown product. */
const unknownProduct = '—';

type Products = Pick<Platforms, 'productOf'>;

type CheckOptions = Pick<ContentServices, 'worker'> & { signal: AbortSignal };

/** Lists the datasets from which the caller may make reports. */
export async function findDatasets(ctx: Context, platforms: Products): Promise<ListedDataset[]> {
  const { workspaceIds } = await readAuthoring(ctx);
  const found = await store.listManagedDatasets(ctx.db, ctx.organizationId, workspaceIds);
  return found.map((row) => presentListed(platforms, row));
}

/** Returns a dataset; its roles, its workspaces and the values of its files for administrators only. */
export async function readDataset(
  ctx: Context,
  scope: CheckOptions & Pick<ContentServices, 'datasetFolder' | 'files'> & { platforms: Products },
  id: string,
): Promise<AdminDataset> {
  const authoring = await readAuthoring(ctx);
  const { isAdministrator, workspaceIds } = authoring;
  const found = await requireDataset(ctx, authoring, id);
  const { db, organizationId } = ctx;
  const shared = {
    ...presentListed(scope.platforms, found),
    reports: await store.listReportsOf(db, organizationId, id, workspaceIds),
    rowAccess: found.row_access,
    version: found.version,
    savedBy: found.author,
    savedFrom: found.origin,
    savedAt: found.saved_at?.toISOString() ?? null,
    isEdited: found.edited_at !== null,
  };
  const { slug } = found;
  if (slug === null) {
    const holders = isAdministrator ? await countHolders(db, organizationId, id) : null;
    const roles = holders && nameRoles(holders, []);
    const nothing = { description: null, file: null, fields: [], metrics: [] };
    return { ...shared, ...nothing, roles, questions: null, dataFiles: null, workspaces: null };
  }
  const definition = found.source.definition as Dataset;
  return {
    ...shared,
    description: definition.description ?? null,
    file: getFilePath({ kind: 'dataset', slug }),
    fields: (await listFields(ctx, scope, found)).map(({ name, type }) => {
      const written = definition.fields.find((field) => field.name === name);
      return {
        name,
        type,
        expression: written?.expression ?? null,
        currency: written?.format?.currency ?? null,
      };
    }),
    metrics: definition.metrics.map(({ name, expression }) => ({ name, expression })),
    roles: isAdministrator ? await listRoles(ctx, scope, id) : null,
    questions: isAdministrator
      ? await listStoredQuestions(
          { files: filesOf(db, scope).of(organizationId), organizationId },
          datasetSchema.parse(definition),
          found.source,
          scope.signal,
        )
      : null,
    dataFiles: isAdministrator ? await listDataFiles(ctx, scope, definition.source) : null,
    workspaces: isAdministrator ? await store.listWorkspacesOf(db, organizationId, id) : null,
  };
}

async function listRoles(ctx: Context, { worker, signal }: CheckOptions, datasetId: string) {
  const { db, organizationId } = ctx;
  const rounded = await listRoundedRoles({ db, worker, signal }, { organizationId, datasetId });
  const holders = await countHolders(db, organizationId, datasetId);
  return nameRoles(holders, rounded);
}

const nameRoles = (
  holders: Awaited<ReturnType<typeof countHolders>>,
  rounded: Awaited<ReturnType<typeof listRoundedRoles>>,
): DatasetRole[] =>
  holders.map(({ name, ...role }) => ({
    ...role,
    name,
    roundedField: rounded.find((each) => each.role === name)?.field ?? null,
  }));

/** The files that new data can replace; `null` for rows in another database. */
async function listDataFiles(
  { db, organizationId }: Context,
  scope: Pick<ContentServices, 'datasetFolder' | 'files'>,
  source: DatasetSource,
): Promise<DataFiles | null> {
  if ('connection' in source) return null;
  if ('file' in source) return { names: [source.file], isPattern: false };
  const { originals } = filesOf(db, scope).of(organizationId);
  return { names: await originals.list(source.files), isPattern: true };
}

/** @throws `dataset_not_found`, also for a dataset that the workspaces of the caller may not use */
async function requireDataset(
  { db, organizationId }: Context,
  { workspaceIds }: Authoring,
  id: string,
): Promise<store.DatasetDetails> {
  return (await store.findDataset(db, organizationId, id, workspaceIds)) ?? throwUnknown();
}

/**
 * Returns a dataset whose definition is written here.
 *
 * @throws `dataset_not_found`, also for a dataset of another product
 */
export async function requireAuthoredDataset(
  ctx: Context,
  authoring: Authoring,
  id: string,
): Promise<store.DatasetDetails> {
  const found = await requireDataset(ctx, authoring, id);
  return found.slug === null ? throwUnknown() : found;
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
  { worker = workHere, signal }: CheckOptions,
  { source }: Pick<store.DatasetDetails, 'source'>,
): Promise<DatasetNames['fields']> {
  return (await worker.run(ctx, 'describeDataset', source, signal)).fields;
}

/**
 * The fields of a dataset in which roles can look up values.
 *
 * @throws `missing_permission`; `dataset_not_found`
 */
export async function findLookUpFields(
  ctx: Context,
  scope: CheckOptions,
  slug: string,
): Promise<DatasetNames['fields']> {
  requireAdministrator(ctx);
  const dataset = await findDefinedDataset(ctx.db, ctx.organizationId, null, { slug });
  return dataset ? listFields(ctx, scope, dataset) : throwUnknown();
}

const presentListed = (platforms: Products, row: store.DatasetListRow): ListedDataset => {
  const known = row.platform === null ? unknownProduct : platforms.productOf(row.platform);
  const product = row.slug === null ? known : null;
  return {
    id: row.id,
    name: row.name,
    reports: row.reports,
    roles: row.roles,
    source: product ?? row.sourceName ?? '',
    product,
  };
};
