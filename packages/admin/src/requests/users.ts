import {
  endpoints,
  idSchema,
  requestLimits,
  storableText,
  timestampSchema,
} from '@portal-embed/contract';
import { z } from 'zod';

import type { AdminEndpoint } from './endpoint.ts';
import { listQuery, type AdminList, type Named } from './lists.ts';

export interface ListedUser extends Named {
  email: string;
  role: number;
  department: string;
  expirationDate: string | null;
  isExpired: boolean;
  companies: Named[];
}

/** Something that a user has through a link of their own, through groups, or both. */
interface Sourced extends Named {
  isDirect: boolean;
  groups: Named[];
}

export type UserReport = Sourced & { workspaceName: string };
export type UserRole = Sourced & { datasetName: string };

export interface UserDetails {
  id: string;
  email: string;
  name: string;
  role: number;
  department: string;
  expirationDate: string | null;
  reportLandingPage: string | null;
  /** The user's account in the organization's directory. */
  directoryAdUser: string | null;
  canEditReport: boolean;
  canCreateReport: boolean;
  canOverwriteReport: boolean;
  /** Ids of the companies. */
  companies: string[];
  /** Identifies the saved state. A change sends the version that it is based on. */
  version: string;
  groups: Named[];
  /** The first reports by name, and the number of all. */
  reports: UserReport[];
  totalReports: number;
  roles: UserRole[];
  /** Whether the user can sign in to the administration pages. */
  signIn: 'none' | 'invited' | 'active';
}

/** A URL that opens the portal once, as a user. */
export interface ViewUrl {
  url: string;
  /** Whether the pages may show it in a frame. */
  isFrameable: boolean;
}

const user = '/organizations/{organizationId}/users/{userId}';
const { email, name, role } = endpoints.createUser.body.shape;

export const userEndpoints = {
  listUsers: {
    method: 'GET',
    path: '/organizations/{organizationId}/users',
    access: 'administrator',
    query: z.strictObject({
      ...listQuery,
      role: z.coerce.number().int().min(1).max(4).optional(),
      expiry: z.enum(['soon', 'expired']).optional(),
      companyId: idSchema.optional(),
      groupId: idSchema.optional(),
    }),
  },
  createUser: {
    method: 'POST',
    path: '/organizations/{organizationId}/users',
    access: 'administrator',
    body: z.strictObject({ email, name, role, reports: z.array(idSchema).max(1_000) }),
  },
  readUser: { method: 'GET', path: user, access: 'administrator' },
  updateUser: {
    method: 'PUT',
    path: user,
    access: 'administrator',
    body: z.strictObject({
      version: z.string().max(100),
      name,
      role,
      department: storableText(requestLimits.name),
      expirationDate: timestampSchema.nullable(),
      reportLandingPage: idSchema.nullable(),
      companies: z.array(idSchema).max(1_000),
      canEditReport: z.boolean(),
      canCreateReport: z.boolean(),
      canOverwriteReport: z.boolean(),
    }),
  },
  deleteUser: { method: 'DELETE', path: user, access: 'administrator' },
  inviteToAdministration: {
    method: 'POST',
    path: `${user}/invitation`,
    access: 'administrator',
    isFresh: true,
  },
  viewAs: { method: 'POST', path: `${user}/view`, access: 'administrator' },
  testMint: {
    method: 'POST',
    path: '/organizations/{organizationId}/embedding/test',
    access: 'administrator',
    body: z.strictObject({ userId: idSchema, reportId: idSchema.optional() }),
  },
  linkUserReport: { method: 'PUT', path: `${user}/reports/{reportId}`, access: 'administrator' },
  unlinkUserReport: {
    method: 'DELETE',
    path: `${user}/reports/{reportId}`,
    access: 'administrator',
  },
  linkUserRole: { method: 'PUT', path: `${user}/roles/{roleId}`, access: 'administrator' },
  unlinkUserRole: { method: 'DELETE', path: `${user}/roles/{roleId}`, access: 'administrator' },
} as const satisfies Record<string, AdminEndpoint>;

export interface UserAnswers {
  listUsers: AdminList<ListedUser>;
  createUser: { id: string };
  readUser: UserDetails;
  updateUser: object;
  deleteUser: object;
  inviteToAdministration: { url: string };
  viewAs: ViewUrl;
  testMint: ViewUrl;
  linkUserReport: object;
  unlinkUserReport: object;
  linkUserRole: object;
  unlinkUserRole: object;
}
