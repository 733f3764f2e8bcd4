import { z } from 'zod';

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
  id: identifier,
  email: z.string().describe('Identifies the user in paths and bodies, ignoring letter case.'),
  name: z.string(),
  role: z.int().describe('1 Administrator, 2 Contributor, 3 Viewer, 4 Workspace Contributor.'),
  reports: z
    .array(identifier)
    .describe('Every report that the user may open, directly or through a group.'),
  companies: z
    .array(undocumented)
    .describe('The companies the user belongs to. This portal answers their ids.'),
  groups: z.array(identifier).describe('The groups the user belongs to.'),
  reportLandingPage: undocumented.describe(
    'The report with which the whole portal opens, if the user may open it. This portal answers its id.',
  ),
  department: z.string(),
  expirationDate: undocumented.describe(
    'When the user expires; `null` means never. No identity URL is minted for an expired user. This portal answers ISO 8601.',
  ),
  directoryAdUser: undocumented,
  canEditReport: z.boolean(),
  canCreateReport: z.boolean(),
  canOverwriteReport: z.boolean(),
});
export type User = z.infer<typeof userSchema>;

export const reportSchema = z.object({
  id: identifier.describe('The same id as on the underlying reporting platform.'),
  name: z.string(),
  description: z.string().nullable(),
  datasetId: identifier.describe('The dataset that the report reads.'),
  embedUrl: z.string().describe('Address of the report on the underlying platform.'),
  workspaceId: identifier,
  reportType: z.int(),
  folderId: undocumented,
  workspaceName: z.string(),
  userOwner: undocumented,
});
export type Report = z.infer<typeof reportSchema>;

export const rlsRoleSchema = z.object({
  id: identifier,
  name: z.string().describe('The `role` parameter of the link and unlink endpoints.'),
  users: z.array(identifier).describe('The users that the role is linked to.'),
  groups: z.array(identifier).describe('The groups that the role is linked to.'),
  datasetId: identifier.describe('The dataset that the role belongs to.'),
  userEmails: z.array(z.string()).describe('The e-mails of those users.'),
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
  id: identifier,
  createdAt: z.string().describe('ISO 8601, UTC, with fractional seconds.'),
  organizationId: identifier,
  userId: identifier,
  userEmail: z.string().describe('The e-mail of the request.'),
  reportId: identifier,
  reportName: z.string().describe("The report's name at that time."),
  action: z.int(),
  actionName: z
    .string()
    .describe('`TokenRequested` for action 1, `ReportExported` for 2, `ViewedAs` for 3.'),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const contentChangeSchema = z.object({
  kind: z.enum(['dataset', 'report']),
  slug: z.string().describe('The name of the file without its ending.'),
  id: identifier.describe('Stays the same over every apply.'),
  name: z.string(),
  change: z
    .enum(['create', 'update', 'restore', 'archive', 'unchanged'])
    .describe('`restore`: it was archived, and keeps its id and access.'),
  conflict: z.boolean().describe('Whether it was edited in the portal since it was applied.'),
});
export type ContentChange = z.infer<typeof contentChangeSchema>;

export const appliedContentSchema = z.object({
  changes: z.array(contentChangeSchema).describe('One entry for each item of the request.'),
  hints: z.array(z.string()).describe('What probably is not meant, with what to do.'),
});
export type AppliedContent = z.infer<typeof appliedContentSchema>;

export const identityUrlSchema = z.object({
  embedUrl: z.url().describe('Opens the portal once. Use it as the `src` of an iframe.'),
  expiresAt: z.string().describe('ISO 8601, UTC: five minutes after the request.'),
  frameChannel: z
    .literal(true)
    .optional()
    // Another portal may use the name for something else.
    .catch(undefined)
    .describe('The page of `embedUrl` sends messages to the page that embeds it.'),
});
export type IdentityUrl = z.infer<typeof identityUrlSchema>;
