import { auditActions } from '@portal-embed/contract';
import { sql } from 'kysely';

import type { Database } from '../db/connection/open.ts';
import type { DataUpdate } from './late-data.ts';

/** Days of one period; the one before is as long. */
const periodDays = 7;

/** Openings that are read at most to count readers, of both periods. */
const maxOpenings = 100_000;

/** Updates of data that are read at most. */
const maxUpdates = 500;

/** Users who have opened a report. */
export interface ReaderCounts {
  /** Beginning of the last 7 days, today included, in the organization's time zone. */
  since: Date;
  count: number;
  /** Those of the 7 days before; `null` if there are too many openings to count them. */
  before: number | null;
  /** Whether `count` leaves out the first openings, because there are too many. */
  isMinimum: boolean;
}

/** Counts readers from the newest openings, so that the time does not depend on the length of the log. */
export async function countReaders(
  db: Database,
  organizationId: string,
  max = maxOpenings,
): Promise<ReaderCounts> {
  const period = await sql<{ since: Date; before: Date }>`
    SELECT (today - make_interval(days => ${periodDays - 1}::integer)) AT TIME ZONE time_zone AS since,
      (today - make_interval(days => ${2 * periodDays - 1}::integer)) AT TIME ZONE time_zone AS before
    FROM (
      SELECT time_zone, date_trunc('day', now() AT TIME ZONE time_zone) AS today
      FROM organizations WHERE id = ${organizationId}
    ) AS zone`.execute(db);
  const { since, before } = period.rows[0]!;
  const { rows } = await sql<{ count: number; before: number; read: number; first: Date | null }>`
    SELECT count(DISTINCT user_email_key) FILTER (WHERE created_at >= ${since}) AS count,
      count(DISTINCT user_email_key) FILTER (WHERE created_at < ${since}) AS before,
      count(*) AS read, min(created_at) AS first
    FROM (${selectOpenings(organizationId, before, max)}) AS openings`.execute(db);
  const found = rows[0]!;
  const isPartial = found.read === max;
  return {
    since,
    count: found.count,
    before: isPartial ? null : found.before,
    isMinimum: isPartial && found.first! >= since,
  };
}

/** The newest openings since a time. For `countReaders`, and for the test of its plan. */
export const selectOpenings = (organizationId: string, since: Date, max: number) => sql`
  SELECT user_email_key, created_at FROM audit_entries
  WHERE organization_id = ${organizationId} AND created_at >= ${since}
    AND action = ${sql.lit(auditActions.tokenRequested)}
  ORDER BY created_at DESC LIMIT ${max}`;

/** Lists the latest updates of data. */
export async function listDataUpdates(db: Database, organizationId: string): Promise<DataUpdate[]> {
  const { rows } = await sql<{ at: Date; ids: string[] }>`
    ${selectUpdates(organizationId, 'replaceData')} UNION ALL
    ${selectUpdates(organizationId, 'appendData')}`.execute(db);
  return rows.flatMap(({ at, ids }) => ids.map((datasetId) => ({ datasetId, at })));
}

/** Finds the names of reports or datasets that are not archived, by their ids. */
export async function findItemNames(
  db: Database,
  organizationId: string,
  table: 'reports' | 'datasets',
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, name FROM ${sql.table(table)}
    WHERE organization_id = ${organizationId} AND archived_at IS NULL
      AND id = ANY(${ids}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The text of the second condition is that of the index. */
const selectUpdates = (organizationId: string, action: string) => sql`
  (SELECT created_at AS at,
    ARRAY(SELECT jsonb_array_elements(details->'datasets')->>'id') AS ids
  FROM activity_entries
  WHERE organization_id = ${organizationId} AND action = ${action}
    AND action <> 'mintIdentityUrl' AND refusal IS NULL
  ORDER BY id DESC LIMIT ${maxUpdates})`;
