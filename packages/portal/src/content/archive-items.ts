import { isDeepStrictEqual } from 'node:util';

import type { ArrangedItem } from '#admin/requests';
import { builtin } from '#report-engine';

import { recordChange } from '../activity-log/service.ts';
import { nameActor, type Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import { applyCatalogue } from '../catalogue/apply.ts';
import { findArchivedDatasetOf, listReportsOfDataset } from '../catalogue/archived-store.ts';
import { requireItem, requireWritten } from '../catalogue/archived.ts';
import { inTransaction, type Database } from '../db/connection/open.ts';
import { inSnapshot } from '../db/query/paging.ts';
import { PortalError } from '../errors.ts';
import { lockForChange } from '../organizations/store.ts';
import { ContentError } from './content-error.ts';
import { workHere } from './content-processes.ts';
import { forEachItem, type ItemReference } from './each-item.ts';
import { getFilePath } from './items.ts';
import { sortMistakes } from './mistakes.ts';
import type { ContentServices } from './service.ts';
import * as store from './store.ts';

type Scope = Pick<ContentServices, 'worker' | 'signal'>;

/** Names in a message. */
const maxNamed = 5;

/**
 * Archives items: readers lose them at their next request, and ids and links stay.
 *
 * @param input.reportIds reports that are archived with their dataset. A dataset with other reports is
 *   refused, so that nobody archives a report unseen
 */
export const archiveItems = (
  ctx: Context,
  scope: Scope,
  input: { items: readonly ItemReference[]; reportIds?: readonly string[] | undefined },
) =>
  forEachItem(
    ctx,
    { action: 'archiveItems', items: input.items, first: 'report', signal: scope.signal },
    (item) => archiveItem(ctx, scope, item, new Set(input.reportIds)),
  ).then(({ done, failed }) => ({ done: done.flat(), failed }));

async function archiveItem(
  ctx: Context,
  scope: Scope,
  given: ItemReference,
  reportIds: ReadonlySet<string>,
): Promise<ArrangedItem[]> {
  const { organizationId } = ctx;
  const { item } = await requireItem(ctx, given);
  const { kind, id } = item;
  // Somebody else may have archived it, or this request is repeated.
  if (item.isArchived) return [toArranged(item)];
  requireWritten(item);
  const archivedBy = { name: nameActor(ctx.actor), from: 'pages' as const };
  return changeChecked(
    ctx,
    scope,
    (stored) => (kind === 'dataset' ? listDatasets(stored).filter((each) => each.id !== id) : []),
    async (db) => {
      const { item: current } = await requireItem({ ...ctx, db }, given);
      requireWritten(current);
      const found = kind === 'dataset' ? await listReportsOfDataset(db, organizationId, id) : [];
      const reports = found.filter(({ isArchived }) => !isArchived);
      requireSeen(current.name, reports, reportIds);
      const archived = [
        ...reports.map((report) => toArranged({ ...report, kind: 'report' })),
        toArranged(current),
      ];
      const details = {
        kind,
        id,
        file: getFilePath(current),
        ...(reports.length > 0 && { reports: reports.map((report) => report.name) }),
      };
      const activity = { action: 'archiveItems', subject: current.name, details } as const;
      await recordChange({ ...ctx, db }, activity, (transaction) =>
        applyCatalogue(transaction, organizationId, builtin, { archived, archivedBy }),
      );
      return archived;
    },
  );
}

const toArranged = ({ kind, id, name }: ArrangedItem): ArrangedItem => ({ kind, id, name });

/** @throws `invalid_request` with the names of reports that the caller has not seen */
function requireSeen(
  dataset: string,
  reports: readonly { id: string; name: string }[],
  seen: ReadonlySet<string>,
): void {
  const others = reports.filter(({ id }) => !seen.has(id));
  if (others.length === 0) return;
  throw new PortalError(
    'invalid_request',
    `The dataset "${dataset}" is used by ${nameAll(others)}. Archive these reports first, or together with it.`,
  );
}

export function nameAll(items: readonly { name: string }[]): string {
  const named = items.slice(0, maxNamed).map(({ name }) => `"${name}"`);
  const rest = items.length - named.length;
  return `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Restores archived items with the id, the access and the definition that they had. */
export const restoreItems = (
  ctx: Context,
  scope: Scope,
  input: { items: readonly ItemReference[] },
) =>
  forEachItem(
    ctx,
    { action: 'restoreItems', items: input.items, first: 'dataset', signal: scope.signal },
    (item) => restoreItem(ctx, scope, item),
  );

async function restoreItem(
  ctx: Context,
  scope: Scope,
  given: ItemReference,
): Promise<ArrangedItem> {
  const { organizationId } = ctx;
  const { item } = await requireItem(ctx, given);
  const { kind, id } = item;
  if (!item.isArchived) return toArranged(item);
  if (item.isElsewhere)
    throw new PortalError(
      'invalid_request',
      `This ${kind} belongs to another product. It is restored when a synchronization finds it there again.`,
    );
  if (item.slug === null)
    throw new PortalError(
      'invalid_request',
      `This ${kind} has no definition here. Apply a content file with the id ${id}.`,
    );
  // Otherwise its definition would name an unknown dataset.
  await requireOwnDataset(ctx.db, organizationId, item);
  return changeChecked(
    ctx,
    scope,
    (stored) => {
      const own = stored.find((each) => each.kind === kind && each.id === id);
      if (!own) return [];
      const datasets = listDatasets(stored);
      return kind === 'dataset'
        ? [own, ...datasets]
        : [own, ...datasets.filter((each) => each.id === own.datasetId)];
    },
    async (db) => {
      // It may have been deleted for good.
      const { item: current } = await requireItem({ ...ctx, db }, given);
      await requireOwnDataset(db, organizationId, current);
      const restored = toArranged(current);
      const details = { kind, id, file: getFilePath({ kind, slug: current.slug! }) };
      const activity = { action: 'restoreItems', subject: current.name, details } as const;
      await recordChange({ ...ctx, db }, activity, (transaction) =>
        applyCatalogue(transaction, organizationId, builtin, { restored: [restored] }),
      );
      return restored;
    },
  );
}

/** Datasets that are not archived. */
const listDatasets = (stored: readonly store.StoredContent[]) =>
  stored.filter(({ kind, isArchived }) => kind === 'dataset' && !isArchived);

/** @throws `invalid_request` for a report whose dataset is archived */
async function requireOwnDataset(
  db: Database,
  organizationId: string,
  { kind, id }: ItemReference,
): Promise<void> {
  const dataset =
    kind === 'report' ? await findArchivedDatasetOf(db, organizationId, id) : undefined;
  if (dataset === undefined) return;
  throw new PortalError(
    'invalid_request',
    `The dataset "${dataset}" of this report is archived. Restore the dataset first.`,
  );
}

/**
 * Makes a change that leaves the organization with valid definitions.
 *
 * @param list the items whose definitions the change can break, as they will be
 * @param change runs in a transaction, under the organization's lock
 * @throws `invalid_content`
 */
async function changeChecked<Result>(
  ctx: Context,
  { worker = workHere, signal }: Scope,
  list: (stored: readonly store.StoredContent[]) => store.StoredContent[],
  change: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  const { db, organizationId } = ctx;
  for (;;) {
    const stored = await inSnapshot(db, (snapshot) => store.listStored(snapshot, organizationId));
    const items = list(stored);
    if (items.length > 0) await check(items, stored);
    const result = await inTransaction(db, async (transaction) => {
      await lockForChange(transaction, organizationId);
      if (items.length > 0) {
        const current = await store.listStored(transaction, organizationId);
        if (!isDeepStrictEqual(current, stored)) return undefined;
      }
      return { value: await change(transaction) };
    });
    // Otherwise the content has changed in the meantime.
    if (result) return result.value;
  }

  async function check(
    items: readonly store.StoredContent[],
    stored: readonly store.StoredContent[],
  ): Promise<void> {
    const texts = await store.listTexts(db, organizationId, items);
    const known = new Set(items);
    // A report depends on its dataset alone. Between datasets, look-ups of an archived one are mistakes.
    const others = items.some(({ kind }) => kind === 'report')
      ? listDatasets(stored).filter((each) => !known.has(each))
      : [];
    const found = await worker.run(
      ctx,
      'check',
      {
        files: [],
        stored: texts.map(({ kind, slug, text }) => ({ file: getFilePath({ kind, slug }), text })),
        columns: new Map(
          items.flatMap((each) => (each.columns ? [[each.slug!, each.columns]] : [])),
        ),
        unreadable: others.map(({ slug }) => slug!),
        findings: [],
        staying: new Set(items.flatMap(({ kind, slug }) => (kind === 'dataset' ? [slug!] : []))),
      },
      signal,
    );
    if (found.mistakes.length > 0) throw new ContentError(sortMistakes(found.mistakes));
  }
}

/** The reports that use datasets, without archived ones. Only for administrators. */
export async function findReportsOfDatasets(
  ctx: Context,
  { datasetIds }: { datasetIds: readonly string[] },
): Promise<{ id: string; name: string }[]> {
  requireAdministrator(ctx);
  const found = [];
  for (const id of datasetIds)
    found.push(...(await listReportsOfDataset(ctx.db, ctx.organizationId, id)));
  return found.filter(({ isArchived }) => !isArchived).map(({ id, name }) => ({ id, name }));
}
