import { z } from 'zod';

/**
 * Resources as the API answers them. Answers are read leniently: unknown fields are dropped, and
 * where the specification shows only `null` any value is let through, so that a newer portal or
 * somebody else's still works.
 */
const undocumented = z.unknown();

/** 1 Administrator, 2 Contributor, 3 Viewer, 4 Workspace Contributor. */
export const userRoles = {
  administrator: 1,
  contributor: 2,
  viewer: 3,
  workspaceContributor: 4,
} as const;

export const userSchema = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.int(),
  /** Every report the user may open: linked directly or through a group. */
  reports: z.array(z.string()),
  companies: z.array(undocumented),
  groups: z.array(z.string()),
  reportLandingPage: undocumented,
  department: z.string(),
  /** After this moment no identity URL is minted for the user; `null` for never. */
  expirationDate: z.string().nullable(),
  directoryAdUser: undocumented,
  canEditReport: z.boolean(),
  canCreateReport: z.boolean(),
  canOverwriteReport: z.boolean(),
});
export type User = z.infer<typeof userSchema>;

export const reportSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  datasetId: z.string(),
  embedUrl: z.string(),
  workspaceId: z.string(),
  reportType: z.int(),
  folderId: undocumented,
  workspaceName: z.string(),
  userOwner: undocumented,
});
export type Report = z.infer<typeof reportSchema>;

export const rlsRoleSchema = z.object({
  id: z.string(),
  name: z.string(),
  users: z.array(z.string()),
  groups: z.array(z.string()),
  datasetId: z.string(),
  userEmails: z.array(z.string()),
});
export type RlsRole = z.infer<typeof rlsRoleSchema>;

/** Number and name of each audited action. */
export const auditActions = { 1: 'TokenRequested' } as const;

export const auditEntrySchema = z.object({
  id: z.string(),
  /** ISO 8601, UTC, with fractional seconds. */
  createdAt: z.string(),
  organizationId: z.string(),
  userId: z.string(),
  userEmail: z.string(),
  reportId: z.string(),
  reportName: z.string(),
  action: z.int(),
  actionName: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const identityUrlSchema = z.object({
  /** Opens the portal once, within five minutes; the `src` of an iframe. */
  embedUrl: z.url(),
  /** ISO 8601, UTC. */
  expiresAt: z.string(),
});
export type IdentityUrl = z.infer<typeof identityUrlSchema>;
