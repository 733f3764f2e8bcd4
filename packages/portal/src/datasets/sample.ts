import { reportSchema, type Key, type TableTile } from '@portal-embed/report-model';

import type { Sample } from '#wire/admin/datasets.ts';

import type { ComputedReport, ReportPlatform, ReportRequest } from '../platforms/platform.ts';

/** Fields and rows that a sample shows: a table groups by at most ten fields. */
const maxFields = 10;
const maxRows = 20;

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

/** Computes the rows of a sample. */
export async function computeSample(
  platform: ReportPlatform,
  request: ReportRequest,
): Promise<Sample> {
  return presentSample(await platform.compute(request));
}

function presentSample({ page, rowCount, dataAsOf }: ComputedReport): Sample {
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
