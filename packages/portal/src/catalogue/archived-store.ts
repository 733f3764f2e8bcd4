import { sql } from 'kysely';

import type { Database } from '../db/connection/open.ts';
import { contains } from '../db/query/filters.ts';
import { inSnapshot, type Found } from '../db/query/paging.ts';
import type { ArchivedFrom, ItemReference } from './apply-store.ts';
import { isReportIn, type WorkspaceIds } from './authoring-store.ts';

/** A dataset or report, archived or not. */
export interface ItemRow extends ItemReference {
  name: string;
  /** `null` if it is not written here, or an archived one that no content file has defined yet. */
  slug: string | null;
  /** Whether another product has it. */
  isElsewhere: boolean;
  /** `null` for a dataset. */
  workspaceId: string | null;
  isArchived: boolean;
}

export async function findItem(
  db: Database,
  organizationId: string,
  { kind, id }: ItemReference,
): Promise<ItemRow | undefined> {
  const isReport = kind === 'report';
  const { rows } = await sql<Omit<ItemRow, 'kind'>>`
    SELECT id, name, slug, archived_at IS NOT NULL AS "isArchived",
      slug IS NULL AND source IS NOT NULL AS "isElsewhere",
      ${isReport ? sql`workspace_id` : sql`NULL`} AS "workspaceId"
    FROM ${sql.table(isReport ? 'reports' : 'datasets')}
    WHERE organization_id = ${organizationId} AND id = ${id}`.execute(db);
  return rows[0] && { kind, ...rows[0] };
}

/** The reports of a dataset, by name, also archived ones. */
export async function listReportsOfDataset(
  db: Database,
  organizationId: string,
  datasetId: string,
): Promise<{ id: string; name: string; isArchived: boolean }[]> {
  const { rows } = await sql<{ id: string; name: string; isArchived: boolean }>`
    SELECT id, name, archived_at IS NOT NULL AS "isArchived" FROM reports
    WHERE organization_id = ${organizationId} AND dataset_id = ${datasetId}
    ORDER BY name COLLATE "C", id`.execute(db);
  return rows;
}

