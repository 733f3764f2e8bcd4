import { sql, type RawBuilder, type SqlBool } from 'kysely';

import { selectReports, type ReportRow } from '../catalogue/store.ts';
import type { Database } from '../db/connection/open.ts';
import { prepareStatement } from '../db/connection/prepared.ts';

/** Lists the reports that members of a group may open, with the names of their workspaces. */
export const listGroupReports = (
  db: Database,
  organizationId: string,
  groupId: string,
): Promise<{ id: string; name: string; workspaceName: string }[]> =>
  selectReports(db, organizationId)
    .clearSelect()
    .select(['reports.id', 'reports.name', 'workspaces.name as workspaceName'])
    .where('archived_at', 'is', null)
    .where(
      sql<SqlBool>`reports.id IN (SELECT report_id FROM report_groups
        WHERE organization_id = ${organizationId} AND group_id = ${groupId})`,
    )
    .execute();

/** Lists the reports that a user may open, or only the given one. */
export function listReadableReports(
  db: Database,
  reader: { organizationId: string; userId: string; reportId?: string | null | undefined },
): Promise<ReportRow[]> {
  const { reportId, ...rest } = reader;
  return reportId ? findReadable(db, { ...rest, reportId }) : listReadable(db, rest);
}

interface Reader {
  organizationId: string;
  userId: string;
}

const listReadable = prepareStatement<Reader, ReportRow>('list_readable_reports', (value, db) =>
  selectReadable(db, value('organizationId'), value('userId')),
);

const findReadable = prepareStatement<Reader & { reportId: string }, ReportRow>(
  'find_readable_report',
  (value, db) =>
    selectReadable(db, value('organizationId'), value('userId')).where(
      'reports.id',
      '=',
      value('reportId'),
    ),
);

/** Selects the reports that a user may open, for use in other statements too. */
export const selectReadable = (
  db: Database,
  organizationId: RawBuilder<string>,
  userId: RawBuilder<string>,
) =>
  selectReports(db, organizationId).where((filter) =>
    filter.exists(
      filter
        .selectFrom('readable_reports')
        .select('report_id')
        .whereRef('readable_reports.organization_id', '=', 'reports.organization_id')
        .whereRef('readable_reports.report_id', '=', 'reports.id')
        .where('readable_reports.user_id', '=', userId),
    ),
  );
