import type { ReportSummary } from '../requests/viewer.ts';

/** Letters without case and accents. */
const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** The reports that have every word of a query in their name, description or workspace. */
export function findReports(reports: readonly ReportSummary[], query: string): ReportSummary[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  return reports.filter(({ name, description, workspaceName }) => {
    const text = fold([name, description ?? '', workspaceName].join(' '));
    return words.every((word) => text.includes(word));
  });
}
