import { sql } from 'kysely';

import type { Database } from '../connection/open.ts';

/** Tables whose rows are counted by organization. */
export type CountedList = 'users' | 'reports' | 'rls_roles' | 'audit_entries';

/** Returns the exact number of rows: the folded count and the changes since. */
export async function readTotal(
  db: Database,
  organizationId: string,
  list: CountedList,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    SELECT sum(part)::bigint AS total FROM (
      SELECT total AS part FROM row_counts
      WHERE organization_id = ${organizationId} AND list = ${list}
      UNION ALL SELECT change FROM row_count_changes
      WHERE organization_id = ${organizationId} AND list = ${list}
    ) AS parts`.execute(db);
  return rows[0]?.total ?? 0;
}

/** The hour of an entry in the access log, and its position within that hour. */
export interface HourPosition {
  hour: Date;
  position: number;
}

/**
 * Finds the entry at `position` (from 0, below the total), counted from the newest (`desc`) or from
 * the oldest one.
 */
export async function findAuditHour(
  db: Database,
  organizationId: string,
  position: number,
  direction: 'asc' | 'desc',
): Promise<HourPosition> {
  const { rows } = await sql<{ hour: Date; before: number }>`
    WITH hours AS (
      SELECT hour, sum(entries)::bigint AS entries FROM (
        SELECT hour, entries FROM audit_hours WHERE organization_id = ${organizationId}
        UNION ALL SELECT hour, change FROM row_count_changes
        WHERE organization_id = ${organizationId} AND list = 'audit_entries'
      ) AS parts GROUP BY hour
    ), reached AS (
      SELECT hour, sum(entries) OVER (ORDER BY hour ${sql.raw(direction)})::bigint AS upto, entries
      FROM hours
    )
    SELECT hour, upto - entries AS before FROM reached
    WHERE upto > ${position} ORDER BY upto LIMIT 1`.execute(db);
  const { hour, before } = rows[0]!;
  return { hour, position: position - before };
}

/**
 * Folds at most `limit` changes into the counts, which keeps totals fast, and returns their number.
 * Totals stay exact during a fold.
 */
export async function foldRowCounts(db: Database, limit: number): Promise<number> {
  // Sorted, so that concurrent folds lock rows in the same order. Changes of deleted organizations
  // are dropped.
  const { rows } = await sql<{ folded: number }>`
    WITH taken AS (
      DELETE FROM row_count_changes WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM row_count_changes LIMIT ${limit} FOR UPDATE SKIP LOCKED
      ))
      RETURNING organization_id, list, hour, change
    ), living AS (
      SELECT taken.* FROM taken JOIN organizations ON organizations.id = organization_id
    ), totals AS (
      INSERT INTO row_counts (organization_id, list, total)
      SELECT organization_id, list, sum(change) FROM living GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT (organization_id, list)
      DO UPDATE SET total = row_counts.total + excluded.total
    ), hours AS (
      INSERT INTO audit_hours (organization_id, hour, entries)
      SELECT organization_id, hour, sum(change) FROM living
      WHERE hour IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT (organization_id, hour)
      DO UPDATE SET entries = audit_hours.entries + excluded.entries
    )
    SELECT count(*) AS folded FROM taken`.execute(db);
  return rows[0]!.folded;
}
