import { idSchema, storableText } from '@portal-embed/contract';
import { z } from 'zod';

import type { AdminEndpoint } from './endpoint.ts';
import { line, listQuery, type AdminList } from './lists.ts';

/** A report in the list. */
export interface ListedReport {
  id: string;
  name: string;
  workspaceName: string;
  /** Number of users who may open it, counted up to `mostReaders`. */
  readers: number;
  lastOpenedAt: string | null;
  /** The product in which the report is written; `null` if it is written here. */
  product: string | null;
}

/** A list shows `1,000+` instead of a larger number. */
export const mostReaders = 1_000;

export interface AdminReport extends ListedReport {
  description: string | null;
  workspaceId: string;
  dataset: { id: string; name: string };
  /** Address of the report in its product; `null` if it has none. */
  productUrl: string | null;
  /** Path in a content folder; `null` if the report is not written here. */
  file: string | null;
  /** Increases with each saved change. */
  version: number;
  /** Who saved the version, and whether it came from a content folder; `null` if that is not known. */
  savedBy: string | null;
  savedFrom: 'files' | 'pages' | null;
  savedAt: string | null;
  /** Whether the next apply of a content folder finds a conflict. */
  isEdited: boolean;
  /** Whether the caller may change name, workspace and definition. */
  canEdit: boolean;
  /** Whether the caller may create reports, such as a copy of this one. */
  canCopy: boolean;
}

/** A user or group that holds something, such as access to a report. */
export interface Holder {
  kind: 'user' | 'group';
  id: string;
  name: string;
  /** `null` for a group. */
  email: string | null;
}

export interface ReportRole {
  id: string;
  name: string;
  /** `canOpen`: whether the user may open the report. */
  users: (Holder & { canOpen: boolean })[];
  groups: Holder[];
  /** Number of users, of whom the first are in `users`. */
  userCount: number;
}

/** What the caller may do with the reports that they see. */
export interface Rights {
  canCreate: boolean;
  canEdit: boolean;
  /** Whether the caller may replace a report by a definition file. */
  canOverwrite: boolean;
  /** Whether the caller sees only some workspaces. */
  isLimited: boolean;
}

const report = '/organizations/{organizationId}/reports/{reportId}';

/** One side of a link: a user or a group. */
const holderBody = z.strictObject({
  kind: z.enum(['user', 'group']),
  id: idSchema,
  isLinked: z.boolean(),
});

export const reportEndpoints = {
  readRights: {
    method: 'GET',
    path: '/organizations/{organizationId}/rights',
    access: 'signed-in',
  },
  findReports: {
    method: 'GET',
    path: '/organizations/{organizationId}/reports',
    access: 'signed-in',
    query: z.strictObject({ ...listQuery, workspaceId: idSchema.optional() }),
  },
  readReport: { method: 'GET', path: report, access: 'signed-in' },
  updateReport: {
    method: 'PUT',
    path: report,
    access: 'signed-in',
    isAuthoring: true,
    body: z.strictObject({
      version: z.int().min(0),
      name: line(200),
      workspace: line(100),
      description: storableText(1_000).trim(),
    }),
  },
  listReportAccess: {
    method: 'GET',
    path: `${report}/access`,
    access: 'administrator',
    query: z.strictObject(listQuery),
  },
  changeReportAccess: {
    method: 'PUT',
    path: `${report}/access`,
    access: 'administrator',
    body: holderBody,
  },
  listReportRoles: { method: 'GET', path: `${report}/roles`, access: 'administrator' },
  changeRoleHolder: {
    method: 'PUT',
    path: '/organizations/{organizationId}/roles/{roleId}/holders',
    access: 'administrator',
    body: holderBody,
  },
  /** The first users and groups whose name or e-mail contains a text. */
  findHolders: {
    method: 'GET',
    path: '/organizations/{organizationId}/holders',
    access: 'administrator',
    query: z.strictObject({ search: listQuery.search }),
  },
} as const satisfies Record<string, AdminEndpoint>;

/** Types of the answers. Pages trust the service, so answers need no schema. */
export interface ReportAnswers {
  readRights: Rights;
  findReports: AdminList<ListedReport> & { canCreate: boolean; canEdit: boolean };
  readReport: AdminReport;
  updateReport: AdminReport;
  listReportAccess: { groups: (Holder & { members: number })[]; users: AdminList<Holder> };
  changeReportAccess: object;
  listReportRoles: { rowAccess: 'by-role' | 'everyone'; datasetId: string; roles: ReportRole[] };
  changeRoleHolder: object;
  findHolders: { holders: Holder[] };
}
