import { reportSchema, type Key, type TableTile } from '@portal-embed/report-model';

import type { Sample } from '#admin/requests';
import type { ComputedReport } from '#platform';

import type { Context } from '../actor/actor.ts';
import { readAuthoring } from '../catalogue/authoring.ts';
import { listFields, requireAuthoredDataset } from '../content/datasets.ts';
import { openDraftAs, type PreviewServices } from './preview.ts';

/** Fields and rows that a sample shows: a table groups by at most ten fields. */
const maxFields = 10;
const maxRows = 20;

/**
 * Computes some rows: those of a user or all for an administrator, the own ones for a contributor.
 *
 * @throws as `previewReport`
 */
export async function readSample(
  ctx: Context,
  scope: PreviewServices,
  { datasetId, asUserId }: { datasetId: string; asUserId?: string | undefined },
): Promise<Sample> {
  const authoring = await readAuthoring(ctx);
  const dataset = await requireAuthoredDataset(ctx, authoring, datasetId);
  const fields = await listFields(ctx, scope, dataset);
  const definition = sampleReport(fields.map(({ name }) => name));
  const reading = await openDraftAs(ctx, scope, authoring, asUserId, { dataset, definition });
  return presentSample(await reading.page({}));
}

/** A report with one table of the first fields. It reads the rows as every report does. */
export const sampleReport = (fields: readonly string[]) =>
  reportSchema.parse({
    name: 'Sample',
    workspace: 'Sample',
    dataset: 'sample',
    pages: [
      {
        name: 'Sample',
        rows: [
          {
            tiles: [{ type: 'table', dimensions: fields.slice(0, maxFields), pageSize: maxRows }],
          },
        ],
      },
    ],
  });

/** The columns and rows of a computed sample. */
export function presentSample({ page, rowCount, dataAsOf }: ComputedReport): Sample {
  const tile = page.rows[0]?.[0];
  const isFailed = tile !== undefined && 'failure' in tile;
  const table = isFailed ? undefined : (tile as TableTile | undefined);
  return {
    columns: table?.dimensions.map(({ name }) => name) ?? [],
    rows: isFailed ? null : (table?.groups.slice(0, maxRows).map(({ keys }): Key[] => keys) ?? []),
    rowCount,
    dataAsOf: dataAsOf ?? null,
  };
}
