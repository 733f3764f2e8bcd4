import { sql } from 'kysely';

import type { Database } from '../db/connection/open.ts';

/** An arbitrary number, the same for every instance and different from that of the migrations. */
const advisoryLock = 4_207_315_012;

/** Takes the lock of the sweeper until the transaction ends; returns whether it was free. */
export async function tryLock(transaction: Database): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    SELECT pg_try_advisory_xact_lock(${advisoryLock}) AS locked`.execute(transaction);
  return rows[0]?.locked === true;
}

/** Deletes rows whose time in `column` is more than an hour ago, the oldest first. */
const deleteOld =
  (table: string, key: string, column: string) =>
  async (db: Database, limit: number): Promise<number> => {
    const { numAffectedRows } = await sql`
      DELETE FROM ${sql.table(table)} WHERE ${sql.ref(key)} IN (
        SELECT ${sql.ref(key)} FROM ${sql.table(table)}
        WHERE ${sql.ref(column)} < now() - interval '1 hour'
        ORDER BY ${sql.ref(column)} LIMIT ${limit} FOR UPDATE SKIP LOCKED
      )`.execute(db);
    return Number(numAffectedRows);
  };

/** For an hour after a URL ended, its page can say whether it was used or has expired. */
export const deleteOldIdentityUrls = deleteOld('identity_urls', 'token_hash', 'expires_at');

/** The idle limit of both kinds of sessions is half an hour. */
export const deleteIdleSessions = deleteOld('portal_sessions', 'bearer_hash', 'touched_at');
export const deleteIdleAdminSessions = deleteOld('admin_sessions', 'id', 'touched_at');

/** Attempts to sign in. */
export const deleteOldAttempts = deleteOld('sign_in_attempts', 'key', 'expires_at');

/** Sign-ins at identity providers that nobody finished. */
export const deleteOldOidcFlows = deleteOld('admin_oidc_flows', 'state_hash', 'created_at');

/** Removes entries that are older than their organization keeps them. */
export const expireLogEntries =
  (log: 'audit_entries' | 'activity_entries') =>
  async (db: Database, limit: number): Promise<number> => {
    const { rows } = await sql<{ expired: number }>`
      SELECT expire_log_entries(${log}, ${limit}::bigint) AS expired`.execute(db);
    return rows[0]!.expired;
  };

/** Removes old entries of successful mints from the activity log. All other entries stay. */
export async function expireMintEntries(
  db: Database,
  { days, limit }: { days: number; limit: number },
): Promise<number> {
  const { rows } = await sql<{ expired: number }>`
    SELECT expire_mint_entries(now() - make_interval(days => ${days}::integer), ${limit}::bigint)
      AS expired`.execute(db);
  return rows[0]!.expired;
}
