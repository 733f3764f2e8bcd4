import { sql } from 'kysely';

import type { Database } from '../db/connection/open.ts';

export type RunKind = 'sync' | 'check';

/** A synchronization or a check of a connection. */
export interface PlatformRun {
  id: number;
  kind: RunKind;
  /** E-mail of a user, or name of an operator; `null` for a synchronization by the portal itself. */
  requestedBy: string | null;
  requestedAt: Date;
  /** `null` until an instance takes it. */
  startedAt: Date | null;
  endedAt: Date | null;
  failure: string | null;
  /** `SyncOutcome`, or the findings of a check; `null` until it has succeeded, at least in part. */
  result: unknown;
}

export interface ConnectionKey {
  organizationId: string;
  platform: string;
}

export type RunKey = ConnectionKey & { id: number };

/** A run that takes longer has stopped with its process. */
export const maxRunMs = 15 * 60_000;

/** Ended runs of each kind that a connection keeps. */
const keptRuns = 20;

/** Requests a run. A request joins one of its kind that waits. */
export async function requestRun(
  db: Database,
  { organizationId, platform }: ConnectionKey,
  { kind, requestedBy }: { kind: RunKind; requestedBy: string },
): Promise<void> {
  await db
    .insertInto('platform_runs')
    .values({ organization_id: organizationId, platform, kind, requested_by: requestedBy })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Starts a run at once; returns its id. */
export async function startRun(
  db: Database,
  { organizationId, platform }: ConnectionKey,
  { kind, requestedBy }: { kind: RunKind; requestedBy: string },
): Promise<number> {
  const started = await db
    .insertInto('platform_runs')
    .values({
      organization_id: organizationId,
      platform,
      kind,
      requested_by: requestedBy,
      started_at: sql<Date>`now()`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return started.id;
}

/** Requests the synchronizations that are due, and moves the next ones on by `nextMs`. */
export async function requestDueSyncs(db: Database, nextMs: number): Promise<void> {
  await sql`
    WITH due AS (
      UPDATE platform_connections SET sync_due_at = now() + make_interval(secs => ${nextMs / 1000})
      WHERE (organization_id, platform) IN (
        SELECT organization_id, platform FROM platform_connections WHERE sync_due_at <= now()
        FOR UPDATE SKIP LOCKED
      )
      RETURNING organization_id, platform
    )
    INSERT INTO platform_runs (organization_id, platform, kind)
    SELECT organization_id, platform, 'sync' FROM due
    ON CONFLICT DO NOTHING`.execute(db);
}

/** Starts the run that has waited longest, of a connection that has none running. */
export async function takeRun(
  db: Database,
): Promise<(RunKey & Pick<PlatformRun, 'kind'>) | undefined> {
  const { rows } = await sql<RunKey & Pick<PlatformRun, 'kind'>>`
    UPDATE platform_runs SET started_at = clock_timestamp()
    WHERE (organization_id, platform, id) = (
      SELECT organization_id, platform, id FROM platform_runs AS waiting
      WHERE started_at IS NULL AND NOT EXISTS (
        SELECT FROM platform_runs AS running
        WHERE running.organization_id = waiting.organization_id
          AND running.platform = waiting.platform AND ended_at IS NULL
          AND running.started_at > now() - make_interval(secs => ${maxRunMs / 1000})
      )
      ORDER BY requested_at LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    RETURNING organization_id AS "organizationId", platform, id, kind`.execute(db);
  return rows[0];
}

/** A result with a failure is one of a part. */
export interface RunEnd {
  /** Default: `null`. */
  failure?: string | null;
  result?: object | undefined;
}

/** Stores how a run ended, and deletes the oldest runs of its kind. */
export async function endRun(
  db: Database,
  { organizationId, platform, id }: RunKey,
  { failure = null, result }: RunEnd,
): Promise<void> {
  await sql`
    WITH ended AS (
      UPDATE platform_runs SET ended_at = clock_timestamp(), failure = ${failure},
        result = ${result === undefined ? null : JSON.stringify(result)}::jsonb
      WHERE organization_id = ${organizationId} AND platform = ${platform} AND id = ${id}
      RETURNING kind
    )
    DELETE FROM platform_runs AS old USING ended
    WHERE organization_id = ${organizationId} AND platform = ${platform} AND old.kind = ended.kind
      AND started_at IS NOT NULL AND id <= (
        SELECT id FROM platform_runs AS kept
        WHERE organization_id = ${organizationId} AND platform = ${platform}
          AND kept.kind = ended.kind AND started_at IS NOT NULL
        ORDER BY id DESC OFFSET ${keptRuns} LIMIT 1
      )`.execute(db);
}

/** Lists the runs of a connection, the latest first. */
export const listRuns = (
  db: Database,
  { organizationId, platform }: ConnectionKey,
): Promise<PlatformRun[]> =>
  db
    .selectFrom('platform_runs')
    .where('organization_id', '=', organizationId)
    .where('platform', '=', platform)
    .select([
      'id',
      'kind',
      'requested_by as requestedBy',
      'requested_at as requestedAt',
      'started_at as startedAt',
      'ended_at as endedAt',
      'failure',
      'result',
    ])
    .orderBy('id', 'desc')
    .execute();
