import { requestLimits } from '@portal-embed/contract';

import type { ArrangedItem } from '#admin/requests';
import { toSlug } from '#report-engine';

import type { Context } from '../actor/actor.ts';
import { listNames } from '../catalogue/archived-store.ts';
import { requireItem, requireWritten } from '../catalogue/archived.ts';
import { workHere } from './content-processes.ts';
import { findFreeSlug, saveNewItem } from './create-report.ts';
import { requireDefinition, requireOwnText, saveDefinition } from './definitions.ts';
import { forEachItem, type ItemReference } from './each-item.ts';
import { retryStale } from './edit-base.ts';
import type { ContentServices } from './service.ts';
import type { NameEdit } from './tasks.ts';

/**
 * Copies items under free names, such as "Sales (2)". A copy of a report has no readers, and the roles of
 * a copied dataset have no holders.
 */
export const duplicateItems = (
  ctx: Context,
  scope: ContentServices,
  { items }: { items: readonly ItemReference[] },
) =>
  forEachItem(
    ctx,
    { action: 'duplicateItems', items, first: 'dataset', signal: scope.signal },
    (item) => retryStale(() => duplicateItem(ctx, scope, item)),
  );

async function duplicateItem(
  ctx: Context,
  scope: ContentServices,
  given: ItemReference,
): Promise<ArrangedItem> {
  const { item, authoring } = await requireItem(ctx, given, 'canCreate');
  requireWritten(item);
  const { kind, id } = item;
  const { text } = await requireDefinition(ctx, authoring, kind, id);
  const name = await findFreeName(ctx, item);
  const { worker = workHere, signal } = scope;
  const copy = await worker.run(ctx, 'editNames', { text, edit: { name, isCopy: true } }, signal);
  const slug = await findFreeSlug(ctx, kind, toSlug(name));
  if (kind === 'report') await requireOwnText(ctx, scope, authoring, { slug }, copy);
  return { kind, id: await saveNewItem(ctx, scope, { kind, slug }, copy), name };
}

/** Numbers begin at 2, because the original is the first. */
async function findFreeName(
  { db, organizationId }: Context,
  { kind, name }: ArrangedItem,
): Promise<string> {
  const stem = name.replace(/ \(\d+\)$/, '').slice(0, requestLimits.name - 8);
  const taken = await listNames(db, organizationId, kind, stem);
  let number = 2;
  while (taken.has(`${stem} (${number})`)) number += 1;
  return `${stem} (${number})`;
}

/** Renames items in their definitions. */
export const renameItems = (
  ctx: Context,
  scope: ContentServices,
  { items }: { items: readonly (ItemReference & { name: string })[] },
) =>
  forEachItem(
    ctx,
    { action: 'renameItems', items, first: 'dataset', signal: scope.signal },
    ({ name, ...item }) => editItem(ctx, scope, item, { name }),
  );

/** Moves reports to a workspace, which is created if needed. */
export const moveReports = (
  ctx: Context,
  scope: ContentServices,
  { reportIds, workspace }: { reportIds: readonly string[]; workspace: string },
) =>
  forEachItem(
    ctx,
    {
      action: 'moveReports',
      items: reportIds.map((id) => ({ kind: 'report' as const, id })),
      first: 'report',
      signal: scope.signal,
    },
    (item) => editItem(ctx, scope, item, { workspace }),
  );

const editItem = (
  ctx: Context,
  scope: ContentServices,
  given: ItemReference,
  edit: NameEdit,
): Promise<ArrangedItem> =>
  retryStale(async () => {
    const { item, authoring } = await requireItem(ctx, given);
    requireWritten(item);
    const { kind, id } = item;
    const { text, version } = await requireDefinition(ctx, authoring, kind, id);
    const { worker = workHere, signal } = scope;
    const changed = await worker.run(ctx, 'editNames', { text, edit }, signal);
    await saveDefinition(ctx, scope, { kind, id, version, text: changed });
    return { kind, id, name: edit.name ?? item.name };
  });
