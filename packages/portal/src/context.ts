import { permissions, type Permission } from '@portal-embed/contract';

import type { Database } from './db/connection/open.ts';
import { PortalError } from './errors.ts';

/** Who acts: a program with an API key, or a person who runs the portal. */
export interface Actor {
  /** The key that acts; `undefined` for a person. */
  apiKeyId: string | undefined;
  /** Name of the person that acts; `undefined` for a key. */
  operator: string | undefined;
}

/** On whose behalf a service function runs: always one organization's. */
export interface Context extends Actor {
  db: Database;
  organizationId: string;
  permissions: ReadonlySet<Permission>;
  /** Origin of the service itself. */
  publicUrl: string;
  /**
   * Looks the key up again; a person has none.
   *
   * @throws `invalid_api_key` when it has ended meanwhile.
   */
  confirmKey?: () => Promise<unknown>;
}

/**
 * The context of whoever runs the portal: everything is permitted.
 *
 * @param scope.operator the person's name in the activity log; default `operator`
 */
export function operatorContext(
  scope: Pick<Context, 'db' | 'organizationId' | 'publicUrl'> & { operator?: string },
): Context {
  return { operator: 'operator', ...scope, permissions: new Set(permissions), apiKeyId: undefined };
}

export function requirePermission(ctx: Context, permission: Permission): void {
  if (ctx.permissions.has(permission)) return;
  throw new PortalError(
    'missing_permission',
    `This API key lacks the permission ${permission}. Use a key that has it.`,
  );
}

/** For what no API key can be permitted to do. */
export function requireOperator(ctx: Context): void {
  if (ctx.operator === undefined)
    throw new PortalError(
      'missing_permission',
      'Only an operator may do this. Use the portal command line.',
    );
}