/** Returns the name of the dataset of a report if it is archived. */
export async function findArchivedDatasetOf(
  db: Database,
  organizationId: string,
  reportId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    SELECT datasets.name FROM reports
    JOIN datasets ON datasets.organization_id = reports.organization_id AND datasets.id = dataset_id
    WHERE reports.organization_id = ${organizationId} AND reports.id = ${reportId}
      AND datasets.archived_at IS NOT NULL`.execute(db);
  return rows[0]?.name;
}

/** The names of all items of a kind that begin with a text, without archived ones. */
export async function listNames(
  db: Database,
  organizationId: string,
  kind: ItemReference['kind'],
  start: string,
): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM ${sql.table(kind === 'report' ? 'reports' : 'datasets')}
    WHERE organization_id = ${organizationId} AND archived_at IS NULL
      AND starts_with(name, ${start})`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

export interface ArchivedRow extends ItemReference {
  name: string;
  /** `null` for a dataset. */
  workspaceName: string | null;
  archivedAt: Date;
  /**
   * E-mail of a user, or name of an operator or key; `null` if it is not known, or if the item has gone
   * from its product.
   */
  archivedBy: string | null;
  archivedFrom: ArchivedFrom | null;
  /** Whether it can be restored without a content file. */
  isDefined: boolean;
  /** The platform whose catalogue lists it; `null` for an item that is written here. */
  platform: string | null;
}

/** The latest first. */
export const listArchived = (
  db: Database,
  organizationId: string,
  filter: {
    page: number;
    pageSize: number;
    search: string;
    /** Limits the reports to these workspaces, and leaves out datasets; `null`: all. */
    workspaceIds: WorkspaceIds;
    withDatasets: boolean;
  },
): Promise<Found<ArchivedRow>> =>
  inSnapshot(db, async (snapshot) => {
    const named = filter.search === '' ? sql`true` : contains('items.name', filter.search);
    const archived = sql`(
      SELECT 'report' AS kind, reports.id, reports.name, workspaces.name AS workspace_name, archived_at,
        archived_by, archived_from, slug,
        CASE WHEN slug IS NULL AND source IS NOT NULL THEN platform END AS platform
      FROM reports JOIN workspaces ON workspaces.organization_id = reports.organization_id
        AND workspaces.id = workspace_id
      WHERE reports.organization_id = ${organizationId} AND archived_at IS NOT NULL
        AND ${isReportIn(filter.workspaceIds)}
      UNION ALL
      SELECT 'dataset', id, name, NULL, archived_at, archived_by, archived_from, slug, (
        SELECT platform FROM reports WHERE reports.organization_id = datasets.organization_id
          AND dataset_id = datasets.id AND datasets.slug IS NULL AND datasets.source IS NOT NULL
        LIMIT 1
      )
      FROM datasets
      WHERE organization_id = ${organizationId} AND archived_at IS NOT NULL
        AND ${filter.withDatasets}::boolean
    ) AS items WHERE ${named}`;
    const { rows: counted } = await sql<{ total: number }>`
      SELECT count(*) AS total FROM ${archived}`.execute(snapshot);
    const { rows } = await sql<ArchivedRow>`
      SELECT kind, id, name, workspace_name AS "workspaceName", archived_at AS "archivedAt",
        coalesce((
          SELECT api_keys.name FROM api_keys
          WHERE api_keys.organization_id = ${organizationId} AND api_keys.id::text = archived_by
        ), archived_by) AS "archivedBy",
        archived_from AS "archivedFrom", slug IS NOT NULL AS "isDefined", platform
      FROM ${archived}
      ORDER BY archived_at DESC, name COLLATE "C", id
      LIMIT ${filter.pageSize} OFFSET ${(filter.page - 1) * filter.pageSize}`.execute(snapshot);
    return { total: counted[0]!.total, rows };
  });

/** What goes with an item that is deleted. */
export interface ItemLinks {
  /** Users and groups with a link of their own. */
  users: number;
  groups: number;
  /** Names of a dataset's roles. */
  roles: string[];
}

/** Counts the links of a report, or those of a dataset's roles. */
export async function countLinks(
  db: Database,
  organizationId: string,
  { kind, id }: ItemReference,
): Promise<ItemLinks> {
  const { rows } = await (
    kind === 'report'
      ? sql<ItemLinks>`
          SELECT '{}'::text[] AS roles,
            (SELECT count(*) FROM report_users
              WHERE organization_id = ${organizationId} AND report_id = ${id}) AS users,
            (SELECT count(*) FROM report_groups
              WHERE organization_id = ${organizationId} AND report_id = ${id}) AS groups`
      : sql<ItemLinks>`
          WITH role AS (
            SELECT id, name FROM rls_roles
            WHERE organization_id = ${organizationId} AND dataset_id = ${id}
          )
          SELECT ARRAY(SELECT name::text FROM role ORDER BY name) AS roles,
            (SELECT count(*) FROM rls_role_users
              WHERE organization_id = ${organizationId} AND role_id IN (SELECT id FROM role)) AS users,
            (SELECT count(*) FROM rls_role_groups
              WHERE organization_id = ${organizationId} AND role_id IN (SELECT id FROM role)) AS groups`
  ).execute(db);
  return rows[0]!;
}

/** Deletes an item with its links, roles and versions. The logs keep their entries. */
export async function deleteItem(
  db: Database,
  organizationId: string,
  { kind, id }: ItemReference,
): Promise<void> {
  await db
    .deleteFrom('content_versions')
    .where('organization_id', '=', organizationId)
    .where('kind', '=', kind)
    .where('item_id', '=', id)
    .execute();
  await db
    .deleteFrom(kind === 'report' ? 'reports' : 'datasets')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}
