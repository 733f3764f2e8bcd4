import { z } from 'zod';

/**
 * Resources as the API answers them. Answers are read leniently: unknown fields are dropped, and
 * where the specification shows only `null` any value is let through, also none at all, so that a
 * newer portal or somebody else's still works.
 */
const undocumented = z.unknown().optional();

// Not checked for its form: another portal's identifiers are its own business.
const identifier = z.string().meta({ format: 'uuid' });

/** 1 Administrator, 2 Contributor, 3 Viewer, 4 Workspace Contributor. */
export const userRoles = {
  administrator: 1,
  contributor: 2,
  viewer: 3,
  workspaceContributor: 4,
} as const;

export const userSchema = z.object({
  id: identifier,
  email: z.string().describe('Identifies the user in paths and bodies, ignoring letter case.'),
  name: z.string(),
  role: z.int().describe('1 Administrator, 2 Contributor, 3 Viewer, 4 Workspace Contributor.'),
  reports: z
    .array(identifier)
    .describe('Every report the user may open: linked directly or through a group.'),
  companies: z.array(undocumented),
  groups: z.array(identifier).describe('The groups the user belongs to.'),
  reportLandingPage: undocumented,
  department: z.string(),
  expirationDate: undocumented.describe(
    'From this moment on no identity URL is minted for the user; `null` for never. This portal answers ISO 8601.',
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
  name: z.string().describe('The `role` of the link and unlink endpoints.'),
  users: z.array(identifier).describe('The users that the role is linked to.'),
  groups: z.array(identifier).describe('The groups that the role is linked to.'),
  datasetId: identifier.describe('The dataset that the role belongs to.'),
  userEmails: z.array(z.string()).describe('The e-mails of those users.'),
});
export type RlsRole = z.infer<typeof rlsRoleSchema>;

/** Number and name of each audited action. */
export const auditActions = { tokenRequested: 1 } as const;
export const auditActionNames: Record<number, string> = {
  [auditActions.tokenRequested]: 'TokenRequested',
};

export const auditEntrySchema = z.object({
  id: identifier,
  createdAt: z.string().describe('ISO 8601, UTC, with fractional seconds.'),
  organizationId: identifier,
  userId: identifier,
  userEmail: z.string().describe('The e-mail as the request named it.'),
  reportId: identifier,
  reportName: z.string().describe("The report's name at that moment."),
  action: z.int(),
  actionName: z.string().describe('`TokenRequested` for action 1.'),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const identityUrlSchema = z.object({
  embedUrl: z.url().describe('Opens the portal once; the `src` of an iframe.'),
  expiresAt: z.string().describe('ISO 8601, UTC: five minutes after the request.'),
});
export type IdentityUrl = z.infer<typeof identityUrlSchema>;
