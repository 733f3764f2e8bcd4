import type { ViewerSession } from '../../wire/viewer.ts';

/** Path of the overview (`null`) or of one report. */
export function pathOf(session: ViewerSession, reportId: string | null): string {
  const overview = `/organizations/${encodeURIComponent(session.organization.id)}`;
  return reportId === null ? overview : `${overview}/reports/${encodeURIComponent(reportId)}`;
}

/** Returns the report of a path if the user may open it; otherwise `null`, the overview. */
export function reportAt(session: ViewerSession, path: string): string | null {
  const report = session.reports.find(({ id }) => path === pathOf(session, id));
  return report?.id ?? null;
}
