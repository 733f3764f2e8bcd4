import { sql } from 'kysely';

import type { Database } from '../../src/db/connection/open.ts';

/** Counts the connections to this PostgreSQL database that wait for a lock. */
export async function countLockWaits(db: Database): Promise<number> {
  const { rows } = await sql<{ waits: number }>`
    SELECT count(*) AS waits FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
  return rows[0]!.waits;
}
