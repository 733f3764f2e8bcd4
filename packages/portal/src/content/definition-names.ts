import type { DefinitionNames } from '#wire/admin/definitions.ts';

import type { Context } from '../auth/actor.ts';
import { workHere, type ContentWorker } from './content-processes.ts';
import {
  findDatasetOfReport,
  listDefinedDatasets,
  listSlugs,
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
  kind: ItemKind,
  id: string,
  given?: DefinedDataset,
): Promise<DefinitionNames> {
  const { db, organizationId } = ctx;
  const datasetId = kind === 'dataset' ? id : await findDatasetOfReport(db, organizationId, id);
  const [dataset] = given
    ? [given]
    : await listDefinedDatasets(db, organizationId, { id: datasetId ?? '' });
  const datasets = [...(await listSlugs(db, organizationId, 'dataset'))].toSorted();
  if (!dataset) return { fields: [], metrics: [], datasets };
  const { definition, columns } = dataset;
  const described = await worker.run(ctx, 'describeDataset', { definition, columns }, signal);
  return {
    fields: described.fields.map(({ name }) => name),
    metrics: described.metrics,
    datasets,
  };
}
