import { refuseLookalikes, type UserRole } from '@portal-embed/contract';
import { z } from 'zod';

import type { AdminEndpoint } from './endpoint.ts';
import { line } from './lists.ts';
import type { AdminOrganization } from './organizations.ts';

/** The signed-in person, with what the pages need to know. */
export interface AdminIdentity {
  kind: 'user' | 'operator';
  email: string;
  name: string;
  /** `null` for an operator. */
  role: UserRole | null;
  /** The organization of the user; `null` for an operator, who sees all. */
  organization: AdminOrganization | null;
  /** Whether the account has a password, and whether it may have one. */
  hasPassword: boolean;
  mayHavePassword: boolean;
  /** Host of the organization's identity provider. */
  provider: string | null;
  /** How long a confirmation counts as fresh, in seconds, and how long ago the latest one was. */
  freshForSeconds: number;
  authenticatedSecondsAgo: number;
}

/** An open session of the account. */
export interface ListedAdminSession {
  id: string;
  userAgent: string;
  createdAt: string;
  lastUsedAt: string;
  isCurrent: boolean;
}

/** Not trimmed, because spaces count. */
const password = z.string().min(1).max(1_000);

export const credentialsSchema = z.strictObject({
  /** Slug of the organization; `null` signs an operator in. */
  organization: line(100).nullable(),
  email: line(320).check(refuseLookalikes),
  password,
});

const tokenSchema = z.strictObject({ token: line(100) });

export const signInEndpoints = {
  readIdentity: {
    method: 'GET',
    path: '/session',
    access: 'signed-in',
  },
  signIn: {
    method: 'POST',
    path: '/session',
    access: 'everyone',
    body: credentialsSchema,
  },
  signOut: { method: 'DELETE', path: '/session', access: 'signed-in' },
  confirmPassword: {
    method: 'POST',
    path: '/session/confirm',
    access: 'signed-in',
    body: z.strictObject({ password }),
  },
  checkInvitation: {
    method: 'POST',
    path: '/invitation/check',
    access: 'everyone',
    body: tokenSchema,
  },
  acceptInvitation: {
    method: 'POST',
    path: '/invitation/accept',
    access: 'everyone',
    body: z.strictObject({ ...tokenSchema.shape, password }),
  },
  changePassword: {
    method: 'PUT',
    path: '/account/password',
    access: 'signed-in',
    isFresh: true,
    body: z.strictObject({ password }),
  },
  listAccountSessions: {
    method: 'GET',
    path: '/account/sessions',
    access: 'signed-in',
  },
  endAccountSession: {
    method: 'DELETE',
    path: '/account/sessions/{sessionId}',
    access: 'signed-in',
  },
} as const satisfies Record<string, AdminEndpoint>;

/** Types of the answers. Pages trust the service, so answers need no schema. */
export interface SignInAnswers {
  readIdentity: AdminIdentity;
  signIn: AdminIdentity;
  signOut: object;
  confirmPassword: object;
  checkInvitation: { email: string; name: string; organizationName: string | null };
  acceptInvitation: AdminIdentity;
  changePassword: AdminIdentity;
  listAccountSessions: { sessions: ListedAdminSession[] };
  endAccountSession: object;
}
