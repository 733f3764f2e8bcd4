import { z } from 'zod';

import { displayFlags } from '../fields/display.ts';
import { email, emailFilter } from '../fields/email.ts';
import { customFiltersSchema } from '../fields/filters.ts';
import {
  idSchema,
  integerParameter,
  requestLimits,
  storableText,
  nonEmptyText,
  textFilter,
  timestampSchema,
} from '../fields/scalars.ts';
import { pageQuery } from './paging.ts';

// Requests are strict: an unknown field is an error.

const describeFilter = (subject: string, filter: typeof emailFilter) =>
  filter.describe(`Only ${subject} contains this text, ignoring letter case.`);
const substring = (subject: string) => describeFilter(subject, textFilter(requestLimits.name));

const userEmail = email.describe("The user's e-mail, in any letter case.");

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
  role: nonEmptyText(requestLimits.name).describe("The role's name. Letter case matters."),
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
  action: integerParameter(0, 32_767).optional().meta({
    description:
      'Only entries of this action; 1 is `TokenRequested`, 2 is `ReportExported`, 3 is `ViewedAs`.',
  }),
  from: timestampSchema
    .optional()
    .describe('Only entries at or after this time; a date alone is midnight UTC.'),
  to: timestampSchema
    .optional()
    .describe('Only entries before this time; a date alone is midnight UTC.'),
  ...pageQuery,
});

export const contentBody = z.strictObject({
  files: z
    .record(z.string().max(requestLimits.name), storableText(requestLimits.contentBody))
    .describe(
      'The texts of the content files by their paths: `datasets/NAME.yaml`, `reports/NAME.yaml`.',
    ),
  prune: z
    .boolean()
    .optional()
    .describe('Archives each dataset and report that `files` lacks. Default: they stay.'),
  dryRun: z.boolean().optional().describe('Answers what would change, and changes nothing.'),
  force: z
    .boolean()
    .optional()
    .describe('Overwrites items that were edited in the portal since they were applied.'),
});

export const mintBody = z
  .strictObject({
    userEmail: email.describe(
      'The user who is signed in to the calling system. Recorded in the log.',
    ),
    baseUrl: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address' })
      .optional()
      .describe(
        'The portal address to open, registered for the organization. By default the ' +
          "service's own address, which does not have the organization's appearance.",
      ),
    organizationId: idSchema.optional().describe('Requires `reportId`.'),
    reportId: idSchema
      .optional()
      .describe(
        'Opens this one report; requires `organizationId`. Without it, the whole portal opens.',
      ),
    ...displayFlags,
    customFilters: customFiltersSchema
      .optional()
      .describe('Filters to open with. A row must match at least one value of each key.'),
  })
  .refine((body) => (body.organizationId === undefined) === (body.reportId === undefined), {
    error:
      'and organizationId must come together: pass both to open a report, or neither to open the portal',
    path: ['reportId'],
  });
