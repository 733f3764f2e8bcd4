import { auditActions } from '@portal-embed/contract';
import { sql } from 'kysely';

import { mostReaders } from '#admin/requests';

import type { Database } from '../db/connection/open.ts';
import { containsIndexed } from '../db/query/filters.ts';
import { findRows } from '../db/query/lists.ts';
import type { Found } from '../db/query/paging.ts';

/** Rows of one page of a list. */
export const adminPageSize = 25;

/** Counts the users who may open a report, up to one more than a list shows. */
const readers = sql<number>`(
  SELECT count(*) FROM (
    (SELECT user_id FROM report_users
      WHERE organization_id = reports.organization_id AND report_id = reports.id
      LIMIT ${sql.lit(mostReaders + 1)})
    UNION
    (SELECT user_id FROM report_groups JOIN group_members USING (organization_id, group_id)
      WHERE organization_id = reports.organization_id AND report_id = reports.id
      LIMIT ${sql.lit(mostReaders + 1)})
  ) AS users
)`;

const lastOpened = sql<Date | null>`(
  SELECT created_at FROM audit_entries
  WHERE organization_id = reports.organization_id AND report_id = reports.id
    AND action = ${sql.lit(auditActions.tokenRequested)}
  ORDER BY created_at DESC LIMIT 1
)`;

const selectReports = (db: Database, organizationId: string) =>
  db
    .selectFrom('reports')
    .innerJoin('workspaces', (join) =>
      join
        .onRef('workspaces.organization_id', '=', 'reports.organization_id')
        .onRef('workspaces.id', '=', 'reports.workspace_id'),
    )
    .where('reports.organization_id', '=', organizationId)
    .where('reports.archived_at', 'is', null)
    .select([
      'reports.id',
      'reports.name',
      'reports.description',
      'reports.workspace_id',
      'reports.platform',
      'workspaces.name as workspace_name',
      readers.as('readers'),
      lastOpened.as('last_opened'),
    ]);

export type ReportListRow = Awaited<
  ReturnType<ReturnType<typeof selectReports>['executeTakeFirstOrThrow']>
>;

/** @param filter.workspaceIds limits the list to these workspaces; `null`: all */
export const findReports = (
  db: Database,
  organizationId: string,
  filter: {
    page: number;
    search: string;
    workspaceId?: string | undefined;
    workspaceIds: ReadonlySet<string> | null;
  },
): Promise<Found<ReportListRow>> =>
  findRows(
    db,
    { pageNumber: filter.page, pageSize: adminPageSize },
    {
      organizationId,
      table: 'reports',
      counted: sql`archived_at IS NULL`,
      filters: [
        ...(filter.search ? [containsIndexed(organizationId, 'name', filter.search)] : []),
        ...(filter.workspaceId
          ? [{ condition: sql<boolean>`workspace_id = ${filter.workspaceId}` }]
          : []),
        ...(filter.workspaceIds
          ? [{ condition: sql<boolean>`workspace_id = ANY(${[...filter.workspaceIds]}::uuid[])` }]
          : []),
      ],
      order: [{ column: 'name', collate: 'C' }, { column: 'id' }],
      load: (snapshot, ids) =>
        selectReports(snapshot, organizationId)
          .where('reports.id', '=', sql<string>`ANY(${ids}::uuid[])`)
          .execute(),
    },
  );

export type ReportDetails = NonNullable<Awaited<ReturnType<typeof findReport>>>;

export const findReport = (db: Database, organizationId: string, reportId: string) =>
  selectReports(db, organizationId)
    .innerJoin('datasets', (join) =>
      join
        .onRef('datasets.organization_id', '=', 'reports.organization_id')
        .onRef('datasets.id', '=', 'reports.dataset_id'),
    )
    .leftJoin('content_versions as saved', (join) =>
      join
        .onRef('saved.organization_id', '=', 'reports.organization_id')
        .onRef('saved.item_id', '=', 'reports.id')
        .onRef('saved.version', '=', 'reports.version')
        .on('saved.kind', '=', 'report'),
    )
    .where('reports.id', '=', reportId)
    .select([
      'reports.slug',
      'reports.source',
      'reports.version',
      'reports.edited_at',
      'reports.dataset_id',
      'datasets.name as dataset_name',
      'datasets.row_access',
      'saved.author',
      'saved.origin',
      'saved.created_at as saved_at',
    ])
    .executeTakeFirst();
