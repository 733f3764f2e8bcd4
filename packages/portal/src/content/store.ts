import type { DatasetSource } from '@portal-embed/report-model';
import { sql } from 'kysely';

import type { FileColumn } from '#report-engine';

import type { Database } from '../db/connection/open.ts';
import type { Item } from './items.ts';
import type { StoredItem } from './plan.ts';

/** Items of content files, and archived ones that no file has defined yet. */
const isAuthored = sql<boolean>`(slug IS NOT NULL OR source IS NULL)`;

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
 * Lists the datasets and reports that content files define, including archived ones.
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
    'archived_from',
    sql<string | null>`CASE WHEN slug = ANY(${slugs}::text[]) OR id = ANY(${ids}::uuid[])
      THEN content END`.as('content'),
  ] as const;
  const datasets = await db
    .selectFrom('datasets')
    .where('organization_id', '=', organizationId)
    .where(isAuthored)
    .select([...shared, filesOfSource.as('files'), columnsOfSource.as('columns')])
    .orderBy('name')
    .orderBy('id')
    .execute();
  const reports = await db
    .selectFrom('reports')
    .where('organization_id', '=', organizationId)
    .where(isAuthored)
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
  archived_from: 'files' | 'pages' | 'product' | null;
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
  isArchivedInPortal: row.archived_at !== null && row.archived_from === 'pages',
  ...rest,
});

/** The files of a dataset, which may be archived. */
export interface DatasetFiles {
  id: string;
  /** Stored versions. */
  files: string[];
  /** What its definition reads; `null` without a definition. */
  source: DatasetSource | null;
}

export async function listDatasetFiles(
  db: Database,
  organizationId: string,
): Promise<DatasetFiles[]> {
  const rows = await db
    .selectFrom('datasets')
    .where('organization_id', '=', organizationId)
    .where(isAuthored)
    .select(['id', filesOfSource.as('files')])
    .select(sql<DatasetSource | null>`source #> '{definition,source}'`.as('source'))
    .execute();
  return rows.map(({ id, files, source }) => ({ id, files: files ?? [], source }));
}

/** Lists the stored files that the organization's datasets use, including archived datasets. */
export async function listNamedFiles(db: Database, organizationId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('datasets')
    .where('organization_id', '=', organizationId)
    .where(isAuthored)
    .select(filesOfSource.as('files'))
    .execute();
  return new Set(rows.flatMap(({ files }) => files ?? []));
}

/** Lists the organizations with stored files that no dataset names and that were not used for an hour. */
export async function listWithUnusedFiles(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT files.organization_id AS id FROM files
    WHERE last_used_at < now() - interval '1 hour'
      AND NOT EXISTS (
        SELECT FROM author_files AS author
        WHERE author.organization_id = files.organization_id AND author.file = files.name
      )
      AND (files.organization_id, files.name) NOT IN (
        SELECT datasets.organization_id, named.file FROM datasets, jsonb_array_elements_text(
          CASE jsonb_typeof(source -> 'files') WHEN 'array' THEN source -> 'files' ELSE '[]' END
        ) AS named(file)
        WHERE named.file IS NOT NULL
      )`.execute(db);
  return rows.map(({ id }) => id);
}

/** Lists all organizations, with the stored files that their datasets use. */
export async function listNamedByOrganization(
  db: Database,
): Promise<{ id: string; named: ReadonlySet<string> }[]> {
  const organizations = await db.selectFrom('organizations').select('id').orderBy('slug').execute();
  const listed = [];
  for (const { id } of organizations) listed.push({ id, named: await listNamedFiles(db, id) });
  return listed;
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
    .where(isAuthored)
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
