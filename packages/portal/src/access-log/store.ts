import { auditActionNames, auditActions, type PagedList } from '@portal-embed/contract';
import {
  sql,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
} from 'kysely';

import type { Database } from '../db/connection/open.ts';
import {
  anyContainsIndexed,
  combineFilters,
  contains,
  containsIndexed,
  emailKey,
} from '../db/query/filters.ts';
import { inSnapshot, readWindow, toPage, type PageRequest } from '../db/query/paging.ts';
import { findAuditHour, readTotal } from '../db/query/row-counts.ts';
import type { Schema } from '../db/schema.ts';
import { PortalError } from '../errors.ts';

export type AuditRow = Selectable<Schema['audit_entries']>;

/** What the listed or exported entries must match. */
export interface EntryFilter {
  /** A part of the name or e-mail of users, or a whole e-mail that a user had. */
  user?: string | undefined;
  userEmail?: string | undefined;
  reportName?: string | undefined;
  reportId?: string | undefined;
  action?: number | undefined;
  from?: string | Date | undefined;
  to?: string | Date | undefined;
}

export type AuditFilter = EntryFilter & PageRequest;

/** Offset from which looking up the hour is faster than reading up to it. */
const farOffset = 1_000;

/**
 * Lists entries, newest first. The total of the whole log is kept; the matches of a filter are counted,
 * through an index if the filter names a user or reports.
 */
export function listEntries(
  db: Database,
  organizationId: string,
  filter: AuditFilter,
): Promise<PagedList<AuditRow>> {
  const { action } = filter;
  if (action !== undefined && !(action in auditActionNames))
    return Promise.resolve(toPage(filter, { total: 0, rows: [] }));
  return inSnapshot(db, async (snapshot) => {
    const conditions = await readConditions(snapshot, organizationId, filter);
    const ofAll = snapshot
      .selectFrom('audit_entries')
      .where('organization_id', '=', organizationId)
      .where((is) => is.and(conditions));
    const matches = action === undefined ? ofAll : ofAll.where(isAction(action));
    const isWhole = conditions.length === 0 && action === undefined;
    const total = await countEntries();
    const found = await readWindow(filter, total, async ({ from, offset, limit }) => {
      const direction = from === 'start' ? 'desc' : 'asc';
      let page = matches.selectAll().orderBy('created_at', direction).orderBy('id', direction);
      let skipped = offset;
      if (isWhole && offset >= farOffset) {
        const reached = await findAuditHour(snapshot, organizationId, offset, direction);
        page =
          direction === 'asc'
            ? page.where('created_at', '>=', reached.hour)
            : page.where('created_at', '<', addHour(reached.hour));
        skipped = reached.position;
      }
      return page.limit(limit).offset(skipped).execute();
    });
    return toPage(filter, found);

    async function countEntries() {
      if (conditions.length > 0) return countRows(matches);
      const all = await readTotal(snapshot, organizationId, 'audit_entries');
      if (isWhole) return all;
      if (action !== auditActions.tokenRequested) return countRows(matches);
      // Nearly all entries are grants of access, and only the others have indexes.
      const { reportExported, viewedAs } = auditActions;
      return (
        all -
        (await countRows(ofAll.where(isAction(reportExported)))) -
        (await countRows(ofAll.where(isAction(viewedAs))))
      );
    }
  });
}

/** Written as a constant, because an index has the same condition. */
const isAction = (action: number) => sql<SqlBool>`action = ${sql.lit(action)}`;

const addHour = (hour: Date) => new Date(hour.getTime() + 3_600_000);

async function countRows(matches: SelectQueryBuilder<Schema, 'audit_entries', object>) {
  const counted = await matches.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  return counted.total;
}

async function readConditions(
  snapshot: Database,
  organizationId: string,
  filter: EntryFilter,
): Promise<RawBuilder<SqlBool>[]> {
  const { user, userEmail, reportName, reportId, from, to } = filter;
  return [
    ...(user ? [await buildUserCondition(snapshot, organizationId, user)] : []),
    ...(userEmail ? [sql<SqlBool>`user_email_key = ${emailKey(userEmail)}`] : []),
    ...(reportName ? [await buildNameCondition(snapshot, organizationId, reportName)] : []),
    ...(reportId ? [sql<SqlBool>`report_id = ${reportId}`] : []),
    ...(from ? [sql<SqlBool>`created_at >= ${new Date(from)}`] : []),
    ...(to ? [sql<SqlBool>`created_at < ${new Date(to)}`] : []),
  ];
}

/** Maximum number of users whose entries are found at once. */
const maxUsers = 1_000;

/** Entries have an index by e-mail. A whole e-mail also finds deleted and changed users. */
async function buildUserCondition(
  snapshot: Database,
  organizationId: string,
  part: string,
): Promise<RawBuilder<SqlBool>> {
  const isNamed = combineFilters([anyContainsIndexed(organizationId, ['name', 'email'], part)]);
  const { rows } = await sql<{ email_key: string }>`
    SELECT email_key FROM users
    WHERE organization_id = ${organizationId} AND ${isNamed}
    LIMIT ${maxUsers + 1}`.execute(snapshot);
  if (rows.length > maxUsers)
    throw new PortalError(
      'invalid_request',
      `More than ${maxUsers} users have this in their name or e-mail.`,
      { advice: 'Type more of it.' },
    );
  const keys = [emailKey(part), ...rows.map((row) => row.email_key)];
  return sql<SqlBool>`user_email_key = ANY(${keys}::text[])`;
}

