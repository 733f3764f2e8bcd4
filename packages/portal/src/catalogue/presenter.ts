import type { Report } from '@portal-embed/contract';

import type { ReportSummary } from '#viewer/requests';

import { presentColumns } from '../db/query/column-map.ts';
import { reportColumns } from './report-columns.ts';
import type { ReportRow } from './store.ts';

/** Path of a report's page, at any address of the portal. */
export const reportPath = (organizationId: string, reportId: string): string =>
  `/organizations/${organizationId}/reports/${reportId}`;

export const presentReport =
  (publicUrl: string) =>
  (row: ReportRow): Required<Report> => ({
    ...presentColumns(reportColumns, row),
    embedUrl: publicUrl + reportPath(row.organization_id, row.id),
    folderId: null,
    workspaceName: row.workspace_name,
    userOwner: null,
  });

export const presentReportSummary = (row: ReportRow): ReportSummary => ({
  id: row.id,
  name: row.name,
  description: row.description,
  workspaceName: row.workspace_name,
});
