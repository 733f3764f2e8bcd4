import { auditActions } from '@portal-embed/contract';
import { sql } from 'kysely';

import { selectReadable } from '../access/readable-reports.ts';
import type { ReportRow } from '../catalogue/store.ts';
import type { Database } from '../db/connection/open.ts';
import { prepareStatement } from '../db/connection/prepared.ts';
import { emailKey } from '../db/query/filters.ts';

export interface OpenRequest {
  bearerHash: Buffer;
  organizationId: string;
  userId: string;
  /** The e-mail as given at the mint. */
  userEmail: string;
  reportId: string;
  viewedBy: { id: string; email: string } | null;
  /** Whether the reader opens the report, as opposed to refreshing it. */
  isOpening: boolean;
}

/**
 * Returns the report if the session's user may open it. The same statement writes an entry of the
 * access log if this session has none since the user's access began or, for an opening, none within
 * the last minute. Of simultaneous requests, one writes the entry.
 */
export async function recordOpening(
  db: Database,
  request: OpenRequest,
): Promise<ReportRow | undefined> {
  const { viewedBy, userId, userEmail } = request;
  const opener = viewedBy ?? { id: userId, email: userEmail };
  const values = {
    ...request,
    isReader: viewedBy === null,
    openerId: opener.id,
    openerEmail: opener.email,
    openerKey: emailKey(opener.email),
    action: viewedBy === null ? auditActions.tokenRequested : auditActions.viewedAs,
  };
  return (await runRecordOpening(db, values))[0];
}

const isDue = (isOpening: unknown) => sql<boolean>`(
  known.opened_at < (SELECT began_at FROM access)
  OR ${isOpening}::boolean AND known.opened_at < now() - interval '1 minute'
)`;

interface OpenValues extends OpenRequest {
  /** Whether the user opens the report, as opposed to an administrator who views as the user. */
  isReader: boolean;
  /** Who opens the report, for the access log. */
  openerId: string;
  openerEmail: string;
  openerKey: string;
  action: number;
}

const runRecordOpening = prepareStatement<OpenValues, ReportRow>(
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
      -- If no entry is due, this reads one row and locks none.
      WHERE NOT EXISTS (
        SELECT FROM session_openings AS known
        WHERE known.bearer_hash = ${value('bearerHash')} AND known.report_id = readable.id
          AND NOT ${isDue(value('isOpening'))}
      )
      ON CONFLICT (bearer_hash, report_id) DO UPDATE SET opened_at = excluded.opened_at
      WHERE ${isDue(value('isOpening'))}
      RETURNING report_id
    ), marked AS (
      INSERT INTO report_marks (organization_id, user_id, report_id, opened_at)
      SELECT organization_id, ${value('userId')}::uuid, id, now() FROM readable
      WHERE EXISTS (SELECT FROM opened) AND ${value('isReader')}::boolean
      ON CONFLICT (organization_id, user_id, report_id)
        DO UPDATE SET opened_at = excluded.opened_at
    ), audited AS (
      INSERT INTO audit_entries (
        organization_id, user_id, user_email, user_email_key, report_id, report_name, action
      )
      SELECT organization_id, ${value('openerId')}::uuid, ${value('openerEmail')}, ${value('openerKey')},
        id, name, ${value('action')}::smallint
      FROM readable WHERE EXISTS (SELECT FROM opened)
    )
    SELECT * FROM readable`,
);
