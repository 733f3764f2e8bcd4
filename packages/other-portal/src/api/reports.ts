import type { Answer } from '../answer.ts';
import type { Report } from '../state.ts';
import { listAnswer, matches } from './list.ts';
import type { ApiRequest } from './request.ts';

const presentReport = (report: Report, url: string): object => ({
  ...report,
  embedUrl: `${url}/platform/reports/${report.id}`,
  reportType: 12,
  folderId: 7,
  userOwner: { name: 'Bruno Reis' },
  tags: ['commercial'],
});

export function listReports({ state, query, url }: ApiRequest): Answer {
  const reports = state.reports.filter(
    ({ name, workspaceName }) =>
      matches(query, 'reportName', name) && matches(query, 'workspaceName', workspaceName),
  );
  return listAnswer(
    reports.map((report) => presentReport(report, url)),
    query,
    'pageIndex',
  );
}
