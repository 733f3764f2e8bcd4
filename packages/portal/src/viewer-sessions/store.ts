import { sql } from 'kysely';

import type { Database } from '../db/connection/open.ts';
import { prepareStatement } from '../db/connection/prepared.ts';
import { emailKey } from '../db/query/filters.ts';
import {
  copiedColumns,
  isActorSignedIn,
  isEmbedOrigin,
  isNotEndedWithKey,
  isOwnAddress,
  toSession,
  type Session,
  type SessionRow,
} from './session.ts';

const liveUser = sql`
  JOIN users ON users.organization_id = portal_sessions.organization_id
    AND users.id = portal_sessions.user_id AND (expiration_date <= now()) IS NOT TRUE`;

const isSessionLive = sql<boolean>`(
  touched_at > now() - interval '30 minutes'
  AND portal_sessions.created_at > now() - interval '10 hours'
  AND ${isOwnAddress('portal_sessions')} AND ${isNotEndedWithKey('portal_sessions')}
  AND ${isActorSignedIn('portal_sessions')}
  AND (embed_origin IS NULL OR ${isEmbedOrigin('portal_sessions', sql.ref('embed_origin'))})
)`;

/**
 * Finds the live session of a bearer. A session ends 30 minutes after its last use, ten hours after
 * its start, when its user expires, or when its embed origin is withdrawn. Its last use is written at
 * most once a minute.
 */
export async function findLiveSession(
  db: Database,
  request: LiveSessionValues,
): Promise<Session | undefined> {
  const [row] = await runFindLiveSession(db, request);
  return row && toSession(row, request.bearerHash);
}

interface LiveSessionValues {
  bearerHash: Buffer;
  address: string;
}

const runFindLiveSession = prepareStatement<LiveSessionValues, SessionRow>(
  'find_live_session',
  (value) => sql<SessionRow>`
    WITH live AS (
      SELECT portal_sessions.*, users.name AS user_name
      FROM portal_sessions ${liveUser}
      WHERE bearer_hash = ${value('bearerHash')} AND address = ${value('address')} AND ${isSessionLive}
    ), touched AS (
      UPDATE portal_sessions SET touched_at = now()
      WHERE bearer_hash = (SELECT bearer_hash FROM live)
        AND touched_at < now() - interval '1 minute'
    )
    SELECT ${copiedColumns}, user_name FROM live`,
);

/** Ends the user's unused URLs before the sessions, since opening a URL creates a session. */
export async function endSessions(
  db: Database,
  organizationId: string,
  userId: string,
): Promise<{ urls: number; sessions: number }> {
  const ended = (table: 'identity_urls' | 'portal_sessions') =>
    db
      .deleteFrom(table)
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId);
  const urls = await ended('identity_urls').where('used_at', 'is', null).executeTakeFirst();
  const sessions = await ended('portal_sessions').executeTakeFirst();
  return { urls: Number(urls.numDeletedRows), sessions: Number(sessions.numDeletedRows) };
}

/** Open sessions, newest first. */
export async function listLiveSessions(
  db: Database,
  organizationId: string,
  filter: { userEmail?: string | undefined; limit: number },
): Promise<ListedSessionRow[]> {
  const { userEmail, limit } = filter;
  const byEmail = userEmail === undefined ? sql`` : sql`AND email_key = ${emailKey(userEmail)}`;
  const { rows } = await sql<ListedSessionRow>`
    SELECT users.email, reports.name AS report_name, portal_sessions.report_id, address,
      api_keys.name AS api_key_name, portal_sessions.created_at, touched_at
    FROM portal_sessions
    ${liveUser}
    LEFT JOIN reports ON reports.organization_id = portal_sessions.organization_id
      AND reports.id = portal_sessions.report_id
    LEFT JOIN api_keys ON api_keys.id = portal_sessions.api_key_id
    WHERE portal_sessions.organization_id = ${organizationId} AND ${isSessionLive} ${byEmail}
    ORDER BY portal_sessions.created_at DESC LIMIT ${limit}`.execute(db);
  return rows;
}

/** Live sessions and unused URLs of earlier releases, which did not store the key. */
export async function countKeyless(db: Database, organizationId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT (
      SELECT count(*) FROM portal_sessions ${liveUser}
      WHERE portal_sessions.organization_id = ${organizationId} AND api_key_id IS NULL AND ${isSessionLive}
    ) + (
      SELECT count(*) FROM identity_urls
      WHERE organization_id = ${organizationId} AND api_key_id IS NULL
        AND used_at IS NULL AND expires_at > now()
    ) AS count`.execute(db);
  return rows[0]!.count;
}

export interface ListedSessionRow {
  email: string;
  report_id: string | null;
  report_name: string | null;
  address: string;
  /** `null` if an operator or an earlier release minted the URL. */
  api_key_name: string | null;
  created_at: Date;
  touched_at: Date;
}
