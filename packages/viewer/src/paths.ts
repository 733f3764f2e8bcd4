import type { ViewerSession } from './requests/viewer.ts';

/** Path of the overview (`null`) or of one report. */
export function pathOf(session: ViewerSession, reportId: string | null): string {
  const overview = `/organizations/${encodeURIComponent(session.organization.id)}`;
  return reportId === null ? overview : `${overview}/reports/${encodeURIComponent(reportId)}`;
}
