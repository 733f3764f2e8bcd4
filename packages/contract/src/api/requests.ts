import { z } from 'zod';

import { displayFlags } from '../fields/display.ts';
import { email, emailFilter } from '../fields/email.ts';
import { customFiltersSchema } from '../fields/filters.ts';
import {
  booleanParameter,
  idSchema,
  integerParameter,
  requestLimits,
  storableText,
  nonEmptyText,
  textFilter,
  timestampSchema,
} from '../fields/scalars.ts';
import { sample } from './example.ts';
import { pageQuery } from './paging.ts';

// Requests are strict: an unknown field is an error.

const describeFilter = (subject: string, filter: typeof emailFilter) =>
  filter.describe(`Only ${subject} contains this text, ignoring letter case.`);
const substring = (subject: string) => describeFilter(subject, textFilter(requestLimits.name));

const userEmail = email.meta({
  description: "The user's e-mail, in any letter case.",
  example: sample.userEmail,
});

export const userQuery = z.strictObject({
  name: substring('users whose name'),
  email: describeFilter('users whose e-mail', emailFilter).meta({ example: '@acme.example' }),
  ...pageQuery,
});

export const newUserBody = z.strictObject({
  email: email.meta({
    description: 'Unique within the organization, ignoring letter case.',
    example: sample.userEmail,
  }),
  name: nonEmptyText(requestLimits.name).meta({
    description: 'Display name.',
    example: sample.userName,
  }),
  role: z.int().min(1).max(4).meta({
    description: '1 Administrator, 2 Contributor, 3 Viewer, 4 Workspace Contributor.',
    example: 3,
  }),
});

export const userParams = z.strictObject({ userEmail });

export const reportLinksBody = z.strictObject({
  userEmail,
  reports: z
    .array(idSchema)
    .max(requestLimits.listMembers)
    .meta({ description: 'Ids of reports.', example: [sample.reportId] }),
});

export const reportQuery = z.strictObject({
  reportName: substring('reports whose name').meta({ example: 'sales' }),
  workspaceName: substring('reports whose workspace’s name').meta({
    example: sample.workspaceName,
  }),
  ...pageQuery,
});

export const roleQuery = z.strictObject({
  datasetId: idSchema
    .optional()
    .meta({ description: 'Only roles of this dataset.', example: sample.datasetId }),
  ...pageQuery,
});

const role = {
  datasetId: idSchema.meta({
    description: 'The dataset that the role belongs to.',
    example: sample.datasetId,
  }),
  role: nonEmptyText(requestLimits.name).meta({
    description: "The role's name. Letter case matters.",
    example: sample.roleName,
  }),
};

export const roleUsersBody = z.strictObject({
  usersEmails: z
    .array(email)
    .max(requestLimits.listMembers)
    .meta({ description: 'E-mails of users.', example: [sample.userEmail] }),
  ...role,
});

export const roleGroupsBody = z.strictObject({
  groups: z
    .array(idSchema)
    .max(requestLimits.listMembers)
    .meta({ description: 'Ids of groups.', example: [sample.groupId] }),
  ...role,
});

export const auditQuery = z.strictObject({
  userEmail: emailFilter.meta({
    description: 'Only entries with exactly this e-mail, ignoring letter case.',
    example: sample.userEmail,
  }),
  reportName: substring('entries whose report’s name'),
  reportId: idSchema.optional().describe('Only entries of this report.'),
  action: integerParameter(0, 32_767).optional().meta({
    description:
      'Only entries of this action; 1 is `TokenRequested`, 2 is `ReportExported`, 3 is `ViewedAs`.',
  }),
  from: timestampSchema.optional().meta({
    description: 'Only entries at or after this time; a date alone is midnight UTC.',
    example: '2026-01-01T00:00:00Z',
  }),
  to: timestampSchema.optional().meta({
    description: 'Only entries before this time; a date alone is midnight UTC.',
    example: '2026-02-01T00:00:00Z',
  }),
  ...pageQuery,
});

export const contentBody = z.strictObject({
  files: z
    .record(z.string().max(requestLimits.name), storableText(requestLimits.contentBody))
    .meta({
      description:
        'The texts of the content files by their paths: `datasets/NAME.yaml`, `reports/NAME.yaml`.',
      example: { 'reports/sales.yaml': sample.reportFile },
    }),
  prune: z.boolean().optional().meta({
    description: 'Archives each dataset and report that `files` lacks. Default: they stay.',
    example: false,
  }),
  dryRun: z
    .boolean()
    .optional()
    .meta({ description: 'Answers what would change, and changes nothing.', example: true }),
  force: z
    .boolean()
    .optional()
    .meta({
      description:
        'Overwrites items that were edited in the portal since they were applied, and restores those ' +
        'that were archived there.',
      example: false,
    }),
});

export const dataFileParams = z.strictObject({
  fileName: nonEmptyText(500).meta({
    description:
      'Path in the data folder, as `file` or `files` of datasets name it. Write `%2F` for a slash.',
    example: 'sales.csv',
  }),
});

export const dataFileQuery = z.strictObject({
  dryRun: booleanParameter.optional().meta({
    description: 'Answers what would change, and changes nothing.',
    example: true,
  }),
  force: booleanParameter.optional().meta({
    description: 'Applies the change despite `data_conflict`.',
    example: false,
  }),
});

export const mintBody = z
  .strictObject({
    userEmail: email.meta({
      description: 'The user who is signed in to the calling system. Recorded in the log.',
      example: sample.userEmail,
    }),
    baseUrl: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address' })
      .optional()
      .meta({
        description:
          'The portal address to open, registered for the organization. By default the ' +
          "service's own address, which does not have the organization's appearance.",
        example: sample.portalAddress,
      }),
    organizationId: idSchema
      .optional()
      .meta({ description: 'Requires `reportId`.', example: sample.organizationId }),
    reportId: idSchema.optional().meta({
      description:
        'Opens this one report; requires `organizationId`. Without it, the whole portal opens.',
      example: sample.reportId,
    }),
    ...displayFlags,
    customFilters: customFiltersSchema.optional().meta({
      description: 'Filters to open with. A row must match at least one value of each key.',
      example: [{ key: 'Superstore/Region', value: 'West' }],
    }),
  })
  .refine((body) => (body.organizationId === undefined) === (body.reportId === undefined), {
    error:
      'and organizationId must come together: pass both to open a report, or neither to open the portal',
    path: ['reportId'],
  });
