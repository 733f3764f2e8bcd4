import { sql } from 'kysely';

import type { Database } from '../connection/open.ts';

/**
 * Removes an organization's log entries before a given time and returns their number. The database
 * refuses any other removal.
 */
export async function pruneLog(
  db: Database,
  log: 'audit_entries' | 'activity_entries',
  organizationId: string,
  before: Date | 'infinity',
): Promise<number> {
  const { rows } = await sql<{ pruned: number }>`
    SELECT prune_log(${log}, ${organizationId}::uuid, ${before}::timestamptz) AS pruned`.execute(
    db,
  );
  return rows[0]!.pruned;
}
