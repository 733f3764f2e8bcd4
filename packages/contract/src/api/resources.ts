import { z } from 'zod';

import { sample } from './example.ts';

// The specification shows only `null` for these fields. Other portals may answer any value or none.
const undocumented = z.unknown().optional();

// Other portals may use identifiers that are not UUIDs.
const identifier = z.string().meta({ format: 'uuid' });

/** 1 Administrator, 2 Contributor, 3 Viewer, 4 Workspace Contributor. */
export const userRoles = {
  administrator: 1,
  contributor: 2,
  viewer: 3,
  workspaceContributor: 4,
} as const;
export type UserRole = (typeof userRoles)[keyof typeof userRoles];

export const userSchema = z.object({
  id: identifier.meta({ example: sample.userId }),
  email: z.string().meta({
    description: 'Identifies the user in paths and bodies, ignoring letter case.',
    example: sample.userEmail,
  }),
  name: z.string().meta({ example: sample.userName }),
  role: z.int().meta({
    description: '1 Administrator, 2 Contributor, 3 Viewer, 4 Workspace Contributor.',
    example: userRoles.viewer,
  }),
  reports: z.array(identifier).meta({
    description: 'Every report that the user may open, directly or through a group.',
    example: [sample.reportId],
  }),
  companies: z.array(undocumented).meta({
    description: 'The companies the user belongs to. This portal answers their ids.',
    example: [],
  }),
  groups: z
    .array(identifier)
    .meta({ description: 'The groups the user belongs to.', example: [sample.groupId] }),
  reportLandingPage: undocumented.meta({
    description:
      'The report with which the whole portal opens, if the user may open it. This portal answers its id.',
    example: null,
  }),
  department: z.string().meta({ example: '' }),
  expirationDate: undocumented.meta({
    description:
      'When the user expires; `null` means never. No identity URL is minted for an expired user. This portal answers ISO 8601.',
    example: null,
  }),
  directoryAdUser: undocumented.meta({ example: null }),
  canEditReport: z.boolean().meta({ example: false }),
  canCreateReport: z.boolean().meta({ example: false }),
  canOverwriteReport: z.boolean().meta({ example: false }),
});
export type User = z.infer<typeof userSchema>;

export const reportSchema = z.object({
  id: identifier.meta({
    description: 'The same id as on the underlying reporting platform.',
    example: sample.reportId,
  }),
  name: z.string().meta({ example: sample.reportName }),
  description: z.string().nullable().meta({ example: 'Sales by region and month.' }),
  datasetId: identifier.meta({
    description: 'The dataset that the report reads.',
    example: sample.datasetId,
  }),
  embedUrl: z.string().meta({
    description: 'Address of the report on the underlying platform.',
    example: `https://portal.example${sample.reportPath}`,
  }),
  workspaceId: identifier.meta({ example: 'a5f3e1c7-0b92-4d68-8e4f-3c7a1b9d6f05' }),
  reportType: z.int().meta({ example: 1 }),
  folderId: undocumented.meta({ example: null }),
  workspaceName: z.string().meta({ example: sample.workspaceName }),
  userOwner: undocumented.meta({ example: null }),
});
export type Report = z.infer<typeof reportSchema>;

export const rlsRoleSchema = z.object({
  id: identifier.meta({ example: '7e1d4c9b-3a58-4f06-b2c7-9d0e5f8a1c63' }),
  name: z.string().meta({
    description: 'The `role` parameter of the link and unlink endpoints.',
    example: sample.roleName,
  }),
  users: z
    .array(identifier)
    .meta({ description: 'The users that the role is linked to.', example: [sample.userId] }),
  groups: z
    .array(identifier)
    .meta({ description: 'The groups that the role is linked to.', example: [sample.groupId] }),
  datasetId: identifier.meta({
    description: 'The dataset that the role belongs to.',
    example: sample.datasetId,
  }),
  userEmails: z
    .array(z.string())
    .meta({ description: 'The e-mails of those users.', example: [sample.userEmail] }),
});
export type RlsRole = z.infer<typeof rlsRoleSchema>;

/** The number of each audited action. */
export const auditActions = { tokenRequested: 1, reportExported: 2, viewedAs: 3 } as const;
export const auditActionNames: Record<number, string> = {
  [auditActions.tokenRequested]: 'TokenRequested',
  [auditActions.reportExported]: 'ReportExported',
  [auditActions.viewedAs]: 'ViewedAs',
};

