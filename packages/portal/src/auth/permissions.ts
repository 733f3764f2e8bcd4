import { endpoints, type EndpointName } from '@portal-embed/contract';

import { PortalError } from '../errors.ts';
import type { Context } from './actor.ts';

/**
 * Requires the permission that the contract lists for an endpoint.
 *
 * @throws `missing_permission`
 */
export function requirePermission({ actor }: Context, endpoint: EndpointName): void {
  const { permission } = endpoints[endpoint];
  if (actor.kind === 'operator' || actor.permissions.has(permission)) return;
  throw new PortalError(
    'missing_permission',
    `This API key lacks the permission ${permission}. Use a key that has it.`,
  );
}

/**
 * Refuses API keys: no permission allows this.
 *
 * @throws `missing_permission`
 */
export function requireOperator({ actor }: Context): void {
  if (actor.kind === 'operator') return;
  throw new PortalError(
    'missing_permission',
    'Only an operator may do this. Use the portal command line.',
  );
}
