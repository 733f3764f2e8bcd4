import type { ConnectionSettings } from '#report-engine';

import { recordChange } from '../activity-log/service.ts';
import type { Context } from '../actor/actor.ts';
import { requireOperator } from '../actor/permissions.ts';
import type { Database } from '../db/connection/open.ts';
import { retryConflicts } from '../db/query/conflicts.ts';
import { PortalError } from '../errors.ts';
import { lockForChange } from '../organizations/store.ts';
import * as store from './store.ts';

/** A connection, and the slugs of the organizations that may use it. */
export interface GrantedConnection {
  name: string;
  /** Absent if only grants name the connection. */
  settings?: ConnectionSettings | undefined;
  organizations: string[];
}

/** Lists the connections of the environment and those that only grants name. */
export async function listConnections(
  db: Database,
  connections: readonly ConnectionSettings[],
): Promise<GrantedConnection[]> {
  const grants = await store.listGrants(db);
  const names = [...connections, ...grants.map(({ connection: name }) => ({ name }))].map(
    ({ name }) => name,
  );
  return [...new Set(names)].toSorted().map((name) => ({
    name,
    settings: connections.find((settings) => settings.name === name),
    organizations: grants.filter((grant) => grant.connection === name).map(({ slug }) => slug),
  }));
}

/** @throws `connection_not_found` */
export function requireConnection(
  connections: readonly ConnectionSettings[],
  name: string,
): ConnectionSettings {
  const found = connections.find((settings) => settings.name === name);
  if (found) return found;
  const names = connections.map((settings) => settings.name).toSorted();
  throw new PortalError(
    'connection_not_found',
    `Unknown connection "${name}". ${
      names.length === 0
        ? 'Define connections as PORTAL_CONNECTION_NAME.'
        : `Connections: ${names.join(', ')}.`
    }`,
  );
}

/**
 * Grants a connection to the organization.
 *
 * @param input.shared whether other organizations may have a grant too
 * @throws `connection_not_found`; `connection_granted` if another organization has a grant and `shared`
 *   is false
 */
export async function grantConnection(
  ctx: Context,
  connections: readonly ConnectionSettings[],
  { name, shared }: { name: string; shared: boolean },
): Promise<void> {
  requireOperator(ctx);
  requireConnection(connections, name);
  const { organizationId } = ctx;
  const activity = { action: 'grantConnection', subject: name, details: { shared } } as const;
  const grant = async (transaction: Database) => {
    // Deleting an organization locks it first, too: the same order prevents deadlocks.
    const slug = await lockForChange(transaction, organizationId);
    await store.lockGrants(transaction);
    const others = (await store.listGrants(transaction)).filter(
      (each) => each.connection === name && each.slug !== slug,
    );
    if (others.length > 0 && !shared)
      throw new PortalError(
        'connection_granted',
        `Connection "${name}" is already granted to ${others.map((other) => other.slug).join(', ')}, and all of them would read with the same database user. Define another connection with its own user, or add --shared if each may see the other's data.`,
      );
    await store.insertGrant(transaction, { organizationId, connection: name });
  };
  await retryConflicts(() => recordChange(ctx, activity, grant));
}

/**
 * Revokes the organization's grant of a connection.
 *
 * @throws `connection_not_granted`
 */
export async function revokeConnection(ctx: Context, name: string): Promise<void> {
  requireOperator(ctx);
  const { organizationId } = ctx;
  const activity = { action: 'revokeConnection', subject: name } as const;
  await recordChange(ctx, activity, async (transaction) => {
    if (await store.deleteGrant(transaction, { organizationId, connection: name })) return;
    throw new PortalError(
      'connection_not_granted',
      `Connection "${name}" is not granted to this organization. Run \`portal connections list\` to see all grants.`,
    );
  });
}
