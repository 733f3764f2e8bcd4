import { setTimeout as delay } from 'node:timers/promises';

import { sql } from 'kysely';

import type { Database } from '../../src/db/connection/open.ts';

/** The number of the current window, by the clock of the limit. */
export async function windowNumber(db: Database, windowSeconds: number): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    SELECT floor(extract(epoch FROM clock_timestamp()) / ${windowSeconds}::integer)::float
      AS number`.execute(db);
  return rows[0]!.number;
}

/** Waits until the current window has at least `secondsLeft`, so that a test stays within one. */
export async function waitForWindow(
  db: Database,
  windowSeconds: number,
  secondsLeft: number,
): Promise<void> {
  const { rows } = await sql<{ left: number }>`
    SELECT (${windowSeconds}::integer
      - extract(epoch FROM clock_timestamp()) % ${windowSeconds}::integer)::float AS left`.execute(
    db,
  );
  const { left } = rows[0]!;
  if (left < secondsLeft) await delay(left * 1_000 + 20);
}
