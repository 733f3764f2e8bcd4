import type { Logger } from 'pino';

import type { RemotePlatform } from '#platform';

import { operatorContext } from '../actor/actor.ts';
import type { Database } from '../db/connection/open.ts';
import { repeat } from '../jobs/repeat.ts';
import * as store from './runs-store.ts';
import { setDue, setFailedDue } from './store.ts';
import { runCheck, runSync } from './sync.ts';

type TakenRun = NonNullable<Awaited<ReturnType<typeof store.takeRun>>>;

/** Reports come and go rarely, and each synchronization takes dozens of requests. */
const syncEveryMs = 3_600_000;

/** Runs at once. Many, because they mostly wait, and slow tenants must not hold up other organizations. */
const maxRuns = 32;

/**
 * Synchronizes connections that are due, at first also those that failed, and does what was requested.
 * Among all instances, one runs something of a connection at a time.
 *
 * @param options.intervalMs how often waiting runs are looked for
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
  const running = new Set<Promise<void>>();

  const perform = async (run: TakenRun, stopping: AbortSignal): Promise<void> => {
    const { organizationId, platform: name, kind } = run;
    const platform = platforms.find((each) => each.name === name);
    if (!platform) return store.endRun(db, run, { failure: `This portal has no ${name}.` });
    const ctx = operatorContext({ db, organizationId, publicUrl, operator: 'portal sync' });
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(store.maxRunMs)]);
    try {
      if (kind === 'check') return void (await runCheck(ctx, platform, run, signal));
      const { failure } = await runSync(ctx, platform, run, signal);
      if (failure !== null)
        logger.warn({ failure, organizationId, platform: name }, 'sync failed in part');
    } catch (err) {
      // Another instance, or the next start, does it again.
      if (stopping.aborted && kind === 'sync') await setDue(db, organizationId, name);
      else if (!stopping.aborted)
        logger.warn({ err, organizationId, platform: name }, `${kind} failed`);
    }
  };

  let isFirst = true;
  const stop = repeat(
    intervalMs,
    async (stopping) => {
      // A secret is set with a restart, so what failed without it can succeed now.
      if (isFirst) await setFailedDue(db);
      isFirst = false;
      await store.requestDueSyncs(db, syncEveryMs);
      while (!stopping.aborted && running.size < maxRuns) {
        const run = await store.takeRun(db);
        if (!run) return;
        const work = perform(run, stopping)
          .catch((err: unknown) =>
            logger.error({ err }, 'the result of a platform run cannot be stored'),
          )
          .finally(() => running.delete(work));
        running.add(work);
      }
    },
    (err) => logger.error({ err }, 'platform runs cannot be read'),
  );
  return async () => {
    await stop();
    await Promise.all(running);
  };
}
