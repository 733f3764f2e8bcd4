import type { EndpointRequest, PagedList } from '@portal-embed/contract';

import { recordChange } from '../activity-log/service.ts';
import type { Context } from '../actor/actor.ts';
import { requireOperator, requirePermission } from '../actor/permissions.ts';
import { countLog, pruneLog } from '../db/query/prune-log.ts';
import * as store from './store.ts';

export function listEntries(
  ctx: Context,
  input: EndpointRequest<'listAuditEntries'> & Pick<store.EntryFilter, 'user'>,
): Promise<PagedList<store.AuditRow>> {
  requirePermission(ctx, 'listAuditEntries');
  return store.listEntries(ctx.db, ctx.organizationId, input);
}

/** Finds the current names of the users of entries. */
export function findUserNames(
  ctx: Context,
  entries: readonly Pick<store.AuditRow, 'user_id'>[],
): Promise<Map<string, string>> {
  requirePermission(ctx, 'listAuditEntries');
  const ids = entries.map((entry) => entry.user_id);
  return store.findUserNames(ctx.db, ctx.organizationId, ids);
}

/** Openings and refused requests of the last 30 days, by day of the organization's time zone. */
export function countByDay(ctx: Context): Promise<store.DayCounts> {
  requirePermission(ctx, 'listAuditEntries');
  return store.countByDay(ctx.db, ctx.organizationId);
}

const exportBatch = 1_000;

/** Yields all matching entries, oldest first, in batches, because the log may exceed memory. */
export async function* exportEntries(
  ctx: Context,
  filter: store.ExportFilter,
): AsyncGenerator<store.AuditRow[]> {
  requirePermission(ctx, 'listAuditEntries');
  let position: store.ExportPosition | undefined;
  do {
    const rows = await store.listEntriesAfter(
      ctx.db,
      ctx.organizationId,
      filter,
      position,
      exportBatch,
    );
    yield rows;
    position = rows.length < exportBatch ? undefined : rows.at(-1);
  } while (position);
}

/** Counts the entries that `pruneEntries` would remove. */
export function countPruned(ctx: Context, before: Date): Promise<number> {
  requireOperator(ctx);
  return countLog(ctx.db, 'audit_entries', ctx.organizationId, before);
}

/** Removes the entries before a given time permanently and returns their number. */
export async function pruneEntries(ctx: Context, before: Date): Promise<number> {
  requireOperator(ctx);
  const { organizationId } = ctx;
  const details = { before, pruned: 0 };
  const activity = { action: 'pruneAudit', subject: organizationId, details } as const;
  return recordChange(ctx, activity, async (transaction) => {
    details.pruned = await pruneLog(transaction, 'audit_entries', organizationId, before);
    return details.pruned;
  });
}
