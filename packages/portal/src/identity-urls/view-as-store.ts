import { sql } from 'kysely';

import type { Database } from '../db/connection/open.ts';

/** A URL with which an administrator or operator views the portal as a user. */
export interface NewViewUrl {
  tokenHash: Buffer;
  organizationId: string;
  userId: string;
  /** The only report that it opens. Default: all reports of the user. */
  reportId: string | undefined;
  address: string;
  actor: { sessionId: string; id: string; email: string };
}

/** Writes the URL unless the user has expired or may not open the report; returns which it is. */
export async function insertViewUrl(
  db: Database,
  url: NewViewUrl,
): Promise<{ isExpired: boolean; isReadable: boolean }> {
  const { actor, reportId = null } = url;
  const { rows } = await sql<{ isExpired: boolean; isReadable: boolean }>`
    WITH viewed AS (
      SELECT *, (expiration_date <= now()) IS TRUE AS expired,
        ${reportId}::uuid IS NULL OR EXISTS (
          SELECT FROM readable_reports
          WHERE readable_reports.organization_id = users.organization_id
            AND readable_reports.user_id = users.id AND report_id = ${reportId}::uuid
        ) AS readable
      FROM users WHERE organization_id = ${url.organizationId} AND id = ${url.userId}
    ), minted AS (
      INSERT INTO identity_urls (
        token_hash, organization_id, user_id, user_email, address, report_id, hide_menu,
        hide_navbar, hide_sidebar, custom_filters, expires_at, actor_session_id, actor_id, actor_email
      )
      SELECT ${url.tokenHash}, organization_id, id, email, ${url.address}, ${reportId}::uuid, false,
        false, false, '[]', now() + interval '5 minutes', ${actor.sessionId}, ${actor.id},
        ${actor.email}
      FROM viewed WHERE readable AND NOT expired
    )
    SELECT coalesce(bool_or(expired), true) AS "isExpired", coalesce(bool_and(readable), true) AS "isReadable"
    FROM viewed`.execute(db);
  return rows[0]!;
}
