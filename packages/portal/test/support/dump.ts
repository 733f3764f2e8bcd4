import { sql } from 'kysely';

import type { Database } from '../../src/db/connection/open.ts';

/** Tables that record requests, counts that follow from the rows, and what an apply stores ahead of it. */
const bookkeeping = new Set([
  'activity_entries',
  'rate_limit_windows',
  'row_counts',
  'row_count_changes',
  'audit_hours',
  'files',
  'file_contents',
  'file_chunks',
]);

/** Every row of every table as text. Two dumps are equal if nothing changed in between. */
export async function dumpTables(db: Database): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`.execute(db);
  const selections = tables.rows
    .filter(({ name }) => !bookkeeping.has(name))
    .map(
      ({ name }) => sql`
        SELECT ${sql.lit(name)} AS name, (to_jsonb(t) - 'last_used_at')::text AS row
        FROM ${sql.table(name)} AS t`,
    );
  // One statement, because tests dump the tables hundreds of times.
  const { rows } = await sql<{ name: string; row: string }>`
    ${sql.join(selections, sql` UNION ALL `)} ORDER BY name, row`.execute(db);
  const dump: Record<string, string[]> = {};
  for (const { name, row } of rows) (dump[name] ??= []).push(row);
  return dump;
}
