import type { UserRole } from '@portal-embed/contract';

import type { AdminOrganization } from '#admin/requests';

import type { OperatorActor, UserActor } from '../actor/actor.ts';
import { PortalError } from '../errors.ts';

/** The account of a signed-in person. */
export interface Account {
  id: string;
  email: string;
  name: string;
  /** The user of an organization; `null` for an operator. */
  user: {
    id: string;
    role: UserRole;
    organization: AdminOrganization;
  } | null;
  /** Whether the account has a password, and its organization accepts it. */
  hasPassword: boolean;
  /** Whether the account may have a password. */
  mayHavePassword: boolean;
  /** Address of the organization's identity provider; `null` without one. */
  issuer: string | null;
}

/** A live session of the administration pages. */
export interface AdminSession {
  id: string;
  account: Account;
  /** Seconds since the password or the identity provider confirmed the person. */
  authenticatedSecondsAgo: number;
}

/** Seconds for which a confirmation allows what a stolen session must not be able to do. */
export const freshForSeconds = 600;

/** @throws `fresh_sign_in_required`, after which the pages ask for a confirmation and try again */
export function requireFresh({ authenticatedSecondsAgo }: AdminSession): void {
  if (authenticatedSecondsAgo <= freshForSeconds) return;
  throw new PortalError(
    'fresh_sign_in_required',
    'This needs a recent sign-in. Confirm your sign-in, then try again.',
  );
}

export const toActor = ({ email, user }: Account): UserActor | OperatorActor =>
  user ? { kind: 'user', id: user.id, email, role: user.role } : { kind: 'operator', name: email };
