import { sql } from 'kysely';
import { expect } from 'vitest';

import { presentActivity } from '../../src/activity-log/presenter.ts';
import { listActivity } from '../../src/activity-log/service.ts';
import type { TestPortal } from './portal.ts';

/** Acme's latest entries of the activity log. */
export async function listNewest({ acme }: TestPortal, limit: number) {
  const rows = await listActivity(acme.ctx, { limit });
  return rows.map(presentActivity);
}

/** The number of entries of the activity log, of all organizations. */
export async function countActivity({ db }: TestPortal): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM activity_entries`.execute(db);
  return rows[0]!.n;
}

/** The actor of an entry that a test portal's API key caused. */
export const byTestKey = { kind: 'api-key', id: expect.any(String) as string, name: 'test' };
