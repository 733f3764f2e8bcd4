import { auditActions } from '@portal-embed/contract';
import { sql } from 'kysely';

import { emailKey } from '../db/filters.ts';
import type { Database } from '../db/open.ts';
import { prepareStatement } from '../db/prepared.ts';
import { selectReadable, type ReportRow } from '../reports/store.ts';

export interface OpenRequest {
  bearerHash: Buffer;
  organizationId: string;
  userId: string;
  /** The e-mail as the mint named it. */
  userEmail: string;
  reportId: string;
  /** Whether the reader goes to the report, rather than has it computed again. */
  isOpening: boolean;
}

/**
 * The report, if the session's user may open it. In the same statement, the access log gets an entry
 * when it has none of this session since the user's access began, or none of the last minute for a
 * reader who goes to the report. Of simultaneous requests one writes it.
 */
export async function openReport(
  db: Database,
  request: OpenRequest,
): Promise<ReportRow | undefined> {
  const values = { ...request, emailKey: emailKey(request.userEmail) };
  return (await runOpenReport(db, values))[0];
}

const isDue = (isOpening: unknown) => sql<boolean>`(
  known.opened_at < (SELECT began_at FROM access)
  OR ${isOpening}::boolean AND known.opened_at < now() - interval '1 minute'
)`;

const runOpenReport = prepareStatement<OpenRequest & { emailKey: string }, ReportRow>(
  'open_report',
  (value, db) => sql<ReportRow>`
    WITH readable AS (
      ${selectReadable(db, value('organizationId'), value('userId')).where('reports.id', '=', value('reportId'))}
    ), access AS (
      SELECT began_at FROM report_access
      WHERE organization_id = ${value('organizationId')} AND user_id = ${value('userId')}
        AND report_id = ${value('reportId')}
    ), opened AS (
      INSERT INTO session_openings AS known (bearer_hash, report_id)
      SELECT ${value('bearerHash')}::bytea, id FROM readable
      -- A refresh that is not due reads one row and locks none.
      WHERE NOT EXISTS (
        SELECT FROM session_openings AS known
        WHERE known.bearer_hash = ${value('bearerHash')} AND known.report_id = readable.id
          AND NOT ${isDue(value('isOpening'))}
      )
      ON CONFLICT (bearer_hash, report_id) DO UPDATE SET opened_at = excluded.opened_at
      WHERE ${isDue(value('isOpening'))}
      RETURNING report_id
    ), audited AS (
      INSERT INTO audit_entries (
        organization_id, user_id, user_email, user_email_key, report_id, report_name, action
      )
      SELECT organization_id, ${value('userId')}::uuid, ${value('userEmail')}, ${value('emailKey')},
        id, name, ${auditActions.tokenRequested}::smallint
      FROM readable WHERE EXISTS (SELECT FROM opened)
    )
    SELECT * FROM readable`,
);
