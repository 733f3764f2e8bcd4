import { sql } from 'kysely';

import type { Database } from '../db/connection/open.ts';

/** A connection of an organization to another product. */
export interface PlatformConnection {
  organizationId: string;
  /** Slug of the organization. */
  slug: string;
  platform: string;
  /** In the platform's own shape. */
  settings: unknown;
  connectedAt: Date;
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
      'connected_at as connectedAt',
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

/** Deletes a connection with its runs; returns whether it existed. */
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

/**
 * Makes the next synchronization due now, or `pauseMs` after the last one began. It is not due later than
 * it was.
 */
export async function setDueAfterPause(
  db: Database,
  organizationId: string,
  platform: string,
  pauseMs: number,
): Promise<void> {
  await sql`
    UPDATE platform_connections SET sync_due_at = least(sync_due_at, coalesce((
      SELECT max(started_at) + make_interval(secs => ${pauseMs / 1000}) FROM platform_runs AS run
      WHERE run.organization_id = platform_connections.organization_id
        AND run.platform = platform_connections.platform AND kind = 'sync'
    ), now()))
    WHERE organization_id = ${organizationId} AND platform = ${platform}`.execute(db);
}

/** Makes the connections due whose latest synchronization failed. */
export async function setFailedDue(db: Database): Promise<void> {
  await sql`
    UPDATE platform_connections SET sync_due_at = now() WHERE (
      SELECT failure FROM platform_runs AS run
      WHERE run.organization_id = platform_connections.organization_id
        AND run.platform = platform_connections.platform AND kind = 'sync' AND ended_at IS NOT NULL
      ORDER BY id DESC LIMIT 1
    ) IS NOT NULL`.execute(db);
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
    )
    ORDER BY name COLLATE "C", id`.execute(db);
  return rows;
}

/** A workspace of the product with reports in the catalogue. */
export interface WorkspaceOfProduct {
  /** In lower case. */
  id: string;
  name: string;
  reports: number;
}

export async function listWorkspacesOfProduct(
  db: Database,
  organizationId: string,
  platform: string,
): Promise<WorkspaceOfProduct[]> {
  const { rows } = await sql<WorkspaceOfProduct>`
    SELECT lower(source ->> 'workspaceId') AS id, min(workspaces.name) AS name, count(*) AS reports
    FROM reports JOIN workspaces ON workspaces.organization_id = reports.organization_id
      AND workspaces.id = workspace_id
    WHERE reports.organization_id = ${organizationId} AND platform = ${platform}
      AND archived_at IS NULL
    GROUP BY 1`.execute(db);
  return rows;
}

/** A dataset of the product in the catalogue. */
export interface DatasetOfProduct {
  id: string;
  name: string;
  rowAccess: 'by-role' | 'everyone';
  /** Names. */
  roles: string[];
}

export async function listDatasetsOfProduct(
  db: Database,
  organizationId: string,
  platform: string,
): Promise<DatasetOfProduct[]> {
  const { rows } = await sql<DatasetOfProduct>`
    SELECT id, name, row_access AS "rowAccess", ARRAY(
        SELECT rls_roles.name::text FROM rls_roles
        WHERE rls_roles.organization_id = datasets.organization_id AND dataset_id = datasets.id
        ORDER BY name
      ) AS roles
    FROM datasets
    WHERE organization_id = ${organizationId} AND slug IS NULL AND archived_at IS NULL AND EXISTS (
      SELECT FROM reports WHERE reports.organization_id = datasets.organization_id
        AND dataset_id = datasets.id AND platform = ${platform}
    )
    ORDER BY name COLLATE "C", id`.execute(db);
  return rows;
}
