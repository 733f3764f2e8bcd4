import { endpoints, userRoles, type EndpointName } from '@portal-embed/contract';

import { PortalError } from '../errors.ts';
import type { Context } from './actor.ts';

/**
 * Requires the permission that the contract lists for an endpoint. Administrators have all of them.
 *
 * @throws `missing_permission`
 */
export function requirePermission(ctx: Context, endpoint: EndpointName): void {
  const { actor } = ctx;
  if (actor.kind !== 'api-key') {
    requireAdministrator(ctx);
    return;
  }
  const { permission } = endpoints[endpoint];
  if (!actor.permissions.has(permission))
    throw new PortalError(
      'missing_permission',
      `This API key lacks the permission ${permission}. Use a key that has it.`,
    );
}

/** Whether users with this role may sign in to the administration. */
export const mayAdminister = (role: number): boolean => role !== userRoles.viewer;

/**
 * Requires the second permission that the contract lists for users who may administer. Use it after
 * `requirePermission`.
 *
 * @param role of the user whom the call creates or deletes
 * @throws `missing_permission`
 */
export function requireAdministratorPermission(
  { actor }: Context,
  endpoint: 'createUser' | 'deleteUser',
  role: number,
): void {
  const { administratorPermission: permission } = endpoints[endpoint];
  if (actor.kind !== 'api-key' || !mayAdminister(role) || actor.permissions.has(permission)) return;
  throw new PortalError(
    'missing_permission',
    `This API key lacks the permission ${permission}, which is also needed to create or delete users with the role ${role}. Use a key that has it, or only users with the role 3 (viewer).`,
  );
}

/**
 * Refuses users who are not administrators, and all API keys, because no permission allows it.
 *
 * @throws `missing_permission`
 */
export function requireAdministrator({ actor }: Pick<Context, 'actor'>): void {
  if (actor.kind === 'operator') return;
  if (actor.kind === 'user' && actor.role === userRoles.administrator) return;
  throw new PortalError(
    'missing_permission',
    actor.kind === 'user'
      ? 'Only an administrator of the organization may do this. Ask one of them.'
      : 'No API key may do this. Use the administration portal or the command line.',
  );
}

/**
 * Allows only operators.
 *
 * @throws `missing_permission`
 */
export function requireOperator({ actor }: Pick<Context, 'actor'>): void {
  if (actor.kind === 'operator') return;
  throw new PortalError(
    'missing_permission',
    'Only an operator may do this. Use the portal command line.',
  );
}
