import { randomUUID } from 'node:crypto';

import { sql, type RawBuilder, type UpdateObject } from 'kysely';

import type { PlatformDescription } from '#platform';

import type { Database } from '../db/connection/open.ts';
import type { Schema } from '../db/schema.ts';
import { ensureWorkspace } from './store.ts';

/** The text of an item that is written in the portal. */
export interface Authored {
  slug: string;
  text: string;
  /** Whether it was written in the administration, so that the next apply of files is a conflict. */
  isEdited: boolean;
}

interface CatalogueItem {
  id: string;
  name: string;
  /** In the platform's own shape, which is an object. */
  source: object;
  /** Default: the platform's reports have no authors here. */
  authored?: Authored | undefined;
}

export interface CatalogueDataset extends CatalogueItem {
  rowAccess: 'by-role' | 'everyone';
  roles: readonly CatalogueRole[];
}

export interface CatalogueRole {
  name: string;
  /** In the platform's own shape, as JSON. */
  definition: unknown;
}

export interface CatalogueReport extends CatalogueItem {
  description: string | null;
  /** Name of the workspace. It is created if needed. */
  workspace: string;
  datasetId: string;
}

/** A dataset or report. */
export interface ItemReference {
  kind: 'dataset' | 'report';
  id: string;
}

const authoredColumns = (authored: Authored | undefined) => ({
  slug: authored?.slug ?? null,
  content: authored?.text ?? null,
  edited_at: authored?.isEdited ? sql<Date>`now()` : null,
});

const notArchived = { archived_at: null, archived_by: null, archived_from: null };

/** Inserts or updates a dataset, without its roles. Returns false if the id is that of another platform's. */
export async function saveDataset(
  db: Database,
  organizationId: string,
  platform: PlatformDescription,
  { id, name, source, rowAccess, authored }: CatalogueDataset,
): Promise<boolean> {
  const columns = {
    name,
    source: JSON.stringify(source),
    row_access: rowAccess,
    ...notArchived,
    ...authoredColumns(authored),
  };
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('datasets')
    .values({ organization_id: organizationId, id, version: 1, ...columns })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'id'])
        .doUpdateSet({ ...columns, version: nextVersion('datasets') })
        // An archived dataset without a source has no platform yet.
        .where(sql<boolean>`datasets.source IS NULL OR (${isOwnDataset(platform)})`),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

const nextVersion = (table: 'datasets' | 'reports'): RawBuilder<number> =>
  sql<number>`${sql.ref(`${table}.version`)} + 1`;

/** Inserts or updates a report. Returns false if the id is that of another platform's report. */
export async function saveReport(
  db: Database,
  organizationId: string,
  platform: { name: string; reportType: number },
  { id, name, source, description, workspace, datasetId, authored }: CatalogueReport,
): Promise<boolean> {
  const workspaceId = await ensureWorkspace(db, organizationId, {
    id: randomUUID(),
    name: workspace,
  });
  const columns = {
    name,
    description,
    source: JSON.stringify(source),
    dataset_id: datasetId,
    workspace_id: workspaceId,
    platform: platform.name,
    report_type: platform.reportType,
    ...notArchived,
    ...authoredColumns(authored),
  };
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('reports')
    .values({ organization_id: organizationId, id, version: 1, ...columns })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'id'])
        .doUpdateSet({ ...columns, version: nextVersion('reports') })
        .where(sql<boolean>`reports.platform = excluded.platform OR reports.source IS NULL`),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Names of the roles that an apply changes. */
export interface RoleChanges {
  added: string[];
  changed: string[];
  removed: string[];
}

