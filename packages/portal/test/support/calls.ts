import {
  endpointExamples,
  endpoints,
  type Endpoint,
  type EndpointName,
  type ErrorCode,
} from '@portal-embed/contract';

import type { TestOrganization } from './organization.ts';

/** The input of one call of an endpoint. */
export interface Call {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
}

/** A report over a dataset that has no content file. */
const reportFile = `name: Orders
workspace: Sales
dataset: orders
pages: [{ name: Overview, rows: [{ tiles: [{ type: kpi, metric: Sales }] }] }]
`;

export const missingId = '00000000-0000-4000-8000-000000000000';

/**
 * A valid call of each endpoint that changes nothing, because the state is already as requested or
 * because its subject does not allow it.
 */
export const harmlessCalls: Record<
  EndpointName,
  { status: number; call: (organization: TestOrganization) => Call }
> = {
  listUsers: {
    status: 200,
    call: () => ({ query: { name: 'w', email: '@', pageNumber: '1', pageSize: '50' } }),
  },
  createUser: {
    status: 409,
    call: ({ emails }) => ({ body: { ...endpointExamples.createUser.body, email: emails.west } }),
  },
  deleteUser: { status: 404, call: () => ({ params: { userEmail: 'nobody@nowhere.example' } }) },
  linkReports: {
    status: 204,
    call: ({ emails, reportId }) => ({ body: { userEmail: emails.west, reports: [reportId] } }),
  },
  unlinkReports: {
    status: 204,
    call: ({ emails, groupReportId }) => ({
      body: { userEmail: emails.west, reports: [groupReportId] },
    }),
  },
  listReports: {
    status: 200,
    call: () => ({
      query: { reportName: 'o', workspaceName: 'a', pageNumber: '1', pageSize: '50' },
    }),
  },
  listRlsRoles: {
    status: 200,
    call: ({ datasetId }) => ({ query: { datasetId, pageNumber: '1', pageSize: '50' } }),
  },
  linkRlsUsers: {
    status: 204,
    call: ({ emails, datasetId }) => ({
      body: { usersEmails: [emails.west], datasetId, role: 'West' },
    }),
  },
  linkRlsGroups: {
    status: 422,
    call: ({ datasetId }) => ({ body: { groups: [missingId], datasetId, role: 'West' } }),
  },
  unlinkRlsUsers: {
    status: 204,
    call: ({ emails, datasetId }) => ({
      body: { usersEmails: [emails.outsider], datasetId, role: 'West' },
    }),
  },
  unlinkRlsGroups: {
    status: 204,
    call: ({ groupId, datasetId }) => ({
      body: { groups: [groupId], datasetId, role: 'West' },
    }),
  },
  listAuditEntries: {
    status: 200,
    call: ({ emails, reportId }) => ({
      query: {
        userEmail: emails.west,
        reportName: 'Orders',
        reportId,
        action: '1',
        from: '2020-01-01T00:00:00Z',
        to: '2100-01-01T00:00:00Z',
        pageNumber: '1',
        pageSize: '50',
      },
    }),
  },
  mintIdentityUrl: {
    status: 403,
    call: ({ emails, id, address, reportId }) => ({
      body: {
        userEmail: emails.outsider,
        baseUrl: address,
        organizationId: id,
        reportId,
        hideMenu: true,
        hideNavbar: false,
        hideSidebar: true,
        embed: false,
        customFilters: [{ key: 'Orders/Region', value: 'West' }],
      },
    }),
  },
  endSessions: { status: 404, call: () => ({ params: { userEmail: 'nobody@nowhere.example' } }) },
  applyContent: {
    status: 422,
    call: () => ({
      body: {
        files: { 'reports/orders.yaml': reportFile },
        prune: false,
        dryRun: true,
        force: false,
      },
    }),
  },
  // A file without bytes is refused.
  putDataFile: {
    status: 400,
    call: () => ({
      params: { fileName: 'orders.csv' },
      query: { dryRun: 'true', force: 'false' },
    }),
  },
};

/**
 * A call of each endpoint that would show or change data of its organization, and the response to
 * another organization's key: an error code, or a status if the call concerns only the caller's own
 * data. The group must be linked to the role East.
 */
export const foreignCalls: Record<
  EndpointName,
  { answer: ErrorCode | 200 | 201; call: (organization: TestOrganization) => Call }
> = {
  listUsers: { answer: 200, call: () => ({}) },
  createUser: { answer: 201, call: harmlessCalls.createUser.call },
  deleteUser: {
    answer: 'user_not_found',
    call: ({ emails }) => ({ params: { userEmail: emails.none } }),
  },
  linkReports: {
    answer: 'user_not_found',
    call: ({ emails, reportId }) => ({ body: { userEmail: emails.outsider, reports: [reportId] } }),
  },
  unlinkReports: {
    answer: 'user_not_found',
    call: ({ emails, reportId }) => ({ body: { userEmail: emails.west, reports: [reportId] } }),
  },
  listReports: { answer: 200, call: () => ({}) },
  listRlsRoles: { answer: 200, call: ({ datasetId }) => ({ query: { datasetId } }) },
  linkRlsUsers: {
    answer: 'role_not_found',
    call: ({ emails, datasetId }) => ({
      body: { usersEmails: [emails.outsider], datasetId, role: 'West' },
    }),
  },
  linkRlsGroups: {
    answer: 'role_not_found',
    call: ({ groupId, datasetId }) => ({ body: { groups: [groupId], datasetId, role: 'West' } }),
  },
  unlinkRlsUsers: {
    answer: 'role_not_found',
    call: ({ emails, datasetId }) => ({
      body: { usersEmails: [emails.west], datasetId, role: 'West' },
    }),
  },
  unlinkRlsGroups: {
    answer: 'role_not_found',
    call: ({ groupId, datasetId }) => ({ body: { groups: [groupId], datasetId, role: 'East' } }),
  },
  listAuditEntries: { answer: 200, call: ({ reportId }) => ({ query: { reportId } }) },
  mintIdentityUrl: {
    answer: 'organization_mismatch',
    call: ({ emails, id, address, reportId }) => ({
      body: { userEmail: emails.west, baseUrl: address, organizationId: id, reportId },
    }),
  },
  endSessions: {
    answer: 'user_not_found',
    call: ({ emails }) => ({ params: { userEmail: emails.west } }),
  },
  applyContent: {
    answer: 'invalid_content',
    call: ({ reportId }) => ({
      body: { files: { 'reports/orders.yaml': `id: ${reportId}\n${reportFile}` } },
    }),
  },
  putDataFile: {
    answer: 'invalid_request',
    call: () => ({ params: { fileName: 'orders.csv' } }),
  },
};

/** Returns the HTTP request of a call. */
export function requestOf(
  name: EndpointName,
  { params = {}, query = {}, body }: Call,
): { method: string; path: string; json?: unknown } {
  const row: Endpoint = endpoints[name];
  const path = row.path.replace(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(asText(params[key])),
  );
  const search = Object.entries(query)
    .flatMap(([key, value]) => [value].flat().map((each) => [key, asText(each)]))
    .map((pair) => pair.map((part) => encodeURIComponent(part)).join('='))
    .join('&');
  const request = { method: row.method, path: search ? `${path}?${search}` : path };
  return body === undefined ? request : { ...request, json: body };
}

/** A URL is UTF-8, which cannot encode half a surrogate pair. */
const asText = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString();
