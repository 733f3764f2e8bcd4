import type { ReportSummary } from '../../wire/viewer.ts';

/** The reports of each workspace, both in alphabetical order. */
export function groupByWorkspace(reports: ReportSummary[]): [string, ReportSummary[]][] {
  const groups = new Map<string, ReportSummary[]>();
  for (const report of reports.toSorted((a, b) => a.name.localeCompare(b.name)))
    groups.set(report.workspaceName, [...(groups.get(report.workspaceName) ?? []), report]);
  return [...groups].toSorted(([a], [b]) => a.localeCompare(b));
}