/** Replaces the roles of a dataset. Roles that keep their name keep their id and links. */
export async function saveRoles(
  db: Database,
  organizationId: string,
  { id: datasetId, roles }: Pick<CatalogueDataset, 'id' | 'roles'>,
): Promise<RoleChanges> {
  const stored = await db
    .selectFrom('rls_roles')
    .where('organization_id', '=', organizationId)
    .where('dataset_id', '=', datasetId)
    .select(['id', 'name', sql<string>`predicate::text`.as('predicate')])
    .execute();
  const changes: RoleChanges = { added: [], changed: [], removed: [] };
  for (const { name, definition } of roles) {
    const predicate = JSON.stringify(definition);
    const known = stored.find((role) => role.name === name);
    if (!known) {
      changes.added.push(name);
      const ids = { organization_id: organizationId, dataset_id: datasetId, id: randomUUID() };
      await db
        .insertInto('rls_roles')
        .values({ ...ids, name, predicate })
        .execute();
      continue;
    }
    const { rows: updated } = await sql`
      UPDATE rls_roles SET predicate = ${predicate}::jsonb
      WHERE organization_id = ${organizationId} AND id = ${known.id}
        AND predicate <> ${predicate}::jsonb RETURNING id`.execute(db);
    if (updated.length > 0) changes.changed.push(name);
  }
  for (const { id, name } of stored) {
    if (roles.some((role) => role.name === name)) continue;
    changes.removed.push(name);
    await db
      .deleteFrom('rls_roles')
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .execute();
  }
  return changes;
}

/** Lists which of these are datasets on which a platform may have reports. */
export async function listOwnDatasets(
  db: Database,
  organizationId: string,
  platform: PlatformDescription,
  ids: readonly string[],
): Promise<Set<string>> {
  const found = await db
    .selectFrom('datasets')
    .where('organization_id', '=', organizationId)
    .where('id', '=', sql<string>`ANY(${ids}::uuid[])`)
    .where(isOwnDataset(platform))
    .select('id')
    .execute();
  return new Set(found.map(({ id }) => id));
}

const isOwnDataset = ({ name, authored }: PlatformDescription) => sql<boolean>`
  (datasets.slug IS NOT NULL) = ${authored}::boolean
  AND NOT EXISTS (
    SELECT FROM reports WHERE reports.organization_id = datasets.organization_id
      AND reports.dataset_id = datasets.id AND reports.platform <> ${name}
  )`;

/** Who archives an item, and where. */
export interface ArchivedBy {
  /** `null` for an item that has gone from its product. */
  name: string | null;
  from: ArchivedFrom;
}

/** `product`: its product has it no longer, or is no longer connected. */
export type ArchivedFrom = 'files' | 'pages' | 'product';

/**
 * Archives an item: it is hidden, but keeps its id and links. Returns false if it is another platform's
 * item. One that does not exist stays so, and one that is archived already keeps who archived it.
 */
export const archive = (
  db: Database,
  organizationId: string,
  platform: PlatformDescription,
  item: ItemReference,
  by: ArchivedBy | undefined,
): Promise<boolean> =>
  setArchived(db, organizationId, platform, item, {
    archived_at: sql<Date>`coalesce(archived_at, now())`,
    archived_by: sql<string | null>`CASE WHEN archived_at IS NULL THEN ${by?.name ?? null}
      ELSE archived_by END`,
    archived_from: sql<ArchivedFrom | null>`CASE WHEN archived_at IS NULL
      THEN ${by?.from ?? null} ELSE archived_from END`,
  });

/** Shows an archived item again. Returns false if it is another platform's item. */
export const restore = (
  db: Database,
  organizationId: string,
  platform: PlatformDescription,
  item: ItemReference,
): Promise<boolean> => setArchived(db, organizationId, platform, item, notArchived);

async function setArchived(
  db: Database,
  organizationId: string,
  platform: PlatformDescription,
  { kind, id }: ItemReference,
  columns: UpdateObject<Schema, 'reports'> & UpdateObject<Schema, 'datasets'>,
): Promise<boolean> {
  const table = kind === 'dataset' ? 'datasets' : 'reports';
  const isOwn =
    kind === 'dataset' ? isOwnDataset(platform) : sql<boolean>`reports.platform = ${platform.name}`;
  const found = await db
    .selectFrom(table)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .select(isOwn.as('isOwn'))
    .executeTakeFirst();
  if (!found) return true;
  if (!found.isOwn) return false;
  await db
    .updateTable(table)
    .set(columns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
  return true;
}
