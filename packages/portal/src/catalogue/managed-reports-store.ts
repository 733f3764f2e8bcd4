import { auditActions } from '@portal-embed/contract';
import { sql, type NotNull, type RawBuilder } from 'kysely';

import { mostReaders, type Holder } from '#admin/requests';

import type { Database } from '../db/connection/open.ts';
import { anyContainsIndexed, combineFilters, containsIndexed } from '../db/query/filters.ts';
import { findRows } from '../db/query/lists.ts';
import type { Found } from '../db/query/paging.ts';

/** Rows of one page of a list. */
export const adminPageSize = 25;

/** Up to so many users of a report are sorted to show a page of them. */
const mostSorted = 10_000;

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
      'reports.version',
      'reports.edited_at',
      'reports.dataset_id',
      'datasets.name as dataset_name',
      'datasets.row_access',
      'saved.author',
      'saved.origin',
      'saved.created_at as saved_at',
    ])
    .$narrowType<{ slug: NotNull }>()
    .executeTakeFirst();

/** The groups that may open a report. */
export const listReportGroups = (db: Database, organizationId: string, reportId: string) =>
  db
    .selectFrom('report_groups')
    .innerJoin('groups', (join) =>
      join
        .onRef('groups.organization_id', '=', 'report_groups.organization_id')
        .onRef('groups.id', '=', 'report_groups.group_id'),
    )
    .where('report_groups.organization_id', '=', organizationId)
    .where('report_id', '=', reportId)
    .select([
      sql<'group'>`'group'`.as('kind'),
      'groups.id',
      'groups.name',
      sql<null>`NULL`.as('email'),
    ])
    .select(
      sql<number>`(
        SELECT count(*) FROM group_members
        WHERE organization_id = groups.organization_id AND group_id = groups.id
      )`.as('members'),
    )
    .orderBy(sql`groups.name COLLATE "C"`)
    .execute();

/**
 * One page of the users who are linked to a report themselves. The total is counted to the limit. Of
 * many users, the page is read in their order; of few, they are looked up and sorted.
 */
export async function listReportUsers(
  db: Database,
  organizationId: string,
  reportId: string,
  { page, search }: { page: number; search: string },
): Promise<Found<Holder>> {
  // Not EXISTS, which the planner may turn around.
  const isLinked = sql`(SELECT true FROM report_users AS link
    WHERE link.organization_id = users.organization_id AND link.user_id = users.id
      AND report_id = ${reportId})`;
  const named = search
    ? anyContainsIndexed(organizationId, ['users.name', 'users.email'], search)
    : undefined;
  const ofUsers = (isNamed: RawBuilder<unknown>) =>
    sql`users WHERE organization_id = ${organizationId} AND ${isNamed} AND ${isLinked}`;
  const total = await countRows(
    db,
    named
      ? ofUsers(combineFilters([named]))
      : sql`report_users WHERE organization_id = ${organizationId} AND report_id = ${reportId}`,
  );
  const offset = (page - 1) * adminPageSize;
  if (offset >= total) return { total, rows: [] };
  let from = sql`report_users AS link
    JOIN users ON users.organization_id = link.organization_id AND users.id = link.user_id
    WHERE link.organization_id = ${organizationId} AND report_id = ${reportId}`;
  // Without the index of names, the users are read in their order until the page is full.
  if (total > mostSorted) from = ofUsers(named?.condition ?? sql`true`);
  else if (named) from = ofUsers(combineFilters([named]));
  const { rows } = await sql<Holder>`
    SELECT 'user' AS kind, users.id, users.name, users.email
    FROM ${from}
    ORDER BY email_key LIMIT ${adminPageSize} OFFSET ${offset}`.execute(db);
  return { total, rows };
}

/** Counts rows up to one more than are sorted. */
async function countRows(db: Database, rows: RawBuilder<unknown>): Promise<number> {
  const counted = await sql<{ total: number }>`
    SELECT count(*) AS total FROM (SELECT 1 FROM ${rows} LIMIT ${mostSorted + 1}) AS found`.execute(
    db,
  );
  return counted.rows[0]!.total;
}
