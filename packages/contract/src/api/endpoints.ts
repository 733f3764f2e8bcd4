import type { z } from 'zod';

import { requestLimits } from '../fields/scalars.ts';
import type { Endpoint } from './endpoint.ts';
import { pageSchema } from './paging.ts';
import {
  auditQuery,
  contentBody,
  dataFileParams,
  dataFileQuery,
  mintBody,
  newUserBody,
  reportLinksBody,
  reportQuery,
  roleGroupsBody,
  roleQuery,
  roleUsersBody,
  userParams,
  userQuery,
} from './requests.ts';
import {
  appliedContentSchema,
  auditEntrySchema,
  changedDataSchema,
  identityUrlSchema,
  reportSchema,
  rlsRoleSchema,
  userSchema,
} from './resources.ts';

/** The whole API. Routes, client, types and documentation derive from this table. */
export const endpoints = {
  listUsers: {
    number: 1,
    method: 'GET',
    path: '/api/user',
    permission: 'users:read',
    summary: 'List users',
    description:
      'Users of the organization, by e-mail, each with the reports they may open and the ' +
      'groups they belong to.',
    query: userQuery,
    status: 200,
    response: pageSchema(userSchema),
    errors: [],
  },
  createUser: {
    number: 2,
    method: 'POST',
    path: '/api/user',
    permission: 'users:write',
    administratorPermission: 'administrators:write',
    summary: 'Create a user',
    description:
      'A new user belongs to no group and may open no report. Viewers (role 3) get none ' +
      'of the three `can…` rights, the other roles get all. A second request answers ' +
      '`user_exists`.',
    body: newUserBody,
    bodyLimit: requestLimits.body,
    status: 201,
    response: userSchema,
    errors: ['user_exists'],
  },
  deleteUser: {
    number: 3,
    method: 'DELETE',
    path: '/api/user/{userEmail}',
    permission: 'users:write',
    administratorPermission: 'administrators:write',
    summary: 'Delete a user',
    description:
      'Deletes their links and role memberships, and ends their open sessions and unused ' +
      'identity URLs at once. Entries of the report access log remain.',
    params: userParams,
    status: 204,
    errors: ['user_not_found'],
  },
  linkReports: {
    number: 4,
    method: 'PUT',
    path: '/api/user/link-reports',
    permission: 'report-access:write',
    summary: 'Grant a user access to reports',
    description:
      'Linking a report again succeeds and changes nothing. If a report does not exist, ' +
      'nothing is linked, and the answer lists every such report.',
    body: reportLinksBody,
    bodyLimit: requestLimits.listBody,
    status: 204,
    errors: ['user_not_found', 'unknown_references'],
  },
  unlinkReports: {
    number: 5,
    method: 'PUT',
    path: '/api/user/unlink-reports',
    permission: 'report-access:write',
    summary: "Remove a user's direct access to reports",
    description:
      'Removes direct links only: access through a group remains. It takes effect at ' +
      'once, also in open sessions. Unlinking a report that is not linked succeeds and ' +
      'changes nothing.',
    body: reportLinksBody,
    bodyLimit: requestLimits.listBody,
    status: 204,
    errors: ['user_not_found', 'unknown_references'],
  },
  listReports: {
    number: 6,
    method: 'GET',
    path: '/api/report',
    permission: 'reports:read',
    summary: 'List reports',
    description: 'Reports of the organization, by name.',
    query: reportQuery,
    status: 200,
    response: pageSchema(reportSchema),
    errors: [],
  },
  listRlsRoles: {
    number: 7,
    method: 'GET',
    path: '/api/datasets/rls',
    permission: 'rls:read',
    summary: 'List row-level-security roles',
    description:
      'Roles of the organization, by dataset and then name, each with the users and ' +
      'groups it is linked to.',
    query: roleQuery,
    status: 200,
    response: pageSchema(rlsRoleSchema),
    errors: [],
  },
  linkRlsUsers: {
    number: 8,
    method: 'PUT',
    path: '/api/datasets/rls/link-users',
    permission: 'rls:write',
    summary: 'Link a role to users',
    description:
      'A user with several roles of a dataset sees the rows of all of them. If a user does ' +
      'not exist, nothing is linked, and the answer lists every such user.',
    body: roleUsersBody,
    bodyLimit: requestLimits.listBody,
    status: 204,
    errors: ['role_not_found', 'unknown_references'],
  },
  linkRlsGroups: {
    number: 9,
    method: 'PUT',
    path: '/api/datasets/rls/link-groups',
    permission: 'rls:write',
    summary: 'Link a role to groups',
    description:
      'Every member of a linked group has the role. If a group does not exist, nothing is ' +
      'linked, and the answer lists every such group.',
    body: roleGroupsBody,
    bodyLimit: requestLimits.listBody,
    status: 204,
    errors: ['role_not_found', 'unknown_references'],
  },
  unlinkRlsUsers: {
    number: 10,
    method: 'PUT',
    path: '/api/datasets/rls/unlink-users',
    permission: 'rls:write',
    summary: 'Unlink a role from users',
    description:
      'Roles through a group remain. Unlinking a role that is not linked succeeds and ' +
      'changes nothing. If a dataset has roles, a user without any of them sees none of ' +
      'its rows.',
    body: roleUsersBody,
    bodyLimit: requestLimits.listBody,
    status: 204,
    errors: ['role_not_found', 'unknown_references'],
  },
  unlinkRlsGroups: {
    number: 11,
    method: 'PUT',
    path: '/api/datasets/rls/unlink-groups',
    permission: 'rls:write',
    summary: 'Unlink a role from groups',
    description:
      'Roles that users have directly or through other groups remain. Unlinking a role that ' +
      'is not linked succeeds and changes nothing.',
    body: roleGroupsBody,
    bodyLimit: requestLimits.listBody,
    status: 204,
    errors: ['role_not_found', 'unknown_references'],
  },
  listAuditEntries: {
    number: 12,
    method: 'GET',
    path: '/api/report-audit',
    permission: 'audit:read',
    summary: 'Read the report access log',
    description:
      'One entry for each grant of access to a report, newest first: when a URL for one ' +
      'report is minted, and when a user opens a report while browsing the portal.',
    query: auditQuery,
    status: 200,
    response: pageSchema(auditEntrySchema),
    errors: [],
  },
  mintIdentityUrl: {
    number: 13,
    method: 'POST',
    path: '/api/identity/url',
    permission: 'identity:mint',
    summary: 'Mint a single-use URL that opens the portal',
    description:
      'The URL opens the portal as the named user, once, within five minutes: put it into ' +
      'the `src` of an iframe. With `organizationId` and `reportId` it opens that one ' +
      'report, and the report access log gets an entry. Without them it opens the whole ' +
      'portal. Filters narrow what row-level security allows and never widen it.',
    body: mintBody,
    bodyLimit: requestLimits.body,
    status: 200,
    response: identityUrlSchema,
    errors: ['organization_mismatch', 'user_not_found', 'user_expired', 'report_not_accessible'],
  },
  endSessions: {
    number: null,
    method: 'DELETE',
    path: '/api/user/{userEmail}/sessions',
    permission: 'identity:mint',
    summary: "End a user's sessions",
    description:
      "Ends the user's open portal sessions and unused identity URLs at once. Call it when the " +
      'user signs out of your application. You can mint a new URL for the user at any time.',
    params: userParams,
    status: 204,
    errors: ['user_not_found'],
  },
  applyContent: {
    number: null,
    method: 'PUT',
    path: '/api/content',
    permission: 'content:write',
    summary: 'Apply content files',
    description:
      'Brings datasets, reports and row-level-security roles to the state of the files, all or ' +
      'nothing. The data files that they name must be in the folder of the organization. If the ' +
      'content would have mistakes, the answer lists each with file, line and column. A key with ' +
      'this permission can show any row of the organization to any user.',
    body: contentBody,
    bodyLimit: requestLimits.contentBody,
    status: 200,
    response: appliedContentSchema,
    errors: ['content_conflict', 'invalid_content'],
  },
  putDataFile: {
    number: null,
    method: 'PUT',
    path: '/api/content/files/{fileName}',
    permission: 'content:write',
    summary: 'Store or replace a data file',
    description:
      'Stores the body, a CSV file, workbook or Parquet file, under its name, and brings it to every ' +
      'dataset that reads it, all or nothing. A new name that matches the `files` of a dataset adds its rows. ' +
      'Datasets, roles and links keep their ids, and running queries finish on the old data. If a ' +
      'dataset, report or role would not fit the new data, the answer lists each place. A file ' +
      'with the same bytes as another file of a dataset, whose rows would count twice, and a key ' +
      'of a look-up that is no longer unique are refused with `data_conflict`, unless `force` is ' +
      'set.',
    params: dataFileParams,
    query: dataFileQuery,
    isUpload: true,
    bodyLimit: requestLimits.dataFile,
    status: 200,
    response: changedDataSchema,
    errors: ['data_conflict', 'stale_version', 'invalid_content', 'storage_full'],
  },
} as const satisfies Record<string, Endpoint>;

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;

type Part<Name extends EndpointName, Key extends 'params' | 'query' | 'body'> =
  Endpoints[Name] extends Record<Key, infer Schema extends z.ZodType> ? Schema : z.ZodUnknown;

type Upload<Name extends EndpointName, Content> = Endpoints[Name] extends { isUpload: true }
  ? { content: Content }
  : unknown;

/** The input of a call: path parameters, query and body in one object, with the `content` of a file. */
export type EndpointInput<Name extends EndpointName> = z.input<Part<Name, 'params'>> &
  z.input<Part<Name, 'query'>> &
  z.input<Part<Name, 'body'>> &
  Upload<Name, string | Uint8Array>;

/** The input after parsing, with defaults. */
export type EndpointRequest<Name extends EndpointName> = z.output<Part<Name, 'params'>> &
  z.output<Part<Name, 'query'>> &
  z.output<Part<Name, 'body'>> &
  Upload<Name, AsyncIterable<Uint8Array>>;

export type EndpointResponse<Name extends EndpointName> =
  Endpoints[Name] extends Record<'response', infer Schema extends z.ZodType>
    ? z.output<Schema>
    : void;
