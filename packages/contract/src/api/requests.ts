import { z } from 'zod';

import { customFiltersSchema, displayFlags } from '../fields/display.ts';
import { email, emailFilter } from '../fields/email.ts';
import {
  idSchema,
  integerParameter,
  requestLimits,
  nonEmptyText,
  textFilter,
  timestampSchema,
} from '../fields/scalars.ts';
import { pageQuery } from './paging.ts';

/** What each endpoint's request carries; a field that is not listed is refused. */

const describeFilter = (what: string, filter: typeof emailFilter) =>
  filter.describe(`Only ${what} contains this text, ignoring letter case.`);
const substring = (what: string) => describeFilter(what, textFilter(requestLimits.name));

const userEmail = email.describe("The user's e-mail; letter case does not matter.");

export const userQuery = z.strictObject({
  name: substring('users whose name'),
  email: describeFilter('users whose e-mail', emailFilter),
  ...pageQuery,
});

export const newUserBody = z.strictObject({
  email: email.describe('Unique within the organization, ignoring letter case.'),
  name: nonEmptyText(requestLimits.name).describe('Display name.'),
  role: z
    .int()
    .min(1)
    .max(4)
    .describe('1 Administrator, 2 Contributor, 3 Viewer, 4 Workspace Contributor.'),
});

export const userParams = z.strictObject({ userEmail });

export const reportLinksBody = z.strictObject({
  userEmail,
  reports: z.array(idSchema).max(requestLimits.listMembers).describe('Ids of reports.'),
});

export const reportQuery = z.strictObject({
  reportName: substring('reports whose name'),
  workspaceName: substring('reports whose workspace’s name'),
  ...pageQuery,
});

export const roleQuery = z.strictObject({
  datasetId: idSchema.optional().describe('Only roles of this dataset.'),
  ...pageQuery,
});

const role = {
  datasetId: idSchema.describe('The dataset that the role belongs to.'),
  role: nonEmptyText(requestLimits.name).describe("The role's name, in its own letter case."),
};

export const roleUsersBody = z.strictObject({
  usersEmails: z.array(email).max(requestLimits.listMembers).describe('E-mails of users.'),
  ...role,
});

export const roleGroupsBody = z.strictObject({
  groups: z.array(idSchema).max(requestLimits.listMembers).describe('Ids of groups.'),
  ...role,
});

export const auditQuery = z.strictObject({
  userEmail: emailFilter.describe('Only entries with exactly this e-mail, ignoring letter case.'),
  reportName: substring('entries whose report’s name'),
  reportId: idSchema.optional().describe('Only entries of this report.'),
  action: integerParameter(0, 32_767)
    .optional()
    .meta({ description: 'Only entries of this action; 1 is `TokenRequested`.' }),
  from: timestampSchema
    .optional()
    .describe('Only entries at or after this time; a date alone is midnight UTC.'),
  to: timestampSchema
    .optional()
    .describe('Only entries before this time; a date alone is midnight UTC.'),
  ...pageQuery,
});

export const mintBody = z
  .strictObject({
    userEmail: email.describe('Who is signed in to the calling system. Recorded in the log.'),
    baseUrl: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address' })
      .optional()
      .describe(
        'The portal address to open: one that is registered for the organization. Without it the ' +
          "service's own address is used, which has no organization's look.",
      ),
    organizationId: idSchema.optional().describe('Only together with `reportId`.'),
    reportId: idSchema
      .optional()
      .describe('Opens this one report, together with `organizationId`; else the whole portal.'),
    ...displayFlags,
    customFilters: customFiltersSchema
      .optional()
      .describe(
        'Filters to open with. Values of one key: any of them; different keys: all of them.',
      ),
  })
  .refine((body) => (body.organizationId === undefined) === (body.reportId === undefined), {
    error: 'organizationId and reportId go together: give both for one report, none for the portal',
    path: ['reportId'],
  });
