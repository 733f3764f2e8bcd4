import { isDeepStrictEqual } from 'node:util';

import type { RemotePlatform } from '#platform';

import { countHolders } from '../access/holders-store.ts';
import { recordChange } from '../activity-log/service.ts';
import { nameActor, type Context } from '../actor/actor.ts';
import { requireOperator } from '../actor/permissions.ts';
import { applyCatalogue } from '../catalogue/apply.ts';
import { PortalError } from '../errors.ts';
import { lockForChange } from '../organizations/store.ts';
import * as store from './store.ts';

export type { PlatformConnection } from './store.ts';

/**
 * Connects the organization to a product, or replaces the settings of its connection. The next
 * synchronization is due at once.
 *
 * @param settings in the platform's own shape
 */
export async function connectPlatform(
  ctx: Context,
  platform: string,
  settings: object,
): Promise<void> {
  requireOperator(ctx);
  const { db, organizationId } = ctx;
  const before = await store.findConnection(db, organizationId, platform);
  const activity = before
    ? ({
        action: 'changePlatform',
        subject: platform,
        details: { changed: listChanged(before.settings as object, settings), settings },
      } as const)
    : ({ action: 'connectPlatform', subject: platform, details: { settings } } as const);
  await recordChange(ctx, activity, async (transaction) => {
    await lockForChange(transaction, organizationId);
    await store.saveConnection(transaction, { organizationId, platform, settings });
  });
}

/** Names of the settings that differ. */
const listChanged = (before: object, after: object): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) =>
      !isDeepStrictEqual(Reflect.get(before, key) as unknown, Reflect.get(after, key) as unknown),
  );

/**
 * Ends the connection of the organization. Its reports are archived, and keep their ids and access.
 *
 * @throws `platform_not_connected`
 */
export async function disconnectPlatform(ctx: Context, platform: RemotePlatform): Promise<void> {
  requireOperator(ctx);
  const { organizationId } = ctx;
  const { name } = platform;
  const activity = { action: 'disconnectPlatform', subject: name } as const;
  await recordChange(ctx, activity, async (transaction) => {
    await lockForChange(transaction, organizationId);
    if (!(await store.deleteConnection(transaction, organizationId, name)))
      throw notConnected(name);
    const reports = await store.listReports(transaction, organizationId, name);
    const datasets = await store.listDatasets(transaction, organizationId, name, []);
    await applyCatalogue(transaction, organizationId, platform, {
      archivedBy: { name: nameActor(ctx.actor), from: 'product' },
      archived: [
        ...reports.filter(isShown).map(({ id }) => ({ kind: 'report', id }) as const),
        ...datasets.filter(isShown).map(({ id }) => ({ kind: 'dataset', id }) as const),
      ],
    });
  });
}

const isShown = ({ isArchived }: { isArchived: boolean }) => !isArchived;

/** @throws `platform_not_connected` */
export async function requireConnection(
  { db, organizationId }: Pick<Context, 'db' | 'organizationId'>,
  platform: string,
): Promise<store.PlatformConnection> {
  const found = await store.findConnection(db, organizationId, platform);
  if (!found) throw notConnected(platform);
  return found;
}

export const { findConnection, listConnections } = store;

/** A role with the numbers of users and groups that it was linked to. */
export interface RemovedRole {
  name: string;
  users: number;
  groups: number;
}

/**
 * Declares the roles of a dataset, which its product does not list. Roles that keep their name keep
 * their links; others are removed with theirs.
 *
 * @throws `dataset_not_found`; `invalid_content` if the platform cannot use a name
 */
export async function declareRoles(
  ctx: Context,
  platform: RemotePlatform,
  { datasetId, names }: { datasetId: string; names: readonly string[] },
): Promise<{ removed: RemovedRole[] }> {
  requireOperator(ctx);
  const { organizationId } = ctx;
  const activity = {
    action: 'declareRoles',
    subject: datasetId,
    details: { roles: names },
  } as const;
  return recordChange(ctx, activity, async (transaction) => {
    await lockForChange(transaction, organizationId);
    const datasets = await store.listDatasets(transaction, organizationId, platform.name, []);
    const dataset = datasets.find(({ id, isArchived }) => id === datasetId && !isArchived);
    if (!dataset)
      throw new PortalError(
        'dataset_not_found',
        `${platform.label} has no dataset ${datasetId} in this organization. The page Report platforms of the administration lists the datasets with their ids.`,
      );
    const held = await countHolders(transaction, organizationId, datasetId);
    await applyCatalogue(transaction, organizationId, platform, {
      datasets: [
        {
          id: dataset.id,
          name: dataset.name,
          source: dataset.source as object,
          rowAccess: dataset.rowAccess as 'by-role',
          roles: [...new Set(names)].map((name) => ({ name, definition: {} })),
        },
      ],
    });
    const removed = held
      .filter(({ name }) => !names.includes(name))
      .map(({ name, users, groups }) => ({ name, users, groups }));
    return { removed };
  });
}

const notConnected = (platform: string) =>
  new PortalError(
    'platform_not_connected',
    `The organization has no connection to ${platform}. Run \`portal platforms add ${platform}\`.`,
  );
