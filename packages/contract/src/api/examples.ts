import type { z } from 'zod';

import type { EndpointInput, EndpointName, EndpointResponse, Endpoints } from './endpoints.ts';

type PartExample<Name extends EndpointName, Key extends 'params' | 'query' | 'body'> =
  Endpoints[Name] extends Record<Key, infer Schema extends z.ZodType>
    ? Record<Key, z.input<Schema>>
    : unknown;

type EndpointExample<Name extends EndpointName> = PartExample<Name, 'params'> &
  PartExample<Name, 'query'> &
  PartExample<Name, 'body'> &
  (Endpoints[Name] extends { response: unknown } ? { response: EndpointResponse<Name> } : unknown);

const organizationId = '3f2a7c10-58de-4b1c-9a64-0d1e8b7f2c91';
const userId = 'b7d0c1de-6c0f-4a58-8c43-1f0b6f1f9a20';
const groupId = '90c6a3f4-2f4e-4b7d-a0f5-7c9d3f6e1b52';
const reportId = '1c9f5b7e-4a30-4d7f-8f0e-2b6a9d3c8e47';
const datasetId = 'd4e8b2a6-7f15-4c39-9b0a-6e3c1f8d5a74';
const userEmail = 'west@acme.example';

const lastPage = { pageIndex: 1, totalPages: 1, hasNextPage: false, hasPreviousPage: false };

const user = {
  id: userId,
  email: userEmail,
  name: 'Wendy West',
  role: 3,
  companies: [],
  reportLandingPage: null,
  department: '',
  expirationDate: null,
  directoryAdUser: null,
  canEditReport: false,
  canCreateReport: false,
  canOverwriteReport: false,
};

const reportLinks = { userEmail, reports: [reportId] };
const roleUsers = { usersEmails: [userEmail], datasetId, role: 'West' };
const roleGroups = { groups: [groupId], datasetId, role: 'West' };

/** An example request and answer of each endpoint. */
export const endpointExamples: { [Name in EndpointName]: EndpointExample<Name> } = {
  listUsers: {
    query: { email: '@acme.example', pageNumber: 1, pageSize: 50 },
    response: { ...lastPage, data: [{ ...user, reports: [reportId], groups: [groupId] }] },
  },
  createUser: {
    // Complete, because tests send it and expect each of its fields to be stored.
    body: { email: userEmail, name: user.name, role: user.role } satisfies Required<
      EndpointInput<'createUser'>
    >,
    response: { ...user, reports: [], groups: [] },
  },
  deleteUser: { params: { userEmail } },
  linkReports: { body: reportLinks },
  unlinkReports: { body: reportLinks },
  listReports: {
    query: { reportName: 'sales', workspaceName: 'Superstore' },
    response: {
      ...lastPage,
      data: [
        {
          id: reportId,
          name: 'Sales by region',
          description: 'Sales by region and month.',
          datasetId,
          embedUrl: `https://portal.example/organizations/${organizationId}/reports/${reportId}`,
          workspaceId: 'a5f3e1c7-0b92-4d68-8e4f-3c7a1b9d6f05',
          reportType: 1,
          folderId: null,
          workspaceName: 'Superstore',
          userOwner: null,
        },
      ],
    },
  },
  listRlsRoles: {
    query: { datasetId },
    response: {
      ...lastPage,
      data: [
        {
          id: '7e1d4c9b-3a58-4f06-b2c7-9d0e5f8a1c63',
          name: 'West',
          users: [userId],
          groups: [groupId],
          datasetId,
          userEmails: [userEmail],
        },
      ],
    },
  },
  linkRlsUsers: { body: roleUsers },
  linkRlsGroups: { body: roleGroups },
  unlinkRlsUsers: { body: roleUsers },
  unlinkRlsGroups: { body: roleGroups },
  listAuditEntries: {
    query: { userEmail, from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' },
    response: {
      ...lastPage,
      data: [
        {
          id: '5b8c2e7d-1f46-4a93-8d0b-4e6f9a3c7b18',
          createdAt: '2026-01-15T09:30:12.345Z',
          organizationId,
          userId,
          userEmail,
          reportId,
          reportName: 'Sales by region',
          action: 1,
          actionName: 'TokenRequested',
        },
      ],
    },
  },
  mintIdentityUrl: {
    body: {
      userEmail,
      baseUrl: 'https://acme.portal.example',
      organizationId,
      reportId,
      hideNavbar: true,
      customFilters: [{ key: 'Superstore/Region', value: 'West' }],
    },
    response: {
      embedUrl: `https://acme.portal.example/identity?token=3nV0Yy6lq1cJbV8oE2sZ7pKx9RfTgWuA4hDmQiNyBtM&returnUrl=%2Forganizations%2F${organizationId}%2Freports%2F${reportId}`,
      expiresAt: '2026-01-15T09:35:12.345Z',
      frameChannel: true,
    },
  },
  endSessions: { params: { userEmail } },
  applyContent: {
    body: {
      files: {
        'reports/sales.yaml':
          'name: Sales by region\nworkspace: Superstore\ndataset: orders\npages:\n  - name: Overview\n    rows:\n      - tiles:\n          - type: kpi\n            metric: Sales\n',
      },
      prune: false,
      dryRun: true,
      force: false,
    },
    response: {
      changes: [
        {
          kind: 'report',
          slug: 'sales',
          id: reportId,
          name: 'Sales by region',
          change: 'update',
          conflict: false,
        },
      ],
      hints: [],
    },
  },
};
