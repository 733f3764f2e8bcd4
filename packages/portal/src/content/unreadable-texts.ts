import { datasetSchema } from '@portal-embed/report-model';

import { ReportError } from '#platform';
import { ConnectionSourceError, DataFileError, listUnreadableTexts } from '#report-engine';

import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import { readAuthoring } from '../catalogue/authoring.ts';
import { requireAuthoredDataset } from './datasets.ts';
import { filesOf, findConnections, type ContentServices } from './service.ts';

/**
 * Names the texts of a dataset's rows that cannot be read as the type of their field; `null` if the rows
 * could not be read.
 *
 * @throws `dataset_not_found`, also for a dataset of another product
 */
export async function findUnreadableTexts(
  ctx: Context,
  scope: ContentServices,
  datasetId: string,
): Promise<string[] | null> {
  requireAdministrator(ctx);
  const { db, organizationId } = ctx;
  const { source, timeZone } = await requireAuthoredDataset(
    ctx,
    await readAuthoring(ctx),
    datasetId,
  );
  const definition = datasetSchema.parse({ timeZone, ...source.definition });
  const place = { files: filesOf(db, scope).of(organizationId), organizationId };
  const connections = await findConnections(ctx, scope);
  try {
    return await listUnreadableTexts(definition, source, { place, connections });
  } catch (error) {
    // The page shows why the sample of the rows is missing, too.
    const isOfSource =
      error instanceof ConnectionSourceError ||
      error instanceof DataFileError ||
      error instanceof ReportError;
    if (isOfSource) return null;
    throw error;
  }
}
