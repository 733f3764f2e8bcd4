import { permissions, type Permission } from '@portal-embed/contract';

import type { Database } from './db/open.ts';
import { PortalError } from './errors.ts';

/** On whose behalf a service function runs: always one organization's. */
export interface Context {
  db: Database;
  organizationId: string;
  permissions: ReadonlySet<Permission>;
  /** Whether whoever runs the portal acts, rather than an API key. */
  operator: boolean;
  /** Origin of the service itself. */
  publicUrl: string;
}

/** The context of whoever runs the portal, at the command line: everything is permitted. */
export function operatorContext(
  scope: Pick<Context, 'db' | 'organizationId' | 'publicUrl'>,
): Context {
  return { ...scope, permissions: new Set(permissions), operator: true };
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
  if (!ctx.operator)
    throw new PortalError('missing_permission', 'Only whoever runs the portal may do this.');
}
