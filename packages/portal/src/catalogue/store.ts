import type { PagedList } from '@portal-embed/contract';
import { sql, type NotNull, type RawBuilder } from 'kysely';

import type { StoredDataset } from '#platform';

import type { Database } from '../db/connection/open.ts';
import { contains, containsIndexed, type Filter } from '../db/query/filters.ts';
import { lockExisting } from '../db/query/links.ts';
import { listRows } from '../db/query/lists.ts';
import type { PageRequest } from '../db/query/paging.ts';
import { reportColumns } from './report-columns.ts';

/** Selects reports with their workspaces, sorted by name. */
export const selectReports = (db: Database, organizationId: string | RawBuilder<string>) =>
  db
    .selectFrom('reports')
    .innerJoin('workspaces', (join) =>
      join
        .onRef('workspaces.organization_id', '=', 'reports.organization_id')
        .onRef('workspaces.id', '=', 'reports.workspace_id'),
    )
    .where('reports.organization_id', '=', organizationId)
    .select([
      'reports.organization_id',
      ...Object.values(reportColumns).map((column) => `reports.${column}` as const),
      'workspaces.name as workspace_name',
    ])
    .orderBy(sql`reports.name COLLATE "C"`)
    .orderBy('reports.id');

export type ReportRow = Awaited<
  ReturnType<ReturnType<typeof selectReports>['executeTakeFirstOrThrow']>
>;

export function listReports(
  db: Database,
  organizationId: string,
  filter: { reportName?: string | undefined; workspaceName?: string | undefined } & PageRequest,
): Promise<PagedList<ReportRow>> {
  return listRows(db, filter, {
    organizationId,
    table: 'reports',
    counted: sql`archived_at IS NULL`,
    filters: [
      ...(filter.reportName ? [containsIndexed(organizationId, 'name', filter.reportName)] : []),
      ...(filter.workspaceName ? [inWorkspaces(organizationId, filter.workspaceName)] : []),
    ],
    order: [{ column: 'name', collate: 'C' }, { column: 'id' }],
    load: (snapshot, ids) =>
      selectReports(snapshot, organizationId)
        .where('reports.id', '=', sql<string>`ANY(${ids}::uuid[])`)
        .execute(),
  });
}

const inWorkspaces = (organizationId: string, name: string): Filter => ({
  condition: sql`workspace_id IN (
    SELECT id FROM workspaces WHERE organization_id = ${organizationId} AND ${contains('name', name)}
  )`,
});

/** Returns which of `ids` exist, locked against deletion until the transaction ends. */
export const lockReports = (
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<Set<string>> => lockExisting(db, 'reports', organizationId, ids);

/** Returns the dataset of a content file. */
export function findDataset(
  db: Database,
  organizationId: string,
  slug: string,
): Promise<StoredDataset | undefined> {
  return db
    .selectFrom('datasets')
    .innerJoin('organizations', 'organizations.id', 'organization_id')
    .where('organization_id', '=', organizationId)
    .where('datasets.slug', '=', slug)
    .where('archived_at', 'is', null)
    .select(['datasets.name', 'source', 'time_zone as timeZone'])
    .$narrowType<{ source: NotNull }>()
    .executeTakeFirst();
}

/** Returns the id of the workspace with this name, and creates it if needed. */
export async function ensureWorkspace(
  db: Database,
  organizationId: string,
  workspace: { id: string; name: string },
): Promise<string> {
  const found = await db
    .selectFrom('workspaces')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('name', '=', workspace.name)
    .executeTakeFirst();
  if (found) return found.id;
  await db
    .insertInto('workspaces')
    .values({ organization_id: organizationId, ...workspace })
    .execute();
  return workspace.id;
}
