import { sql } from 'kysely';

import type { Database } from '../db/open.ts';

export interface LeaseRequest {
  apiKeyId: string;
  /** Permits of one window, for all instances together. */
  limit: number;
  windowSeconds: number;
}

/**
 * Takes permits of the key's current window for one instance: an eighth of what no instance holds
 * yet, at least one, none when nothing is left. So a quiet key costs one write per window, a busy
 * one a few dozen, and near the limit leases are so small that hardly a permit lies unused at one
 * instance while another refuses. The window and its end are by the database's clock. `undefined`
 * when there is no such key.
 */
export async function leasePermits(
  db: Database,
  { apiKeyId, limit, windowSeconds }: LeaseRequest,
): Promise<{ permits: number; windowEndsInMs: number } | undefined> {
  const leasedBefore = sql`
    CASE WHEN known.window_number < excluded.window_number THEN 0 ELSE known.leased END`;
  const { rows } = await sql<{ permits: number; windowEndsInMs: number }>`
    WITH clock AS MATERIALIZED (
      SELECT extract(epoch FROM clock_timestamp()) / ${windowSeconds}::integer AS windows
      FROM api_keys WHERE id = ${apiKeyId}::uuid
    ), lease AS (
      INSERT INTO rate_limit_windows AS known (api_key_id, window_number, leased_before, leased)
      SELECT ${apiKeyId}::uuid, floor(windows), 0, (${limit}::integer + 7) / 8 FROM clock
      ON CONFLICT (api_key_id) DO UPDATE SET
        window_number = greatest(known.window_number, excluded.window_number),
        leased_before = ${leasedBefore},
        leased = ${leasedBefore} + (${limit}::integer - ${leasedBefore} + 7) / 8
      WHERE known.window_number < excluded.window_number OR known.leased < ${limit}::integer
      RETURNING leased - leased_before AS permits
    )
    SELECT coalesce((SELECT permits FROM lease), 0) AS permits,
      ceil((1 - windows % 1) * ${windowSeconds}::integer * 1000)::integer AS "windowEndsInMs"
    FROM clock`.execute(db);
  return rows[0];
}
