import type { ReportView, ViewerSession } from '#viewer/requests';

import { presentReportSummary, reportPath } from '../catalogue/presenter.ts';
import type { OpenedSession } from '../identity-urls/store.ts';
import type { ListedSessionRow } from './store.ts';

export const presentViewerSession = (
  {
    bearer,
    session,
    organizationName,
    homeUrl,
    logo,
    landingPage,
    reports,
    marks,
  }: OpenedSession & {
    bearer: string;
  },
  view: ReportView | null,
): ViewerSession => ({
  bearer,
  path: pathOf(
    session.organizationId,
    session.reportId ?? reports.find(({ id }) => id === landingPage)?.id,
  ),
  organization: { id: session.organizationId, name: organizationName, homeUrl, logo },
  user: { name: session.userName, email: session.userEmail },
  viewedBy: session.viewedBy?.email ?? null,
  display: session.display,
  reportId: session.reportId,
  reports: reports.map(presentReportSummary),
  ...marks,
  view,
});

/** Path of the overview or of one report. */
const pathOf = (organizationId: string, reportId: string | undefined): string =>
  reportId === undefined
    ? `/organizations/${organizationId}`
    : reportPath(organizationId, reportId);

/** A session for the command line. Never includes the bearer. */
export const presentSession = (row: ListedSessionRow) => ({
  userEmail: row.email,
  reportId: row.report_id,
  reportName: row.report_name,
  address: row.address,
  apiKeyName: row.api_key_name,
  openedAt: row.created_at.toISOString(),
  lastUsedAt: row.touched_at.toISOString(),
});
