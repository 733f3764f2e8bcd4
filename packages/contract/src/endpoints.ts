import { z } from 'zod';

import { customFiltersSchema, displayFlags } from './display.ts';
import { page, pageQuery } from './page.ts';
import type { Permission } from './permissions.ts';
import {
  auditEntrySchema,
  identityUrlSchema,
  reportSchema,
  rlsRoleSchema,
  userSchema,
} from './resources.ts';
import { email, id, integerParameter, limits, text, textFilter, timestamp } from './scalars.ts';

/** One row of the API. `number` is the row's place in the specification. */
export interface Endpoint {
  number: number;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  permission: Permission;
  summary: string;
  /** What the request carries; a field that is not listed is refused. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** Status of success; without `response` the answer has no body. */
  status: 200 | 201 | 204;
  response?: z.ZodType;
}

const reportLinks = z.strictObject({
  userEmail: email,
  reports: z.array(id).max(limits.listMembers),
});

const roleUsers = z.strictObject({
  usersEmails: z.array(email).max(limits.listMembers),
  datasetId: id,
  role: text(limits.name),
});

const roleGroups = z.strictObject({
  groups: z.array(id).max(limits.listMembers),
  datasetId: id,
  role: text(limits.name),
});

const mintBody = z
  .strictObject({
    userEmail: email,
    baseUrl: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
    organizationId: id.optional(),
    reportId: id.optional(),
    ...displayFlags,
    customFilters: customFiltersSchema.optional(),
  })
  .refine((body) => (body.organizationId === undefined) === (body.reportId === undefined), {
    error: 'organizationId and reportId go together: give both for one report, none for the portal',
    path: ['reportId'],
  });

/** The whole API: method, path, permission and shapes. Everything else derives from this table. */
export const endpoints = {
  listUsers: {
    number: 1,
    method: 'GET',
    path: '/api/user',
    permission: 'users:read',
    summary: 'List users',
    query: z.strictObject({ name: textFilter, email: textFilter, ...pageQuery }),
    status: 200,
    response: page(userSchema),
  },
  createUser: {
    number: 2,
    method: 'POST',
    path: '/api/user',
    permission: 'users:write',
    summary: 'Create a user',
    body: z.strictObject({ email, name: text(limits.name), role: z.int().min(1).max(4) }),
    status: 201,
    response: userSchema,
  },
  deleteUser: {
    number: 3,
    method: 'DELETE',
    path: '/api/user/{userEmail}',
    permission: 'users:write',
    summary: 'Delete a user',
    params: z.strictObject({ userEmail: email }),
    status: 204,
  },
  linkReports: {
    number: 4,
    method: 'PUT',
    path: '/api/user/link-reports',
    permission: 'report-access:write',
    summary: 'Grant a user access to reports',
    body: reportLinks,
    status: 204,
  },
  unlinkReports: {
    number: 5,
    method: 'PUT',
    path: '/api/user/unlink-reports',
    permission: 'report-access:write',
    summary: "Remove a user's direct access to reports",
    body: reportLinks,
    status: 204,
  },
  listReports: {
    number: 6,
    method: 'GET',
    path: '/api/report',
    permission: 'reports:read',
    summary: 'List reports',
    query: z.strictObject({ reportName: textFilter, workspaceName: textFilter, ...pageQuery }),
    status: 200,
    response: page(reportSchema),
  },
  listRlsRoles: {
    number: 7,
    method: 'GET',
    path: '/api/datasets/rls',
    permission: 'rls:read',
    summary: 'List row-level-security roles',
    query: z.strictObject({ datasetId: id.optional(), ...pageQuery }),
    status: 200,
    response: page(rlsRoleSchema),
  },
  linkRlsUsers: {
    number: 8,
    method: 'PUT',
    path: '/api/datasets/rls/link-users',
    permission: 'rls:write',
    summary: 'Link a role to users',
    body: roleUsers,
    status: 204,
  },
  linkRlsGroups: {
    number: 9,
    method: 'PUT',
    path: '/api/datasets/rls/link-groups',
    permission: 'rls:write',
    summary: 'Link a role to groups',
    body: roleGroups,
    status: 204,
  },
  unlinkRlsUsers: {
    number: 10,
    method: 'PUT',
    path: '/api/datasets/rls/unlink-users',
    permission: 'rls:write',
    summary: 'Unlink a role from users',
    body: roleUsers,
    status: 204,
  },
  unlinkRlsGroups: {
    number: 11,
    method: 'PUT',
    path: '/api/datasets/rls/unlink-groups',
    permission: 'rls:write',
    summary: 'Unlink a role from groups',
    body: roleGroups,
    status: 204,
  },
  listAuditEntries: {
    number: 12,
    method: 'GET',
    path: '/api/report-audit',
    permission: 'audit:read',
    summary: 'Read the report access log',
    query: z.strictObject({
      /** Exact, ignoring case. */
      userEmail: textFilter,
      reportName: textFilter,
      reportId: id.optional(),
      action: integerParameter(0, 32_767).optional(),
      /** From this moment on … */
      from: timestamp.optional(),
      /** … until before this one. */
      to: timestamp.optional(),
      ...pageQuery,
    }),
    status: 200,
    response: page(auditEntrySchema),
  },
  mintIdentityUrl: {
    number: 13,
    method: 'POST',
    path: '/api/identity/url',
    permission: 'identity:mint',
    summary: 'Mint a single-use URL that opens the portal',
    body: mintBody,
    status: 200,
    response: identityUrlSchema,
  },
} as const satisfies Record<string, Endpoint>;

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;

type Part<Name extends EndpointName, Key extends 'params' | 'query' | 'body'> =
  Endpoints[Name] extends Record<Key, infer Schema extends z.ZodType> ? Schema : z.ZodUnknown;

/** What a caller gives: path parameters, query and body as one object. */
export type EndpointInput<Name extends EndpointName> = z.input<Part<Name, 'params'>> &
  z.input<Part<Name, 'query'>> &
  z.input<Part<Name, 'body'>>;

/** What a handler gets: the same, checked and with defaults. */
export type EndpointRequest<Name extends EndpointName> = z.output<Part<Name, 'params'>> &
  z.output<Part<Name, 'query'>> &
  z.output<Part<Name, 'body'>>;

export type EndpointResponse<Name extends EndpointName> =
  Endpoints[Name] extends Record<'response', infer Schema extends z.ZodType>
    ? z.output<Schema>
    : void;
