import { sql } from 'kysely';

import type { Database } from '../db/connection/open.ts';
import { zonedDefinition } from './definition.ts';

const countReports = sql<number>`(
  SELECT count(*) FROM reports
  WHERE organization_id = datasets.organization_id AND dataset_id = datasets.id
    AND archived_at IS NULL
)`;

const countRoles = sql<number>`(
  SELECT count(*) FROM rls_roles
  WHERE organization_id = datasets.organization_id AND dataset_id = datasets.id
)`;

/** What a dataset's definition says of its source; `null` without a definition. */
const source = sql<{ file?: string; files?: string; connection?: string } | null>`
  definition -> 'source'`;

const selectDatasets = (db: Database, organizationId: string) =>
  db
    .selectFrom('datasets')
    .where('datasets.organization_id', '=', organizationId)
    .where('datasets.archived_at', 'is', null)
    .select(['datasets.id', 'datasets.name', 'datasets.slug'])
    .select([source.as('source'), countReports.as('reports'), countRoles.as('roles')]);

export type DatasetListRow = Awaited<
  ReturnType<ReturnType<typeof selectDatasets>['executeTakeFirstOrThrow']>
>;

export const listDatasets = (db: Database, organizationId: string): Promise<DatasetListRow[]> =>
  selectDatasets(db, organizationId)
    .orderBy(sql`datasets.name COLLATE "C"`)
    .execute();

export type DatasetDetails = NonNullable<Awaited<ReturnType<typeof findDataset>>>;

export const findDataset = (db: Database, organizationId: string, id: string) =>
  selectDatasets(db, organizationId)
    .leftJoin('content_versions as saved', (join) =>
      join
        .onRef('saved.organization_id', '=', 'datasets.organization_id')
        .onRef('saved.item_id', '=', 'datasets.id')
        .onRef('saved.version', '=', 'datasets.version')
        .on('saved.kind', '=', 'dataset'),
    )
    .where('datasets.id', '=', id)
    .select([
      'row_access',
      'edited_at',
      'datasets.version',
      zonedDefinition.as('definition'),
      'columns',
      'file',
      'files',
      'saved.author',
      'saved.origin',
      'saved.created_at as saved_at',
    ])
    .executeTakeFirst();

/** The reports that use a dataset, in all workspaces or only in some. */
export function listReportsOf(
  db: Database,
  organizationId: string,
  datasetId: string,
  workspaceIds: ReadonlySet<string> | null,
): Promise<{ id: string; name: string }[]> {
  const reports = db
    .selectFrom('reports')
    .where('organization_id', '=', organizationId)
    .where('dataset_id', '=', datasetId)
    .where('archived_at', 'is', null)
    .select(['id', 'name'])
    .orderBy(sql`name COLLATE "C"`);
  return workspaceIds === null
    ? reports.execute()
    : reports.where('workspace_id', '=', sql<string>`ANY(${[...workspaceIds]}::uuid[])`).execute();
}

/** The roles of a dataset with the numbers of those who hold them by an own link. */
export const countHolders = (db: Database, organizationId: string, datasetId: string) =>
  db
    .selectFrom('rls_roles as role')
    .where('organization_id', '=', organizationId)
    .where('dataset_id', '=', datasetId)
    .select(['id', 'name'])
    .select([
      sql<number>`(SELECT count(*) FROM rls_role_users AS link
        WHERE link.organization_id = role.organization_id AND role_id = role.id)`.as('users'),
      sql<number>`(SELECT count(*) FROM rls_role_groups AS link
        WHERE link.organization_id = role.organization_id AND role_id = role.id)`.as('groups'),
    ])
    .orderBy(sql`name COLLATE "C"`)
    .execute();
