import { idSchema, type EndpointName, type ErrorCode } from '@portal-embed/contract';

import type { AdminEndpointName, otherOperations } from '#admin/requests';

import { toActorColumns, type Context } from '../actor/actor.ts';
import { requireAdministrator, requireOperator } from '../actor/permissions.ts';
import { inTransaction, type Database } from '../db/connection/open.ts';
import { isConflict } from '../db/query/conflicts.ts';
import { countLog, pruneLog } from '../db/query/prune-log.ts';
import { PortalError } from '../errors.ts';
import * as store from './store.ts';

/** Recorded operations: those of the API, of operators and of the administration pages. */
export type Action = EndpointName | AdminEndpointName | (typeof otherOperations)[number];

export interface Activity {
  action: Action;
  /** User or object of the operation, as the request names it. */
  subject: string;
  /** Further data of the operation. Never a secret. */
  details?: object | undefined;
}

type Scope = Pick<Context, 'db' | 'organizationId' | 'actor' | 'confirmKey'>;

/** Makes a change and writes its entry of the activity log in one transaction. */
export function recordChange<Result>(
  ctx: Scope,
  activity: Activity,
  change: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  return inTransaction(ctx.db, async (transaction) => {
    const result = await change(transaction);
    await insert({ ...ctx, db: transaction }, activity);
    return result;
  });
}

/**
 * Runs an operation and records it in the activity log if it is refused.
 *
 * @throws `invalid_api_key` instead of the refusal if the key has ended, which is recorded at most once
 *   a minute
 */
export async function recordRefusal<Result>(
  ctx: Scope,
  activity: Activity,
  operation: () => Promise<Result>,
): Promise<Result> {
  try {
    return await operation();
  } catch (error) {
    // A key that is deleted with its organization causes a conflict.
    if (error instanceof PortalError || isConflict(error)) await ctx.confirmKey?.();
    if (error instanceof PortalError && !notRefused.has(error.code))
      await recordRefused(ctx, activity, error.code);
    throw error;
  }
}

/** A report could not be computed, or the page asks for a confirmation and repeats the request. */
const notRefused: ReadonlySet<ErrorCode> = new Set(['report_failed', 'fresh_sign_in_required']);

/** Writes the entry of an operation that was refused. */
export const recordRefused = (ctx: Scope, activity: Activity, code: ErrorCode): Promise<void> =>
  insert(ctx, activity, code);

/** Writes the entry of a refused sign-in, without an actor, because nobody has signed in. */
export const recordRefusedSignIn = (
  db: Database,
  organizationId: string,
  activity: Activity,
  refusal: ErrorCode,
): Promise<void> =>
  store.insertEntry(db, {
    organizationId,
    apiKeyId: undefined,
    operator: undefined,
    userId: undefined,
    userEmail: undefined,
    action: activity.action,
    subject: activity.subject,
    details: activity.details,
    refusal,
  });

/** Lists the entries of the organization, newest first. */
export function listActivity(
  ctx: Context,
  filter: store.ActivityFilter,
): Promise<store.ActivityRow[]> {
  requireAdministrator(ctx);
  return store.listEntries(ctx.db, ctx.organizationId, filter);
}

/** Finds the names of the items that entries of the log refer to. */
export function findSubjectNames(
  ctx: Context,
  entries: readonly store.ActivityRow[],
): Promise<Map<string, string>> {
  requireAdministrator(ctx);
  const ids = entries.map(({ subject }) => subject).filter((id) => idSchema.safeParse(id).success);
  return store.findNames(ctx.db, ctx.organizationId, ids);
}

/** Counts the entries that `pruneActivity` would remove. */
export function countPruned(ctx: Context, before: Date): Promise<number> {
  requireOperator(ctx);
  return countLog(ctx.db, 'activity_entries', ctx.organizationId, before);
}

/** Removes the entries before a given time permanently and returns their number. */
export async function pruneActivity(ctx: Context, before: Date): Promise<number> {
  requireOperator(ctx);
  const { organizationId } = ctx;
  const details = { before, pruned: 0 };
  const activity = { action: 'pruneActivity', subject: organizationId, details } as const;
  return recordChange(ctx, activity, async (transaction) => {
    details.pruned = await pruneLog(transaction, 'activity_entries', organizationId, before);
    return details.pruned;
  });
}

const insert = (ctx: Scope, activity: Activity, refusal?: ErrorCode) =>
  store.insertEntry(ctx.db, {
    organizationId: ctx.organizationId,
    ...toActorColumns(ctx.actor),
    action: activity.action,
    subject: activity.subject,
    details: activity.details,
    refusal,
  });
