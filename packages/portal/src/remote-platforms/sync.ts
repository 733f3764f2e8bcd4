import type { Finding, RemotePlatform } from '#platform';

import { nameActor, type Context } from '../actor/actor.ts';
import { requireOperator } from '../actor/permissions.ts';
import { applyRemote, summarize, type SyncResult } from './apply-remote.ts';
import * as store from './runs-store.ts';
import { requireConnection } from './service.ts';

export type { SyncResult } from './apply-remote.ts';

/**
 * Makes the catalogue of the organization list the reports of its connection, and stores how that ended.
 * Reports keep their ids and their access; those that have gone are archived. The result has a failure if
 * only a part could be read.
 *
 * @throws `platform_not_connected`; what `remote.list` throws
 */
export async function syncPlatform(
  ctx: Context,
  platform: RemotePlatform,
  signal: AbortSignal,
): Promise<SyncResult> {
  requireOperator(ctx);
  await requireConnection(ctx, platform.name);
  const key = { organizationId: ctx.organizationId, platform: platform.name };
  const requestedBy = nameActor(ctx.actor);
  const id = await store.startRun(ctx.db, key, { kind: 'sync', requestedBy });
  return runSync(ctx, platform, { ...key, id }, signal);
}

/** Synchronizes with a run that has started. */
export const runSync = (
  ctx: Context,
  platform: RemotePlatform,
  run: store.RunKey,
  signal: AbortSignal,
): Promise<SyncResult> =>
  storeEnd(
    ctx,
    run,
    (result) => ({ result: summarize(result), failure: result.failure }),
    async () => applyRemote(ctx, platform, await platform.remote.list(ctx.organizationId, signal)),
  );

/** Checks the connection with a run that has started. */
export const runCheck = (
  ctx: Context,
  platform: RemotePlatform,
  run: store.RunKey,
  signal: AbortSignal,
): Promise<Finding[]> =>
  storeEnd(
    ctx,
    run,
    (findings) => ({ result: findings }),
    () => platform.remote.check(ctx.organizationId, signal),
  );

async function storeEnd<Result>(
  { db }: Context,
  run: store.RunKey,
  present: (result: Result) => store.RunEnd,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work();
    await store.endRun(db, run, present(result));
    return result;
  } catch (error) {
    await store.endRun(db, run, { failure: describeFailure(error) });
    throw error;
  }
}

function describeFailure(error: unknown): string {
  const isStopped = error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name);
  if (isStopped) return 'The run was stopped, or took too long. Try again.';
  return error instanceof Error ? error.message : String(error);
}
