import type { Logger } from 'pino';

import type { RemotePlatform } from '#platform';

import { operatorContext } from '../actor/actor.ts';
import type { Database } from '../db/connection/open.ts';
import { repeat } from '../jobs/repeat.ts';
import * as store from './store.ts';
import { syncPlatform } from './sync.ts';

/** Reports come and go rarely, and each synchronization takes dozens of requests. */
const syncEveryMs = 3_600_000;

/**
 * Synchronizes connections that are due. Among all instances, one synchronizes a connection.
 *
 * @param options.intervalMs how often due ones are looked for
 * @returns a function that stops the job and waits for the work in progress
 */
export function startSyncs({
  db,
  publicUrl,
  platforms,
  logger,
  intervalMs,
}: {
  db: Database;
  publicUrl: string;
  platforms: readonly RemotePlatform[];
  logger: Logger;
  intervalMs: number;
}): () => Promise<void> {
  const syncNext = async (signal: AbortSignal): Promise<boolean> => {
    const due = await store.takeDue(db, syncEveryMs);
    if (!due) return false;
    const { organizationId, platform: name } = due;
    const platform = platforms.find((each) => each.name === name);
    if (!platform) return true;
    const ctx = operatorContext({ db, organizationId, publicUrl, operator: 'portal sync' });
    try {
      await syncPlatform(ctx, platform, signal);
    } catch (err) {
      if (!signal.aborted) logger.warn({ err, organizationId, platform: name }, 'sync failed');
    }
    return true;
  };
  return repeat(
    intervalMs,
    async (signal) => {
      while (!signal.aborted && (await syncNext(signal)));
    },
    (err) => logger.error({ err }, 'syncs cannot be read'),
  );
}
