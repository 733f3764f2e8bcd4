import { sql, type RawBuilder } from 'kysely';

import type { Database } from '../db/connection/open.ts';
import { prepareStatement } from '../db/connection/prepared.ts';
import { selectRowAccess, type RowAccess } from './visible-rows-store.ts';
import { toVisibleRows, type VisibleRows } from './visible-rows.ts';

/** The data from which a report is computed for a reader. */
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
  /** What the reader may see. */
  visible: VisibleRows;
}

/** A reader and a report. */
interface ReportReader {
  organizationId: string;
  userId: string;
  reportId: string;
}

/** A row of `selectReportSource`. */
export interface ReportSourceRow extends RowAccess {
  platform: string;
  source: object;
  datasetName: string;
  datasetSource: object;
  timeZone: string;
  unappliedFilters: 'note' | 'refuse';
}

/**
 * Selects a report's source and what a user may see of it; no row if the report is archived or gone. One
 * statement, so that rows of one version of the dataset are never filtered by roles of another.
 */
export const selectReportSource = ({
  organizationId,
  userId,
  reportId,
}: {
  [Key in keyof ReportReader]: RawBuilder<string>;
}) => sql<ReportSourceRow>`
  SELECT platform, reports.source, datasets.name AS "datasetName",
    datasets.source AS "datasetSource", time_zone AS "timeZone",
    unapplied_filters AS "unappliedFilters", ${selectRowAccess(userId)}
  FROM reports
  JOIN datasets ON datasets.organization_id = reports.organization_id
    AND datasets.id = reports.dataset_id
  JOIN organizations ON organizations.id = reports.organization_id
  WHERE reports.organization_id = ${organizationId} AND reports.id = ${reportId}
    AND reports.archived_at IS NULL`;

const runFindReportSource = prepareStatement<ReportReader, ReportSourceRow>(
  'find_report_source',
  (value) =>
    selectReportSource({
      organizationId: value('organizationId'),
      userId: value('userId'),
      reportId: value('reportId'),
    }),
);

/** Returns `undefined` if the report was archived or deleted. Does not check that the user may open it. */
export async function findReportSource(
  db: Database,
  reader: ReportReader,
): Promise<ReportSource | undefined> {
  const [row] = await runFindReportSource(db, reader);
  return row && toReportSource(row);
}

export const toReportSource = (row: ReportSourceRow): ReportSource => ({
  platform: row.platform,
  source: row.source,
  dataset: { name: row.datasetName, source: row.datasetSource, timeZone: row.timeZone },
  unappliedFilters: row.unappliedFilters,
  visible: toVisibleRows(row),
});
