import { sql } from 'kysely';

import { selectRowAccess, type RowAccess } from '../access/visible-rows-store.ts';
import { toVisibleRows, type VisibleRows } from '../access/visible-rows.ts';
import type { Database } from '../db/connection/open.ts';
import { prepareStatement } from '../db/connection/prepared.ts';

/** The data from which a report is computed. */
export interface ReportSource {
  /** Name of the platform that draws the report. */
  platform: string;
  /** The report in the shape of its platform. */
  source: object;
  dataset: {
    name: string;
    /** In the shape of its platform. */
    source: object;
    /** That of the organization. */
    timeZone: string;
  };
  /** The organization's setting. */
  unappliedFilters: 'note' | 'refuse';
}

interface ReportReader {
  organizationId: string;
  userId: string;
  reportId: string;
}

type SourceRow = RowAccess &
  Omit<ReportSource, 'dataset'> & { datasetName: string; datasetSource: object; timeZone: string };

// One statement, so that rows of one version are never filtered by roles of another.
const runFindSource = prepareStatement<ReportReader, SourceRow>(
  'find_source',
  (value) => sql<SourceRow>`
    SELECT platform, reports.source, datasets.name AS "datasetName",
      datasets.source AS "datasetSource", time_zone AS "timeZone",
      unapplied_filters AS "unappliedFilters", ${selectRowAccess(value('userId'))}
    FROM reports
    JOIN datasets ON datasets.organization_id = reports.organization_id
      AND datasets.id = reports.dataset_id
    JOIN organizations ON organizations.id = reports.organization_id
    WHERE reports.organization_id = ${value('organizationId')} AND reports.id = ${value('reportId')}
      AND reports.archived_at IS NULL`,
);

/**
 * Returns the source of a report and the rows that a user may see; `undefined` if the report was archived
 * or deleted.
 */
export async function findSourceAndRows(
  db: Database,
  reader: ReportReader,
): Promise<{ source: ReportSource; visible: VisibleRows } | undefined> {
  const [row] = await runFindSource(db, reader);
  if (!row) return undefined;
  const { platform, source, unappliedFilters, datasetName, datasetSource, timeZone } = row;
  const dataset = { name: datasetName, source: datasetSource, timeZone };
  return {
    source: { platform, source, unappliedFilters, dataset },
    visible: toVisibleRows(row),
  };
}
