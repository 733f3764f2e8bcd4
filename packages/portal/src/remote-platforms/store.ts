import { sql } from 'kysely';

import type { Database } from '../db/connection/open.ts';

/** A connection of an organization to another product, and its last synchronization. */
export interface PlatformConnection {
  organizationId: string;
  /** Slug of the organization. */
  slug: string;
  platform: string;
  /** In the platform's own shape. */
  settings: unknown;
  syncedAt: Date | null;
  syncFailure: string | null;
  syncNotes: string[];
}

const select = (db: Database) =>
  db
    .selectFrom('platform_connections')
    .innerJoin('organizations', 'organizations.id', 'organization_id')
    .select([
      'organization_id as organizationId',
      'slug',
      'platform',
      'settings',
      'synced_at as syncedAt',
      'sync_failure as syncFailure',
      'sync_notes as syncNotes',
    ]);

export function findConnection(
  db: Database,
  organizationId: string,
  platform: string,
): Promise<PlatformConnection | undefined> {
  return select(db)
    .where('organization_id', '=', organizationId)
    .where('platform', '=', platform)
    .executeTakeFirst();
}

/** Lists all connections, or those of one organization, in the order of slugs. */
export const listConnections = (
  db: Database,
  organizationId?: string,
): Promise<PlatformConnection[]> =>
  select(db)
    .$if(organizationId !== undefined, (query) =>
      query.where('organization_id', '=', organizationId!),
    )
    .orderBy(sql`slug COLLATE "C"`)
    .orderBy('platform')
    .execute();

/** Inserts a connection, or replaces its settings. */
export async function saveConnection(
  db: Database,
  {
    organizationId,
    platform,
    settings,
  }: Pick<PlatformConnection, 'organizationId' | 'platform' | 'settings'>,
): Promise<void> {
  const text = JSON.stringify(settings);
  await db
    .insertInto('platform_connections')
    .values({ organization_id: organizationId, platform, settings: text })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'platform'])
        .doUpdateSet({ settings: text, sync_due_at: sql`now()` }),
    )
    .execute();
}

/** Deletes a connection; returns whether it existed. */
export async function deleteConnection(
  db: Database,
  organizationId: string,
  platform: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('platform_connections')
    .where('organization_id', '=', organizationId)
    .where('platform', '=', platform)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Returns a connection whose synchronization is due, and moves the next one on by `nextMs`. */
export async function takeDue(
  db: Database,
  nextMs: number,
): Promise<{ organizationId: string; platform: string } | undefined> {
  const { rows } = await sql<{ organizationId: string; platform: string }>`
    UPDATE platform_connections SET sync_due_at = now() + make_interval(secs => ${nextMs / 1000})
    WHERE (organization_id, platform) = (
      SELECT organization_id, platform FROM platform_connections WHERE sync_due_at <= now()
      ORDER BY sync_due_at LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    RETURNING organization_id AS "organizationId", platform`.execute(db);
  return rows[0];
}

/** Makes the next synchronization due now. */
export async function setDue(
  db: Database,
  organizationId: string,
  platform: string,
): Promise<void> {
  await db
    .updateTable('platform_connections')
    .set({ sync_due_at: sql`now()` })
    .where('organization_id', '=', organizationId)
    .where('platform', '=', platform)
    .execute();
}

/** Stores how a synchronization ended. */
export async function noteSync(
  db: Database,
  organizationId: string,
  platform: string,
  { failure, notes }: { failure: string | null; notes?: readonly string[] },
): Promise<void> {
  await db
    .updateTable('platform_connections')
    .set({
      synced_at: sql`now()`,
      sync_failure: failure,
      ...(notes && { sync_notes: JSON.stringify(notes) }),
    })
    .where('organization_id', '=', organizationId)
    .where('platform', '=', platform)
    .execute();
}

/** A dataset of a platform, as the catalogue stores it. */
export interface StoredDataset {
  id: string;
  name: string;
  source: unknown;
  rowAccess: string;
  isArchived: boolean;
  roles: { name: string; definition: unknown }[];
}

/** A report of a platform, as the catalogue stores it. */
export interface StoredReport {
  id: string;
  name: string;
  source: unknown;
  workspace: string;
  datasetId: string;
  isArchived: boolean;
}

export const listReports = (
  db: Database,
  organizationId: string,
  platform: string,
): Promise<StoredReport[]> =>
  db
    .selectFrom('reports')
    .innerJoin('workspaces', (join) =>
      join
        .onRef('workspaces.organization_id', '=', 'reports.organization_id')
        .onRef('workspaces.id', '=', 'reports.workspace_id'),
    )
    .where('reports.organization_id', '=', organizationId)
    .where('platform', '=', platform)
    .select([
      'reports.id',
      'reports.name',
      'source',
      'workspaces.name as workspace',
      'dataset_id as datasetId',
      sql<boolean>`archived_at IS NOT NULL`.as('isArchived'),
    ])
    .execute();

/** Lists the datasets with these ids, and those on which the platform has reports. */
export async function listDatasets(
  db: Database,
  organizationId: string,
  platform: string,
  ids: readonly string[],
): Promise<StoredDataset[]> {
  const { rows } = await sql<StoredDataset>`
    SELECT id, name, source, row_access AS "rowAccess", archived_at IS NOT NULL AS "isArchived",
      (SELECT coalesce(json_agg(json_build_object('name', rls_roles.name, 'definition', predicate)
          ORDER BY rls_roles.name), '[]')
        FROM rls_roles WHERE rls_roles.organization_id = datasets.organization_id
          AND dataset_id = datasets.id) AS roles
    FROM datasets
    WHERE organization_id = ${organizationId} AND slug IS NULL AND (
      id = ANY(${ids}::uuid[]) OR EXISTS (
        SELECT FROM reports WHERE reports.organization_id = datasets.organization_id
          AND dataset_id = datasets.id AND platform = ${platform}
      )
    )`.execute(db);
  return rows;
}
