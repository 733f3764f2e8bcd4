import { sql } from 'kysely';

import type { Database } from '../../src/db/connection/open.ts';

/** Tables that record requests, and counts that follow from the rows. */
const bookkeeping = new Set([
  'activity_entries',
  'rate_limit_windows',
  'row_counts',
  'row_count_changes',
  'audit_hours',
]);

/** Every row of every table as text. Two dumps are equal if nothing changed in between. */
export async function dumpTables(db: Database): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`.execute(db);
  const dump: Record<string, string[]> = {};
  for (const { name } of tables.rows) {
    if (bookkeeping.has(name)) continue;
    const { rows } = await sql<{ row: string }>`
      SELECT (to_jsonb(t) - 'last_used_at')::text AS row FROM ${sql.table(name)} AS t ORDER BY 1`.execute(
      db,
    );
    dump[name] = rows.map(({ row }) => row);
  }
  return dump;
}
