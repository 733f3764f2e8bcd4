import { sql } from 'kysely';

import type { Database } from '../connection/open.ts';

type Log = 'audit_entries' | 'activity_entries';

/** Counts the entries that `pruneLog` would remove. */
export async function countLog(
  db: Database,
  log: Log,
  organizationId: string,
  before: Date,
): Promise<number> {
  const { count } = await db
    .selectFrom(log)
    .where('organization_id', '=', organizationId)
    .where('created_at', '<', before)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Removes an organization's log entries before a given time and returns their number. The database
 * refuses any other removal.
 */
export async function pruneLog(
  db: Database,
  log: Log,
  organizationId: string,
  before: Date | 'infinity',
): Promise<number> {
  const { rows } = await sql<{ pruned: number }>`
    SELECT prune_log(${log}, ${organizationId}::uuid, ${before}::timestamptz) AS pruned`.execute(
    db,
  );
  return rows[0]!.pruned;
}
