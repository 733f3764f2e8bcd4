import { userRoles } from '@portal-embed/contract';
import { sql } from 'kysely';

import type { Context } from '../actor/actor.ts';
import type { Database } from '../db/connection/open.ts';
import { PortalError } from '../errors.ts';
import type { UserRow, UserValues } from './user-columns.ts';

/** Has a password that is accepted, or has signed in with the identity provider. */
const canSignIn = sql`(password_hash IS NOT NULL AND passwords IS NOT FALSE
  OR issuer IS NOT NULL AND directory_ad_user IS NOT NULL)`;

/**
 * Refuses a change by a user that takes the administration from an administrator, unless another one
 * can sign in and never expires. Programs and operators may, because operators can invite another one.
 *
 * @throws `last_administrator`
 */
export async function requireAdministratorLeft(
  transaction: Database,
  { organizationId, actor }: Context,
  user: UserRow,
  change: Pick<UserValues, 'role' | 'expirationDate'> | 'deleted',
): Promise<void> {
  if (actor.kind !== 'user' || user.role !== userRoles.administrator) return;
  if (change !== 'deleted' && change.role === undefined && !isEarlier(user, change)) return;
  const { rows } = await sql`
    SELECT FROM users JOIN admin_accounts
      ON admin_accounts.organization_id = users.organization_id AND user_id = users.id
    LEFT JOIN organization_oidc ON organization_oidc.organization_id = users.organization_id
    WHERE users.organization_id = ${organizationId} AND role = ${userRoles.administrator}
      AND expiration_date IS NULL AND users.id <> ${user.id} AND ${canSignIn}
    LIMIT 1`.execute(transaction);
  if (rows.length > 0) return;
  throw new PortalError(
    'last_administrator',
    `${user.email} is the last administrator who can sign in and never expires.`,
    { advice: 'Invite another one first, and wait until the invitation is accepted.' },
  );
}

/** Whether the access of the user ends earlier after the change. */
function isEarlier(
  { expiration_date: before }: UserRow,
  { expirationDate }: Pick<UserValues, 'expirationDate'>,
): boolean {
  if (expirationDate === undefined || expirationDate === null) return false;
  return before === null || expirationDate < before;
}
