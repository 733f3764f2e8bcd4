import { sql, type RawBuilder } from 'kysely';

import type { Holder } from '#admin/requests';

import { adminPageSize } from '../catalogue/managed-reports-store.ts';
import type { Database } from '../db/connection/open.ts';
import { anyContainsIndexed, combineFilters } from '../db/query/filters.ts';
import type { Found } from '../db/query/paging.ts';

/** Up to so many users of a report are sorted to show a page of them. */
const mostSorted = 10_000;

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
