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

/**
 * Deletes identity URLs an hour after they ended. Until then, their page can say whether the URL was
 * used or has expired.
 */
export async function deleteOldIdentityUrls(db: Database, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM identity_urls WHERE token_hash IN (
      SELECT token_hash FROM identity_urls WHERE expires_at < now() - interval '1 hour'
      ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )`.execute(db);
  return Number(numAffectedRows);
}

/** Deletes sessions that were not used for longer than the idle limit. */
export async function deleteIdleSessions(db: Database, limit: number): Promise<number> {
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
