import { sql } from 'kysely';

import type { Database } from '../db/connection/open.ts';

/** Any number but that of the migrations, as long as every instance uses the same one. */
const advisoryLock = 4_207_315_012;

/** Whether this transaction is the one that sweeps, among those of all instances, until its end. */
export async function tryLock(transaction: Database): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    SELECT pg_try_advisory_xact_lock(${advisoryLock}) AS locked`.execute(transaction);
  return rows[0]?.locked === true;
}

/**
 * Identity URLs that were over an hour ago: until then the page of one that is opened again can say
 * whether it was used or has expired.
 */
export async function deleteOverIdentityUrls(db: Database, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM identity_urls WHERE token_hash IN (
      SELECT token_hash FROM identity_urls WHERE expires_at < now() - interval '1 hour'
      ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )`.execute(db);
  return Number(numAffectedRows);
}

/** Sessions that nobody used for longer than any session lasts. */
export async function deleteOverSessions(db: Database, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM portal_sessions WHERE bearer_hash IN (
      SELECT bearer_hash FROM portal_sessions WHERE touched_at < now() - interval '1 hour'
      ORDER BY touched_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )`.execute(db);
  return Number(numAffectedRows);
}

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
