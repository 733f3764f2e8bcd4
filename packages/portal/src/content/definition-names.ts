import { resolveDataset, type Dataset } from '@portal-embed/report-model';

import type { DefinitionNames } from '#wire/admin/definitions.ts';

import type { Context } from '../auth/actor.ts';
import type { Authoring } from '../reports/authoring.ts';
import { typesOf } from './create-report.ts';
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
  { db, organizationId }: Pick<Context, 'db' | 'organizationId'>,
  { workspaceIds }: Authoring,
  kind: ItemKind,
  id: string,
  given?: DefinedDataset,
): Promise<DefinitionNames> {
  const datasetId = kind === 'dataset' ? id : await findDatasetOfReport(db, organizationId, id);
  const dataset =
    given ??
    (datasetId === undefined
      ? undefined
      : await findDefinedDataset(db, organizationId, workspaceIds, { id: datasetId }));
  const datasets = await listDatasetSlugs(db, organizationId, workspaceIds);
  if (!dataset) return { fields: [], metrics: [], datasets };
  const { draft } = resolveDataset(dataset.definition as Dataset, typesOf(dataset));
  return { fields: [...draft.fields.keys()], metrics: [...draft.metrics.keys()], datasets };
}
