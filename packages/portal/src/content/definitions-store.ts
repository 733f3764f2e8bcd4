import { sql, type NotNull } from 'kysely';

import type { DatasetContent } from '#report-engine';

import { isDatasetIn, type WorkspaceIds } from '../catalogue/authoring-store.ts';
import type { Database } from '../db/connection/open.ts';
import type { ItemKind } from './items.ts';

export interface DefinitionRow {
  id: string;
  name: string;
  slug: string;
  text: string;
  version: number;
  /** `null` for a dataset. */
  workspaceId: string | null;
}

/** Finds an item that a content file defines and that is not archived. */
export function findDefinition(
  db: Database,
  organizationId: string,
  kind: ItemKind,
  id: string,
): Promise<DefinitionRow | undefined> {
  const shared = ['id', 'name', 'slug', 'content as text', 'version'] as const;
  return kind === 'report'
    ? db
        .selectFrom('reports')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .where('archived_at', 'is', null)
        .where('slug', 'is not', null)
        .select([...shared, 'workspace_id as workspaceId'])
        .$narrowType<{ slug: NotNull; text: NotNull }>()
        .executeTakeFirst()
    : db
        .selectFrom('datasets')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .where('archived_at', 'is', null)
        .where('slug', 'is not', null)
        .select([...shared, sql<null>`NULL`.as('workspaceId')])
        .$narrowType<{ slug: NotNull; text: NotNull }>()
        .executeTakeFirst();
}

export interface DefinedDataset {
  id: string;
  name: string;
  slug: string;
  text: string;
  source: DatasetContent;
  timeZone: string;
  version: number;
}

/** Finds a dataset that the workspaces may use, by its slug or id. */
export async function findDefinedDataset(
  db: Database,
  organizationId: string,
  workspaceIds: WorkspaceIds,
  only: { slug?: string; id?: string },
): Promise<DefinedDataset | undefined> {
  let datasets = db
    .selectFrom('datasets')
    .innerJoin('organizations', 'organizations.id', 'organization_id')
    .where('organization_id', '=', organizationId)
    .where('archived_at', 'is', null)
    .where('datasets.slug', 'is not', null)
    .where(isDatasetIn(workspaceIds))
    .select(['datasets.id', 'datasets.name', 'datasets.slug', 'content as text', 'version'])
    .select([sql<DatasetContent>`source`.as('source'), 'time_zone as timeZone'])
    .$narrowType<Record<'slug' | 'text', NotNull>>();
  if (only.slug !== undefined) datasets = datasets.where('datasets.slug', '=', only.slug);
  if (only.id !== undefined) datasets = datasets.where('datasets.id', '=', only.id);
  return datasets.executeTakeFirst();
}

/**
 * The slugs of all items of a kind.
 *
 * @param options.withArchived applying the file of an archived item restores the item with its access
 */
export async function listSlugs(
  db: Database,
  organizationId: string,
  kind: ItemKind,
  { withArchived = false }: { withArchived?: boolean } = {},
): Promise<Set<string>> {
  let items = db
    .selectFrom(kind === 'report' ? 'reports' : 'datasets')
    .where('organization_id', '=', organizationId)
    .where('slug', 'is not', null);
  if (!withArchived) items = items.where('archived_at', 'is', null);
  const rows = await items.select('slug').execute();
  return new Set(rows.map(({ slug }) => slug!));
}

export const findReportBySlug = (db: Database, organizationId: string, slug: string) =>
  db
    .selectFrom('reports')
    .where('organization_id', '=', organizationId)
    .where('slug', '=', slug)
    .select(['id', 'version', 'workspace_id', 'archived_at'])
    .executeTakeFirst();

export async function findWorkspace(
  db: Database,
  organizationId: string,
  name: string,
): Promise<string | undefined> {
  const found = await db
    .selectFrom('workspaces')
    .where('organization_id', '=', organizationId)
    .where('name', '=', name)
    .select('id')
    .executeTakeFirst();
  return found?.id;
}

const versionsOf = (db: Database, organizationId: string, kind: ItemKind, id: string) =>
  db
    .selectFrom('content_versions')
    .where('organization_id', '=', organizationId)
    .where('kind', '=', kind)
    .where('item_id', '=', id);

/** The kept versions of an item, the latest first. */
export const listVersions = (db: Database, organizationId: string, kind: ItemKind, id: string) =>
  versionsOf(db, organizationId, kind, id)
    .select(['version', 'created_at', 'author', 'origin'])
    .orderBy('version', 'desc')
    .execute();

export async function findVersion(
  db: Database,
  organizationId: string,
  kind: ItemKind,
  id: string,
  version: number,
): Promise<string | undefined> {
  const found = await versionsOf(db, organizationId, kind, id)
    .where('version', '=', version)
    .select('content')
    .executeTakeFirst();
  return found?.content;
}

/** The slugs of the datasets that the workspaces may use. */
export async function listDatasetSlugs(
  db: Database,
  organizationId: string,
  workspaceIds: WorkspaceIds,
): Promise<string[]> {
  const rows = await db
    .selectFrom('datasets')
    .where('organization_id', '=', organizationId)
    .where('archived_at', 'is', null)
    .where('slug', 'is not', null)
    .where(isDatasetIn(workspaceIds))
    .select('slug')
    .$narrowType<{ slug: NotNull }>()
    .execute();
  return rows.map(({ slug }) => slug).toSorted();
}

/** The user as whom a preview is computed. */
export const findReader = (db: Database, organizationId: string, userId: string) =>
  db
    .selectFrom('users')
    .where('organization_id', '=', organizationId)
    .where('id', '=', userId)
    .select(['id', 'email', 'name'])
    .executeTakeFirst();

export async function findDatasetOfReport(
  db: Database,
  organizationId: string,
  reportId: string,
): Promise<string | undefined> {
  const found = await db
    .selectFrom('reports')
    .where('organization_id', '=', organizationId)
    .where('id', '=', reportId)
    .select('dataset_id')
    .executeTakeFirst();
  return found?.dataset_id;
}
