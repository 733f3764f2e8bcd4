import { seeded } from './admin-lists-seed.ts';
import type { Scale } from './seed.ts';

/** A GET of the administration, below the path of the organization, or of the API. */
export interface ListRequest {
  of: 'pages' | 'API';
  title: string;
  path: string;
}

const day = 86_400_000;
const daysAgo = (days: number) =>
  encodeURIComponent(new Date(Date.now() - days * day).toISOString());

const middle = (rows: number, pageSize: number) => Math.ceil(rows / pageSize / 2);

/** Each list of the pages with its filters, after the API's list of the same rows. */
export function requests({ users, auditEntries }: Scale): ListRequest[] {
  const of = (list: ListRequest['of'], rows: Record<string, string>) =>
    Object.entries(rows).map(([title, path]) => ({ of: list, title, path }));
  return [
    ...of('API', {
      'users, first page': '/api/user',
      'users, middle page': `/api/user?pageNumber=${middle(users, 50)}`,
      'users, name of a few users': '/api/user?name=Ada%20Khh',
      'users, name of a tenth of users': '/api/user?name=grace',
      'users, letter in nearly all names': '/api/user?name=a',
      'users, two letters, no match': '/api/user?name=zq',
    }),
    ...of('pages', {
      'users, first page': '/users',
      'users, middle page': `/users?page=${middle(users, 25)}`,
      'users, name of a few users': '/users?search=Ada%20Khh',
      'users, name of a tenth of users': '/users?search=grace',
      'users, letter in nearly all names': '/users?search=a',
      'users, two letters, no match': '/users?search=zq',
      'users, role of a thousandth': '/users?role=2',
      'users, role of nearly all': '/users?role=3',
      'users, role of nearly all, middle page': `/users?role=3&page=${middle(users, 25)}`,
      'users, role of nearly all, name of a tenth': '/users?role=3&search=grace',
      'users, access ends soon': '/users?expiry=soon',
      'users, access has ended': '/users?expiry=expired',
      'users, one company': `/users?companyId=${seeded.company}`,
      'users, one company, name of a tenth': `/users?companyId=${seeded.company}&search=grace`,
      'users, one group': `/users?groupId=${seeded.group}`,
      'a user': `/users/${seeded.user}`,
      'users and groups to choose, no text': '/holders',
      'users and groups to choose, a few': '/holders?search=Ada%20Khh',
      'users and groups to choose, a tenth': '/holders?search=grace',
      'users and groups to choose, nearly all': '/holders?search=a',
      'users and groups to choose, no match': '/holders?search=zq',
      'groups, first page': '/groups',
      'groups, one by name': '/groups?search=Group%20777',
      'a group': `/groups/${seeded.group}`,
      companies: '/companies',
      workspaces: '/workspaces',
      datasets: '/datasets',
    }),
    ...of('API', {
      'reports, first page': '/api/report',
      'reports, one by name': '/api/report?reportName=report%201234',
      'reports, one workspace': '/api/report?workspaceName=workspace%2077',
    }),
    ...of('pages', {
      'reports, first page': '/reports',
      'reports, one by name': '/reports?search=report%201234',
      'reports, a quarter by name': '/reports?search=costs',
      'reports, no match': '/reports?search=zq',
      'reports, one workspace': `/reports?workspaceId=${seeded.workspace}`,
      'reports to choose': '/choices/reports?search=costs',
      'a report that a tenth of users may open': `/reports/${seeded.popularReport}`,
      'its users, first page': `/reports/${seeded.popularReport}/access`,
      'its users, page 400': `/reports/${seeded.popularReport}/access?page=400`,
      'its users, a few by name': `/reports/${seeded.popularReport}/access?search=Ada%20Khh`,
      'its users, a tenth by name': `/reports/${seeded.popularReport}/access?search=grace`,
      'its users, no match': `/reports/${seeded.popularReport}/access?search=zq`,
      'its roles, one with a tenth of users': `/reports/${seeded.popularReport}/roles`,
    }),
    ...of('API', {
      'access log, first page': '/api/report-audit',
      'access log, middle page': `/api/report-audit?pageNumber=${middle(auditEntries, 50)}`,
      'access log, one user': '/api/report-audit?userEmail=USER0000042@large.example',
      'access log, a quarter of all reports': '/api/report-audit?reportName=costs',
      'access log, one day a year ago': `/api/report-audit?from=${daysAgo(366)}&to=${daysAgo(365)}`,
      'access log, a year': `/api/report-audit?from=${daysAgo(365)}`,
      'access log, openings': '/api/report-audit?action=1',
      'access log, openings, middle page': `/api/report-audit?action=1&pageNumber=${middle(auditEntries, 50)}`,
    }),
    ...of('pages', {
      'access log, first page': '/access-log',
      'access log, middle page': `/access-log?page=${middle(auditEntries, 50)}`,
      'access log, one user': '/access-log?user=USER0000042@large.example',
      'access log, one report': `/access-log?reportId=${seeded.popularReport}`,
      'access log, a quarter of all reports': '/access-log?reportName=costs',
      'access log, one day a year ago': `/access-log?from=${daysAgo(366)}&to=${daysAgo(365)}`,
      'access log, a year': `/access-log?from=${daysAgo(365)}`,
      'access log, openings': '/access-log?action=1',
      'access log, openings of one user':
        '/access-log?action=1&userEmail=user0000042@large.example',
      'access log, viewed as another': '/access-log?action=3',
      'openings and refusals of 30 days': '/access-log/days',
      'activity log, newest': '/activity-log',
      'activity log, next page': '/activity-log?beforeId=5000000',
      'activity log, mints': '/activity-log?action=mintIdentityUrl',
      'activity log, a frequent action': '/activity-log?action=updateUser',
      'activity log, a rare action': '/activity-log?action=createOrganization',
      'activity log, an action without entries': '/activity-log?action=deleteUser',
      'activity log, refusals': '/activity-log?refused=true',
      'activity log, refusals of an action without any': '/activity-log?refused=true&action=viewAs',
      'activity log, until a year ago': `/activity-log?to=${daysAgo(365)}`,
      'activity log, one day a year ago': `/activity-log?from=${daysAgo(366)}&to=${daysAgo(365)}`,
      'activity log, refusals of one day': `/activity-log?refused=true&from=${daysAgo(366)}&to=${daysAgo(365)}`,
      overview: '/overview',
    }),
  ];
}
