import { sql, type RawBuilder } from 'kysely';

import type { Database } from '../db/connection/open.ts';

/** An API key or a user, each with its own limit. */
export type Holder =
  | { kind: 'api-key'; id: string }
  | { kind: 'user'; organizationId: string; id: string };

/** For each kind of holder, its rows and the table of its windows. */
const tables = {
  'api-key': {
    holders: sql`SELECT id AS api_key_id FROM api_keys`,
    windows: sql`rate_limit_windows`,
    key: sql`api_key_id`,
  },
  user: {
    holders: sql`SELECT organization_id, id AS user_id FROM users`,
    windows: sql`viewer_rate_limit_windows`,
    key: sql`organization_id, user_id`,
  },
} satisfies Record<Holder['kind'], Record<string, RawBuilder<unknown>>>;

const isHolder = (holder: Holder) =>
  holder.kind === 'user'
    ? sql`organization_id = ${holder.organizationId} AND id = ${holder.id}`
    : sql`id = ${holder.id}`;

export interface LeaseRequest {
  holder: Holder;
  /** Permits of one window, for all instances together. */
  limit: number;
  windowSeconds: number;
}

/**
 * Leases permits of the holder's current window for one instance: an eighth of what is left, at least
 * one if any. A quiet holder costs one write per window, a busy one a few dozen. Near the limit, leases
 * are so small that few permits stay unused. Windows follow the database's clock. Returns `undefined`
 * if the holder does not exist.
 */
export async function leasePermits(
  db: Database,
  { holder, limit, windowSeconds }: LeaseRequest,
): Promise<{ permits: number; windowEndsInMs: number } | undefined> {
  const { holders, windows, key } = tables[holder.kind];
  const leasedBefore = sql`
    CASE WHEN known.window_number < excluded.window_number THEN 0 ELSE known.leased END`;
  const { rows } = await sql<{ permits: number; windowEndsInMs: number }>`
    WITH holder AS (${holders} WHERE ${isHolder(holder)}), clock AS MATERIALIZED (
      SELECT extract(epoch FROM clock_timestamp()) / ${windowSeconds}::integer AS windows FROM holder
    ), lease AS (
      INSERT INTO ${windows} AS known (${key}, window_number, leased_before, leased)
      SELECT ${key}, floor(windows), 0, (${limit}::integer + 7) / 8 FROM holder, clock
      ON CONFLICT (${key}) DO UPDATE SET
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
