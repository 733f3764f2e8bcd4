import { recordChange } from '../activity-log/service.ts';
import { nameActor, type Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import * as store from './runs-store.ts';
import { requireConnection } from './service.ts';

export type { PlatformRun, RunKind } from './runs-store.ts';

/** `failed` also if the process ended during the run. */
export type RunState = 'waiting' | 'running' | 'done' | 'failed';

/**
 * Asks the service to synchronize or to check, which it does within seconds.
 *
 * @throws `platform_not_connected`
 */
export async function requestRun(
  ctx: Context,
  platform: string,
  kind: store.RunKind,
): Promise<void> {
  requireAdministrator(ctx);
  await requireConnection(ctx, platform);
  const action = kind === 'sync' ? 'requestPlatformSync' : 'requestPlatformCheck';
  await recordChange(ctx, { action, subject: platform }, (db) =>
    store.requestRun(
      db,
      { organizationId: ctx.organizationId, platform },
      { kind, requestedBy: nameActor(ctx.actor) },
    ),
  );
}

/** Lists the runs of a connection, the latest first. */
export const listRuns = (
  { db, organizationId }: Pick<Context, 'db' | 'organizationId'>,
  platform: string,
): Promise<store.PlatformRun[]> => store.listRuns(db, { organizationId, platform });

export function stateOf({ startedAt, endedAt, failure }: store.PlatformRun): RunState {
  if (startedAt === null) return 'waiting';
  if (endedAt !== null) return failure === null ? 'done' : 'failed';
  return Date.now() - startedAt.getTime() > store.maxRunMs ? 'failed' : 'running';
}
