import type { DefinitionNames } from '#admin/requests';

import type { Context } from '../actor/actor.ts';
import type { Authoring } from '../catalogue/authoring.ts';
import { workHere, type ContentWorker } from './content-processes.ts';
import {
  findDatasetOfReport,
  findDefinedDataset,
  listDatasetSlugs,
  type DefinedDataset,
} from './definitions-store.ts';
import type { ItemKind } from './items.ts';

/**
 * The names that an editor completes.
 *
 * @param given the dataset that the edited text names; default: the one of the saved report
 */
export async function listNames(
  ctx: Pick<Context, 'db' | 'organizationId' | 'actor'>,
  {
    worker = workHere,
    signal,
  }: { worker?: ContentWorker | undefined; signal?: AbortSignal | undefined },
  { workspaceIds }: Authoring,
  { kind, id }: { kind: ItemKind; id: string },
  given?: DefinedDataset,
): Promise<DefinitionNames> {
  const { db, organizationId } = ctx;
  const datasetId = kind === 'dataset' ? id : await findDatasetOfReport(db, organizationId, id);
  const dataset =
    given ??
    (datasetId === undefined
      ? undefined
      : await findDefinedDataset(db, organizationId, workspaceIds, { id: datasetId }));
  const datasets = await listDatasetSlugs(db, organizationId, workspaceIds);
  if (!dataset) return { fields: [], metrics: [], datasets, types: [], hasTime: false };
  const described = await worker.run(ctx, 'describeDataset', dataset.source, signal);
  return {
    fields: described.fields.map(({ name }) => name),
    metrics: described.metrics,
    datasets,
    types: described.fields.map(({ type }) => type),
    hasTime: described.time !== undefined,
  };
}
