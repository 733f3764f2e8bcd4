import type { ReportView, ViewerSession } from '#wire/viewer.ts';

import type { OpenedSessionRow } from '../identity-urls/store.ts';
import { presentReportSummary, reportPath } from '../reports/presenter.ts';
import type { ReportRow } from '../reports/store.ts';
import type { ListedSessionRow } from './store.ts';

export const presentViewerSession = (
  bearer: string,
  session: OpenedSessionRow,
  reports: readonly ReportRow[],
  view: ReportView | null,
): ViewerSession => ({
  bearer,
  path: session.report_id
    ? reportPath(session.organization_id, session.report_id)
    : `/organizations/${session.organization_id}`,
  organization: { id: session.organization_id, name: session.organization_name },
  user: { name: session.user_name, email: session.user_email },
  display: {
    hideMenu: session.hide_menu,
    hideNavbar: session.hide_navbar,
    hideSidebar: session.hide_sidebar,
  },
  reportId: session.report_id,
  reports: reports.map(presentReportSummary),
  view,
});

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
