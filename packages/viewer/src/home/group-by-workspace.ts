import type { ReportSummary } from '../requests/viewer.ts';

/** If there are more reports, workspaces are collapsed at first. */
export const manyReports = 50;

const collator = new Intl.Collator(undefined, { numeric: true });

/** The reports of each workspace, both in alphabetical order. */
export function groupByWorkspace(reports: readonly ReportSummary[]): [string, ReportSummary[]][] {
  const groups = new Map<string, ReportSummary[]>();
  for (const report of reports.toSorted((a, b) => collator.compare(a.name, b.name))) {
    const members = groups.get(report.workspaceName);
    if (members) members.push(report);
    else groups.set(report.workspaceName, [report]);
  }
  return [...groups].toSorted(([a], [b]) => collator.compare(a, b));
}
