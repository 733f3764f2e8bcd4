import { sql } from 'kysely';

import type { DatasetWorkspace } from '#admin/requests';
import type { DatasetContent } from '#report-engine';

import { isDatasetIn, isReportIn, type WorkspaceIds } from '../catalogue/authoring-store.ts';
import type { Database } from '../db/connection/open.ts';

const countReports = (workspaceIds: WorkspaceIds) => sql<number>`(
  SELECT count(*) FROM reports
  WHERE reports.organization_id = datasets.organization_id AND reports.dataset_id = datasets.id
    AND reports.archived_at IS NULL AND ${isReportIn(workspaceIds)}
)`;

const countRoles = sql<number>`(
  SELECT count(*) FROM rls_roles
  WHERE organization_id = datasets.organization_id AND dataset_id = datasets.id
)`;

/** The platform of the reports of a dataset that is not authored; `null` if it has none. */
const platformName = sql<string | null>`(
  SELECT platform FROM reports
  WHERE reports.organization_id = datasets.organization_id AND reports.dataset_id = datasets.id
    AND datasets.slug IS NULL
  LIMIT 1
)`;

/** The connection or the files that a dataset's definition names; `null` if it is not authored. */
const sourceName = sql<string | null>`coalesce(
  source #>> '{definition,source,connection}', source #>> '{definition,source,file}',
  source #>> '{definition,source,files}'
)`;

const selectDatasets = (db: Database, organizationId: string, workspaceIds: WorkspaceIds) =>
  db
    .selectFrom('datasets')
    .where('datasets.organization_id', '=', organizationId)
    .where('datasets.archived_at', 'is', null)
    .where(isDatasetIn(workspaceIds))
    .select(['datasets.id', 'datasets.name', 'datasets.slug'])
    .select([sourceName.as('sourceName'), countReports(workspaceIds).as('reports')])
    .select([countRoles.as('roles'), platformName.as('platform')]);

export type DatasetListRow = Awaited<
  ReturnType<ReturnType<typeof selectDatasets>['executeTakeFirstOrThrow']>
>;

/** @param workspaceIds leaves out the datasets of other workspaces, as `findDataset` does */
export const listManagedDatasets = (
  db: Database,
  organizationId: string,
  workspaceIds: WorkspaceIds,
): Promise<DatasetListRow[]> =>
  selectDatasets(db, organizationId, workspaceIds)
    .orderBy(sql`datasets.name COLLATE "C"`)
    .execute();

export type DatasetDetails = NonNullable<Awaited<ReturnType<typeof findDataset>>>;

export const findDataset = (
  db: Database,
  organizationId: string,
  id: string,
  workspaceIds: WorkspaceIds,
) =>
  selectDatasets(db, organizationId, workspaceIds)
    .leftJoin('content_versions as saved', (join) =>
      join
        .onRef('saved.organization_id', '=', 'datasets.organization_id')
        .onRef('saved.item_id', '=', 'datasets.id')
        .onRef('saved.version', '=', 'datasets.version')
        .on('saved.kind', '=', 'dataset'),
    )
    .innerJoin('organizations', 'organizations.id', 'datasets.organization_id')
    .where('datasets.id', '=', id)
    .select([
      'row_access',
      'edited_at',
      'datasets.version',
      sql<DatasetContent>`datasets.source`.as('source'),
      'time_zone as timeZone',
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
  workspaceIds: WorkspaceIds,
): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('reports')
    .where('organization_id', '=', organizationId)
    .where('dataset_id', '=', datasetId)
    .where('archived_at', 'is', null)
    .where(isReportIn(workspaceIds))
    .select(['id', 'name'])
    .orderBy(sql`name COLLATE "C"`)
    .execute();
}

/** The workspaces in which a dataset may be used, by name. */
export async function listWorkspacesOf(
  db: Database,
  organizationId: string,
  datasetId: string,
): Promise<DatasetWorkspace[]> {
  const { rows } = await sql<DatasetWorkspace>`
    SELECT id, name, opened.workspace_id IS NOT NULL AS "isOpened", coalesce(reports, 0) AS reports
    FROM workspaces
    LEFT JOIN dataset_workspaces AS opened ON opened.organization_id = workspaces.organization_id
      AND opened.workspace_id = workspaces.id AND opened.dataset_id = ${datasetId}
    LEFT JOIN (
      SELECT workspace_id, count(*) AS reports FROM reports
      WHERE organization_id = ${organizationId} AND dataset_id = ${datasetId}
        AND archived_at IS NULL
      GROUP BY workspace_id
    ) AS used ON used.workspace_id = workspaces.id
    WHERE workspaces.organization_id = ${organizationId}
      AND (opened.workspace_id IS NOT NULL OR reports > 0)
    ORDER BY name COLLATE "C"`.execute(db);
  return rows;
}

/** Returns the dataset's name, locked against deletion until the transaction ends. */
export const lockDataset = (db: Database, organizationId: string, id: string) =>
  db
    .selectFrom('datasets')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .select('name')
    .forKeyShare()
    .executeTakeFirst();
