import type pg from 'pg';

import { findFailureCause } from './database-failures.ts';

/**
 * Opens all connections of the pool that are not open yet. It does not fail if the server accepts
 * fewer connections, because the open ones can serve requests.
 *
 * @throws if a connection cannot be opened for another reason
 */
export async function openPool(pool: pg.Pool): Promise<void> {
  const inUse = pool.totalCount - pool.idleCount;
  const opening = Array.from({ length: pool.options.max - inUse }, async () => pool.connect());
  const opened = await Promise.allSettled(opening);
  for (const each of opened) if (each.status === 'fulfilled') each.value.release();
  const failed = opened.filter((each) => each.status === 'rejected');
  const failure = failed.find(({ reason }) => findFailureCause(reason) !== 'too_many_connections');
  if (failure) throw failure.reason;
}
