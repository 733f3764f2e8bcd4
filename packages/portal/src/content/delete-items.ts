import type { DatasetSource } from '@portal-embed/report-model';

import type { Deletion } from '#admin/requests';
import { matchesPattern } from '#report-engine';

import { recordChange } from '../activity-log/service.ts';
import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import {
  countLinks,
  deleteItem,
  listReportsOfDataset,
  type ItemRow,
} from '../catalogue/archived-store.ts';
import { requireItem } from '../catalogue/archived.ts';
import { inTransaction, type Database } from '../db/connection/open.ts';
import { PortalError } from '../errors.ts';
import type { FileNames } from '../files/files.ts';
import { lockForChange } from '../organizations/store.ts';
import { nameAll } from './archive-items.ts';
import { forEachItem, type ItemReference } from './each-item.ts';
import { getFilePath } from './items.ts';
import { filesOf, type ContentServices } from './service.ts';
import * as store from './store.ts';

type Scope = Pick<ContentServices, 'datasetFolder' | 'files' | 'signal'>;

/**
 * Returns what goes with archived items if they are deleted for good.
 *
 * @throws `not_found`; `invalid_request` for an item that is not archived
 */
export async function describeDeletion(
  ctx: Context,
  scope: Scope,
  { items }: { items: readonly ItemReference[] },
): Promise<Deletion> {
  requireAdministrator(ctx);
  const { db, organizationId } = ctx;
  const ids = new Set(items.map(({ id }) => id));
  const described: Deletion['items'] = [];
  for (const each of items) {
    const item = await requireArchived(ctx, each);
    const reports =
      item.kind === 'dataset' ? await listReportsOfDataset(db, organizationId, item.id) : [];
    described.push({
      kind: item.kind,
      id: item.id,
      name: item.name,
      file: item.slug === null ? null : getFilePath({ ...item, slug: item.slug }),
      ...(await countLinks(db, organizationId, item)),
      reports: reports.filter(({ id }) => !ids.has(id)).map(({ name }) => name),
    });
  }
  const files = filesOf(db, scope).of(organizationId);
  const freed = listFreed(await listRead(ctx, scope, ids), await listFiles(ctx), ids);
  return { items: described, files: [...freed.originals], bytes: await files.sizeOf(freed) };
}

/**
 * Deletes archived items with their links, roles, versions and the data files that no other dataset
 * reads. The access log keeps the names of reports. Only for administrators.
 */
export async function deleteItems(
  ctx: Context,
  scope: Scope,
  { items }: { items: readonly ItemReference[] },
) {
  requireAdministrator(ctx);
  const { db, organizationId } = ctx;
  const files = filesOf(db, scope).of(organizationId);
  const result = await forEachItem(
    ctx,
    { action: 'deleteItems', items, first: 'report', signal: scope.signal },
    async (given) => {
      const ids = new Set([given.id]);
      // In the transaction, files are not looked up, since that needs another connection.
      const read = await listRead(ctx, scope, ids);
      const bytes = await files.sizeOf(listFreed(read, await listFiles(ctx), ids));
      return inTransaction(db, async (transaction) => {
        const scoped = { ...ctx, db: transaction };
        await lockForChange(transaction, organizationId);
        const item = await requireArchived(scoped, given);
        const { kind, id, name } = item;
        await requireNoReports(transaction, organizationId, item);
        const { originals } = listFreed(read, await listFiles(scoped), ids);
        const { users, groups, roles } = await countLinks(transaction, organizationId, item);
        const details = {
          kind,
          id,
          ...(item.slug !== null && { file: getFilePath({ kind, slug: item.slug }) }),
          users,
          groups,
          ...(kind === 'dataset' && { roles, files: originals, bytes }),
        };
        const activity = { action: 'deleteItems', subject: name, details } as const;
        await recordChange(scoped, activity, () => deleteItem(transaction, organizationId, item));
        await files.removeOriginals(transaction, originals);
        return { kind, id, name };
      });
    },
  );
  await files.prune(await store.listNamedFiles(db, organizationId));
  return result;
}

async function requireArchived(ctx: Context, given: ItemReference): Promise<ItemRow> {
  const { item } = await requireItem(ctx, given);
  if (item.isArchived) return item;
  throw new PortalError('invalid_request', `This ${item.kind} is not archived. Archive it first.`);
}

/** Reports would be deleted with their dataset. */
async function requireNoReports(
  db: Database,
  organizationId: string,
  { kind, id, name }: ItemRow,
): Promise<void> {
  if (kind === 'report') return;
  const reports = await listReportsOfDataset(db, organizationId, id);
  if (reports.length === 0) return;
  throw new PortalError(
    'invalid_request',
    `The dataset "${name}" has ${nameAll(reports)}. Delete these archived reports first, or together with it.`,
  );
}

const listFiles = ({ db, organizationId }: Context) => store.listDatasetFiles(db, organizationId);

/** Lists the files that some of the datasets read. */
async function listRead(ctx: Context, scope: Scope, ids: ReadonlySet<string>): Promise<FileNames> {
  const { originals } = filesOf(ctx.db, scope).of(ctx.organizationId);
  const datasets = (await listFiles(ctx)).filter(({ id }) => ids.has(id));
  const named = new Set<string>();
  for (const { source } of datasets)
    if (source && 'file' in source) named.add(source.file);
    else if (source && 'files' in source)
      for (const name of await originals.list(source.files)) named.add(name);
  return { versions: datasets.flatMap(({ files }) => files), originals: [...named] };
}

/** Leaves out the files that other datasets read, too. */
function listFreed(
  { versions, originals }: FileNames,
  datasets: readonly store.DatasetFiles[],
  ids: ReadonlySet<string>,
): FileNames {
  const others = datasets.filter(({ id }) => !ids.has(id));
  const kept = new Set(others.flatMap(({ files }) => files));
  return {
    versions: versions.filter((name) => !kept.has(name)),
    originals: originals.filter((name) => !others.some(({ source }) => reads(source, name))),
  };
}

const reads = (source: DatasetSource | null, name: string): boolean => {
  if (!source || 'connection' in source) return false;
  return 'file' in source ? source.file === name : matchesPattern(name, source.files);
};
