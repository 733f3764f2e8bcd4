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

const newUser = endpoints.createUser.body;
const { name, role } = newUser.shape;

const right = z.boolean().meta({ negation: 'do not let them', example: false });

/** What a change of a user sets. The command line has an option for each field but `version`. */
const userChange = z.strictObject({
  /** Identifies the saved state that the change is based on. */
  version: z.string().max(100).meta({ example: 'v1' }),
  name: name.describe("the user's name"),
  role,
  department: storableText(requestLimits.name).meta({
    description: "the user's department",
    example: 'Sales',
  }),
  expirationDate: timestampSchema.nullable().meta({ example: '2026-12-31T23:59:58.000Z' }),
  /** Ids of the companies. */
  companies: z.array(idSchema).max(1_000).meta({ example: [] }),
  reportLandingPage: idSchema.nullable().meta({ example: null }),
  canCreateReport: right.meta({ description: 'let a contributor create reports' }),
  canEditReport: right.meta({ description: 'let a contributor edit reports' }),
  canOverwriteReport: right.meta({
    description: 'let a contributor import over an existing report',
  }),
});
export type UserChange = z.output<typeof userChange>;

/** Returns the fields of a user that a change sets. */
export const pickUserChange = (user: UserDetails): UserChange =>
  Object.fromEntries(
    Object.keys(userChange.shape).map((field) => [field, user[field as keyof UserChange]]),
  ) as object as UserChange;

export type ListedUser = Pick<
  UserDetails,
  'id' | 'email' | 'name' | 'role' | 'department' | 'expirationDate'
> & {
  isExpired: boolean;
  companies: Named[];
};

/** Something that a user has through a link of their own, through groups, or both. */
interface Sourced extends Named {
  isDirect: boolean;
  groups: Named[];
}

export type UserReport = Sourced & { workspaceName: string };
export type UserRole = Sourced & { datasetName: string };

export interface UserDetails extends UserChange {
  id: string;
  email: string;
  /** The user's account in the organization's directory. */
  directoryAdUser: string | null;
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
    body: newUser.extend({
      reports: z.array(idSchema).max(1_000),
      /** Roles of datasets. */
      roles: z.array(idSchema).max(1_000).default([]),
    }),
  },
  readUser: { method: 'GET', path: user, access: 'administrator' },
  updateUser: {
    method: 'PUT',
    path: user,
    access: 'administrator',
    body: userChange,
  },
  deleteUser: { method: 'DELETE', path: user, access: 'administrator' },
  inviteToAdministration: {
    method: 'POST',
    path: `${user}/invitation`,
    access: 'administrator',
    isFresh: true,
  },
  viewAs: {
    method: 'POST',
    path: `${user}/view`,
    access: 'administrator',
    body: z.strictObject({ reportId: idSchema.optional() }),
  },
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
