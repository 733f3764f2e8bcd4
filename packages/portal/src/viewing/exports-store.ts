import { auditActions } from '@portal-embed/contract';
import { sql } from 'kysely';

import { selectReadable } from '../access/readable-reports.ts';
import type { Database } from '../db/connection/open.ts';
import { emailKey } from '../db/query/filters.ts';
import type { Session } from '../viewer-sessions/session.ts';

/** Writes an export to the access log. Returns false if the user may no longer open the report. */
export async function recordExport(
  db: Database,
  { organizationId, userId, userEmail }: Session,
  reportId: string,
): Promise<boolean> {
  const { rows } = await sql`
    WITH readable AS (
      ${selectReadable(db, sql.val(organizationId), sql.val(userId)).where('reports.id', '=', reportId)}
    )
    INSERT INTO audit_entries (
      organization_id, user_id, user_email, user_email_key, report_id, report_name, action
    )
    SELECT organization_id, ${userId}::uuid, ${userEmail}::text, ${emailKey(userEmail)}::text,
      id, name, ${auditActions.reportExported}::smallint
    FROM readable
    RETURNING id`.execute(db);
  return rows.length > 0;
}