/** Finds the current names of users by their ids. */
export async function findUserNames(
  db: Database,
  organizationId: string,
  userIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, name FROM users
    WHERE organization_id = ${organizationId} AND id = ANY(${userIds}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Entries keep the name at their time, so entries of renamed reports are compared one by one. */
async function buildNameCondition(
  snapshot: Database,
  organizationId: string,
  part: string,
): Promise<RawBuilder<SqlBool>> {
  const { rows } = await sql<{ report_id: string; renamed: boolean }>`
    SELECT report_id, EXISTS (
      SELECT FROM report_names AS other
      WHERE other.organization_id = ${organizationId} AND other.report_id = matching.report_id
        AND other.name <> matching.name
    ) AS renamed
    FROM report_names AS matching
    WHERE organization_id = ${organizationId}
      AND ${combineFilters([containsIndexed(organizationId, 'name', part)])}`.execute(snapshot);
  const isNamed = sql<SqlBool>`report_id = ANY(${rows.map((row) => row.report_id)}::uuid[])`;
  if (!rows.some((row) => row.renamed)) return isNamed;
  return sql<SqlBool>`(${isNamed} AND ${contains('report_name', part)})`;
}

/** Position of an export, as text, because a `Date` has no microseconds. */
export interface ExportPosition {
  moment: string;
  id: string;
}

/** An export ends before `to`, so that entries of its own time do not prolong it. */
export type ExportFilter = EntryFilter & { to: Date };

/** Reads entries after `position`, oldest first. */
export async function listEntriesAfter(
  db: Database,
  organizationId: string,
  filter: ExportFilter,
  position: ExportPosition | undefined,
  limit: number,
): Promise<(AuditRow & ExportPosition)[]> {
  const conditions = await readConditions(db, organizationId, filter);
  let query = db
    .selectFrom('audit_entries')
    .where('organization_id', '=', organizationId)
    .where((is) => is.and(conditions))
    .selectAll()
    .select(sql<string>`created_at::text`.as('moment'))
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit);
  if (filter.action !== undefined) query = query.where('action', '=', filter.action);
  if (position)
    query = query.where(
      sql<SqlBool>`(created_at, id) > (${position.moment}::timestamptz, ${position.id}::uuid)`,
    );
  return query.execute();
}

export interface DayCounts {
  opened: { day: string; count: number }[];
  refused: { day: string; count: number }[];
}

/** Days that charts of the log show. */
const countedDays = 30;

/**
 * Counts openings by the hours of the log, so that the time does not depend on their number. The hours
 * count all entries, so exports and viewings as another user are subtracted.
 */
export async function countByDay(db: Database, organizationId: string): Promise<DayCounts> {
  const subtract = (action: number) => sql`
      SELECT date_trunc('hour', created_at, 'UTC'), -1 FROM audit_entries
      WHERE organization_id = ${organizationId} AND ${isAction(action)}
        AND created_at > now() - make_interval(days => ${countedDays}::integer)`;
  const { rows } = await sql<{ day: string; opened: number; refused: number }>`
    WITH zone AS (SELECT time_zone FROM organizations WHERE id = ${organizationId}),
    hours AS (
      SELECT hour, entries FROM audit_hours
      WHERE organization_id = ${organizationId}
        AND hour > now() - make_interval(days => ${countedDays}::integer)
      UNION ALL SELECT hour, change FROM row_count_changes
      WHERE organization_id = ${organizationId} AND list = 'audit_entries'
        AND hour > now() - make_interval(days => ${countedDays}::integer)
      UNION ALL ${subtract(auditActions.reportExported)}
      UNION ALL ${subtract(auditActions.viewedAs)}
    ), refusals AS (
      SELECT coalesce(last_at, created_at) AS moment, count FROM activity_entries
      WHERE organization_id = ${organizationId} AND refusal IS NOT NULL
        AND created_at > now() - make_interval(days => ${countedDays}::integer)
    ), days AS (
      SELECT generate_series(
        date_trunc('day', now() AT TIME ZONE time_zone) - make_interval(days => ${countedDays - 1}::integer),
        date_trunc('day', now() AT TIME ZONE time_zone), '1 day'
      )::date AS day FROM zone
    ), opened AS (
      SELECT (hour AT TIME ZONE time_zone)::date AS day, sum(entries) AS count
      FROM hours, zone GROUP BY 1
    ), refused AS (
      SELECT (moment AT TIME ZONE time_zone)::date AS day, sum(count) AS count
      FROM refusals, zone GROUP BY 1
    )
    SELECT day::text, coalesce(opened.count, 0)::bigint AS opened,
      coalesce(refused.count, 0)::bigint AS refused
    FROM days LEFT JOIN opened USING (day) LEFT JOIN refused USING (day)
    ORDER BY day`.execute(db);
  return {
    opened: rows.map(({ day, opened }) => ({ day, count: opened })),
    refused: rows.map(({ day, refused }) => ({ day, count: refused })),
  };
}