export const auditEntrySchema = z.object({
  id: identifier.meta({ example: '5b8c2e7d-1f46-4a93-8d0b-4e6f9a3c7b18' }),
  createdAt: z.string().meta({
    description: 'ISO 8601, UTC, with fractional seconds.',
    example: '2026-01-15T09:30:12.345Z',
  }),
  organizationId: identifier.meta({ example: sample.organizationId }),
  userId: identifier.meta({ example: sample.userId }),
  userEmail: z
    .string()
    .meta({ description: 'The e-mail of the request.', example: sample.userEmail }),
  reportId: identifier.meta({ example: sample.reportId }),
  reportName: z
    .string()
    .meta({ description: "The report's name at that time.", example: sample.reportName }),
  action: z.int().meta({ example: auditActions.tokenRequested }),
  actionName: z.string().meta({
    description: '`TokenRequested` for action 1, `ReportExported` for 2, `ViewedAs` for 3.',
    example: auditActionNames[auditActions.tokenRequested],
  }),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const contentChangeSchema = z.object({
  kind: z.enum(['dataset', 'report']).meta({ example: 'report' }),
  slug: z
    .string()
    .meta({ description: 'The name of the file without its ending.', example: 'sales' }),
  id: identifier.meta({
    description: 'Stays the same over every apply.',
    example: sample.reportId,
  }),
  name: z.string().meta({ example: sample.reportName }),
  change: z.enum(['create', 'update', 'restore', 'archive', 'unchanged']).meta({
    description: '`restore`: it was archived, and keeps its id and access.',
    example: 'update',
  }),
  conflict: z.boolean().meta({
    description: 'Whether it was edited or archived in the portal since it was applied.',
    example: false,
  }),
});
export type ContentChange = z.infer<typeof contentChangeSchema>;

export const appliedContentSchema = z.object({
  changes: z.array(contentChangeSchema).describe('One entry for each item of the request.'),
  hints: z.array(z.string()).meta({ description: 'Probable mistakes, with advice.', example: [] }),
});
export type AppliedContent = z.infer<typeof appliedContentSchema>;

const dataColumnSchema = z.object({
  name: z.string().meta({ example: 'Discount' }),
  type: z.string().meta({ example: 'number' }),
});

const totalText = z.string().nullable();

const spanSchema = z
  .object({
    from: z.string().meta({ example: '2025-01-01' }),
    to: z.string().meta({ example: '2025-12-31' }),
  })
  .nullable();

export const dataChangeSchema = z.object({
  id: identifier.meta({ example: sample.datasetId }),
  slug: z.string().meta({ example: 'sales' }),
  name: z.string().meta({ example: 'Superstore' }),
  change: z
    .enum(['update', 'unchanged'])
    .meta({ description: '`unchanged`: it reads the same data.', example: 'update' }),
  rows: z.object({
    before: z
      .int()
      .nullable()
      .meta({ description: '`null` if the old data is not readable.', example: 9_994 }),
    after: z.int().meta({ example: 10_194 }),
  }),
  columns: z.object({
    added: z.array(dataColumnSchema).meta({ example: [{ name: 'Discount', type: 'number' }] }),
    removed: z.array(dataColumnSchema).meta({ example: [] }),
    changed: z
      .array(z.object({ name: z.string(), before: z.string(), after: z.string() }))
      .meta({ description: 'Columns whose type changes.', example: [] }),
  }),
  totals: z.array(z.object({ name: z.string(), before: totalText, after: totalText })).meta({
    description:
      'Sums of the columns of numbers, as text, because they can have more digits than a number of JSON; `null` for a column that is not there.',
    example: [{ name: 'Sales', before: '2297200.86', after: '2326534.35' }],
  }),
  time: z
    .object({ field: z.string(), before: spanSchema, after: spanSchema })
    .nullable()
    .meta({
      description: "First and last value of the dataset's time; `null` if it has none.",
      example: {
        field: 'Order Date',
        before: { from: '2022-01-03', to: '2025-12-30' },
        after: { from: '2022-01-03', to: '2026-01-14' },
      },
    }),
});
export type DataChange = z.infer<typeof dataChangeSchema>;

export const changedDataSchema = z.object({
  file: z.string().meta({ example: 'sales.csv' }),
  datasets: z
    .array(dataChangeSchema)
    .describe('One entry for each dataset that reads the file. Empty if none does yet.'),
  hints: z.array(z.string()).meta({ description: 'Probable mistakes, with advice.', example: [] }),
});
export type ChangedData = z.infer<typeof changedDataSchema>;

export const identityUrlSchema = z.object({
  embedUrl: z.url().meta({
    description: 'Opens the portal once. Use it as the `src` of an iframe.',
    example: `${sample.portalAddress}/identity?token=3nV0Yy6lq1cJbV8oE2sZ7pKx9RfTgWuA4hDmQiNyBtM&returnUrl=${encodeURIComponent(sample.reportPath)}`,
  }),
  expiresAt: z.string().meta({
    description: 'ISO 8601, UTC: five minutes after the request.',
    example: '2026-01-15T09:35:12.345Z',
  }),
  frameChannel: z
    .literal(true)
    .optional()
    // Another portal may use the name for something else.
    .catch(undefined)
    .meta({
      description: 'The page of `embedUrl` sends messages to the page that embeds it.',
      example: true,
    }),
});
export type IdentityUrl = z.infer<typeof identityUrlSchema>;
