import { resolveDataset, type Dataset } from '@portal-embed/report-model';

import type { DefinitionNames } from '#wire/admin/definitions.ts';

import type { Context } from '../auth/actor.ts';
import { typesOf } from './create-report.ts';
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
  { db, organizationId }: Pick<Context, 'db' | 'organizationId'>,
  kind: ItemKind,
  id: string,
  given?: DefinedDataset,
): Promise<DefinitionNames> {
  const datasetId = kind === 'dataset' ? id : await findDatasetOfReport(db, organizationId, id);
  const [dataset] = given
    ? [given]
    : await listDefinedDatasets(db, organizationId, { id: datasetId ?? '' });
  const datasets = [...(await listSlugs(db, organizationId, 'dataset'))].toSorted();
  if (!dataset) return { fields: [], metrics: [], datasets };
  const { draft } = resolveDataset(dataset.definition as Dataset, typesOf(dataset));
  return { fields: [...draft.fields.keys()], metrics: [...draft.metrics.keys()], datasets };
}
