import { sql, type RawBuilder } from 'kysely';

import { maxRecent } from '#viewer/requests';

import type { Database } from '../db/connection/open.ts';
import { prepareStatement } from '../db/connection/prepared.ts';

interface Reader {
  organizationId: string;
  userId: string;
}

export interface ReportMarks {
  /** Ids of the reports that the user has marked. */
  favorites: string[];
  /** Ids of the reports that the user opened last, the latest first. */
  recent: string[];
}

export const noMarks: ReportMarks = { favorites: [], recent: [] };

/** Selects the marks of a user, on reports that they may open. */
export const selectMarks = ({
  organizationId,
  userId,
}: {
  [Key in keyof Reader]: RawBuilder<string>;
}) => sql<ReportMarks>`
  WITH marks AS (
    SELECT report_id, is_favorite, opened_at
    FROM report_marks JOIN readable_reports USING (organization_id, user_id, report_id)
    WHERE organization_id = ${organizationId} AND user_id = ${userId}
  )
  SELECT
    ARRAY(SELECT report_id FROM marks WHERE is_favorite ORDER BY report_id) AS favorites,
    ARRAY(
      SELECT report_id FROM marks WHERE opened_at IS NOT NULL
      ORDER BY opened_at DESC, report_id LIMIT ${sql.lit(maxRecent)}
    ) AS recent`;

/** Finds the marks of a user, on reports that they may open. */
export const findMarks = async (db: Database, reader: Reader): Promise<ReportMarks> =>
  (await runFindMarks(db, reader))[0]!;

const runFindMarks = prepareStatement<Reader, ReportMarks>('find_report_marks', (value) =>
  selectMarks({ organizationId: value('organizationId'), userId: value('userId') }),
);

export interface Favorite extends Reader {
  reportId: string;
  isFavorite: boolean;
}

/** Marks a report as a favorite, or removes the mark. Returns whether the user may open the report. */
export async function setFavorite(db: Database, favorite: Favorite): Promise<boolean> {
  const { organizationId, userId, reportId, isFavorite } = favorite;
  const { rows } = await sql`
    INSERT INTO report_marks (organization_id, user_id, report_id, is_favorite)
    SELECT organization_id, user_id, report_id, ${isFavorite}::boolean FROM readable_reports
    WHERE organization_id = ${organizationId} AND user_id = ${userId} AND report_id = ${reportId}
    ON CONFLICT (organization_id, user_id, report_id)
      DO UPDATE SET is_favorite = excluded.is_favorite
    RETURNING report_id`.execute(db);
  return rows.length > 0;
}
