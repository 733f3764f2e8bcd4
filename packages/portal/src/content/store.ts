import { randomUUID } from 'node:crypto';

import type { Dataset, Report } from '@portal-embed/report-model';
import { sql } from 'kysely';

import type { DatasetContent, FileColumn } from '#report-engine';

import { ensureWorkspace } from '../catalogue/store.ts';
import type { Database } from '../db/connection/open.ts';
import { reportTypes } from '../platforms/registry.ts';
import type { Item } from './items.ts';
import type { StoredItem } from './plan.ts';

/** Number of versions of an item that are kept. */
const keptVersions = 20;

/** Parts of the source of a dataset that content files define. */
const filesOfSource = sql<string[] | null>`source -> 'files'`;
const columnsOfSource = sql<FileColumn[] | null>`source -> 'columns'`;

export interface StoredContent extends StoredItem {
  /** The dataset of a report. */
  datasetId: string | null;
}

/**
 * Lists all datasets and reports of the organization, including archived ones.
 *
 * @param given items whose stored texts are read, too
 */
export async function listStored(
  db: Database,
  organizationId: string,
  given: readonly Item[] = [],
): Promise<StoredContent[]> {
  const slugs = given.map(({ slug }) => slug);
  const ids = given.flatMap(({ definition }) => definition.id?.toLowerCase() ?? []);
  const shared = [
    'id',
    'name',
    'slug',
    'version',
    'edited_at',
    'archived_at',
    sql<string | null>`CASE WHEN slug = ANY(${slugs}::text[]) OR id = ANY(${ids}::uuid[])
      THEN content END`.as('content'),
  ] as const;
  const datasets = await db
    .selectFrom('datasets')
    .where('organization_id', '=', organizationId)
    .select([...shared, filesOfSource.as('files'), columnsOfSource.as('columns')])
    .orderBy('name')
    .orderBy('id')
    .execute();
  const reports = await db
    .selectFrom('reports')
    .where('organization_id', '=', organizationId)
    .select([...shared, 'dataset_id'])
    .orderBy('name')
    .orderBy('id')
    .execute();
  return [
    ...datasets.map((row) =>
      toStored('dataset', row, { files: row.files, columns: row.columns, datasetId: null }),
    ),
    ...reports.map((row) =>
      toStored('report', row, { files: null, columns: null, datasetId: row.dataset_id }),
    ),
  ];
}

/** Reads the texts of items, datasets first, in the order of their names. */
export async function listTexts(
  db: Database,
  organizationId: string,
  items: readonly Pick<StoredItem, 'kind' | 'id'>[],
): Promise<{ kind: StoredItem['kind']; slug: string; text: string }[]> {
  const listOf = async (kind: StoredItem['kind']) => {
    const ids = items.filter((item) => item.kind === kind).map(({ id }) => id);
    const rows = await db
      .selectFrom(tableOf(kind))
      .where('organization_id', '=', organizationId)
      .where(sql<boolean>`id = ANY(${ids}::uuid[])`)
      .select(['slug', 'content'])
      .orderBy('name')
      .orderBy('id')
      .execute();
    return rows.map(({ slug, content }) => ({ kind, slug: slug!, text: content! }));
  };
  return [...(await listOf('dataset')), ...(await listOf('report'))];
}

interface ItemRow {
  id: string;
  name: string;
  slug: string | null;
  content: string | null;
  version: number;
  edited_at: Date | null;
  archived_at: Date | null;
}

const toStored = (
  kind: StoredItem['kind'],
  row: ItemRow,
  rest: Pick<StoredContent, 'files' | 'columns' | 'datasetId'>,
): StoredContent => ({
  kind,
  id: row.id,
  name: row.name,
  slug: row.slug,
  text: row.content,
  version: row.version,
  isEdited: row.edited_at !== null,
  isArchived: row.archived_at !== null,
  ...rest,
});

/** Lists the stored files that the organization's datasets use, including archived datasets. */
export async function listNamedFiles(db: Database, organizationId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('datasets')
    .where('organization_id', '=', organizationId)
    .select(filesOfSource.as('files'))
    .execute();
  return new Set(rows.flatMap(({ files }) => files ?? []));
}

/** The stored files of one dataset. */
export interface SourceFiles {
  organizationId: string;
  datasetId: string;
  /** Paths below the organization's folder. */
  files: string[];
}

/** Lists the stored files of the datasets of all organizations, except archived ones. */
export async function listSources(db: Database): Promise<SourceFiles[]> {
  const rows = await db
    .selectFrom('datasets')
    .where('archived_at', 'is', null)
    .where('source', 'is not', null)
    .select(['organization_id', 'id', filesOfSource.as('files')])
    .execute();
  return rows.map(({ organization_id, id, files }) => ({
    organizationId: organization_id,
    datasetId: id,
    files: files ?? [],
  }));
}

