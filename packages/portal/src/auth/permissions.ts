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
  if (actor.permissions.has(permission)) return;
  throw new PortalError(
    'missing_permission',
    `This API key lacks the permission ${permission}. Use a key that has it.`,
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