const tableOf = (kind: StoredItem['kind']) => (kind === 'dataset' ? 'datasets' : 'reports');

/** Who saves an item, and from where. */
export interface Authorship {
  author: string;
  origin: 'files' | 'pages';
}

interface Saved extends Authorship {
  organizationId: string;
  id: string;
  slug: string;
  text: string;
  version: number;
}

/** Inserts or updates a dataset, with its roles. */
export async function saveDataset(
  db: Database,
  dataset: Saved & { definition: Dataset; files: string[]; columns: readonly FileColumn[] },
): Promise<RoleChanges> {
  const { organizationId, id, definition, files } = dataset;
  const columns = {
    slug: dataset.slug,
    name: definition.name,
    content: dataset.text,
    source: JSON.stringify({
      definition,
      files,
      columns: dataset.columns,
    } satisfies DatasetContent),
    version: dataset.version,
    row_access: definition.rowAccess,
    edited_at: editedAt(dataset.origin),
    archived_at: null,
  };
  await db
    .insertInto('datasets')
    .values({ organization_id: organizationId, id, ...columns })
    .onConflict((conflict) => conflict.columns(['organization_id', 'id']).doUpdateSet(columns))
    .execute();
  return saveRoles(db, { organizationId, datasetId: id, roles: definition.roles });
}

/** After an edit in the administration, the next `apply` is a conflict. */
const editedAt = (origin: Authorship['origin']) => (origin === 'pages' ? sql<Date>`now()` : null);

/** Names of the roles that an apply changes. */
export interface RoleChanges {
  added: string[];
  changed: string[];
  removed: string[];
}

/** Replaces the roles of a dataset. Roles that keep their name keep their id and links. */
async function saveRoles(
  db: Database,
  {
    organizationId,
    datasetId,
    roles,
  }: { organizationId: string; datasetId: string; roles: Dataset['roles'] },
): Promise<RoleChanges> {
  const stored = await db
    .selectFrom('rls_roles')
    .where('organization_id', '=', organizationId)
    .where('dataset_id', '=', datasetId)
    .select(['id', 'name', sql<string>`predicate::text`.as('predicate')])
    .execute();
  const changes: RoleChanges = { added: [], changed: [], removed: [] };
  for (const { name, rows } of roles) {
    const predicate = JSON.stringify(rows);
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

/** Returns the id of the dataset with this slug. The check made sure that it exists. */
export async function requireDatasetId(
  db: Database,
  organizationId: string,
  slug: string,
): Promise<string> {
  const { id } = await db
    .selectFrom('datasets')
    .where('organization_id', '=', organizationId)
    .where('slug', '=', slug)
    .select('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Inserts or updates a report. */
export async function saveReport(
  db: Database,
  report: Saved & { definition: Report; datasetId: string },
): Promise<void> {
  const { organizationId, id, definition } = report;
  const workspaceId = await ensureWorkspace(db, organizationId, {
    id: randomUUID(),
    name: definition.workspace,
  });
  const columns = {
    slug: report.slug,
    name: definition.name,
    description: definition.description ?? null,
    content: report.text,
    source: JSON.stringify(definition),
    dataset_id: report.datasetId,
    workspace_id: workspaceId,
    platform: 'builtin' as const,
    report_type: reportTypes.builtin,
    version: report.version,
    edited_at: editedAt(report.origin),
    archived_at: null,
  };
  await db
    .insertInto('reports')
    .values({ organization_id: organizationId, id, ...columns })
    .onConflict((conflict) => conflict.columns(['organization_id', 'id']).doUpdateSet(columns))
    .execute();
}

/** Adds a version and removes the oldest ones beyond the limit. */
export async function saveVersion(
  db: Database,
  version: {
    organizationId: string;
    kind: StoredItem['kind'];
    id: string;
    version: number;
    text: string;
  } & Authorship,
): Promise<void> {
  const { organizationId, kind, id, author, origin } = version;
  await db
    .insertInto('content_versions')
    .values({
      organization_id: organizationId,
      kind,
      item_id: id,
      version: version.version,
      content: version.text,
      author,
      origin,
    })
    .execute();
  await sql`
    DELETE FROM content_versions
    WHERE organization_id = ${organizationId} AND kind = ${kind} AND item_id = ${id}
      AND version <= (
        SELECT version FROM content_versions
        WHERE organization_id = ${organizationId} AND kind = ${kind} AND item_id = ${id}
        ORDER BY version DESC OFFSET ${keptVersions} LIMIT 1
      )`.execute(db);
}

/** Archives an item: it is hidden, but keeps its id and links. */
export async function archive(
  db: Database,
  organizationId: string,
  { kind, id }: Pick<StoredItem, 'kind' | 'id'>,
): Promise<void> {
  await db
    .updateTable(tableOf(kind))
    .set({ archived_at: sql`now()`, edited_at: null })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}
