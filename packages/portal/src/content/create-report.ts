import { toSlug, writeReport } from '#report-engine';

import type { Context } from '../actor/actor.ts';
import {
  includesWorkspace,
  readAuthoring,
  requireRight,
  requireWorkspace,
} from '../catalogue/authoring.ts';
import { PortalError } from '../errors.ts';
import { workHere } from './content-processes.ts';
import * as store from './definitions-store.ts';
import { requireOwnText } from './definitions.ts';
import { getFilePath, type ItemKind } from './items.ts';
import { applyFiles, type ContentServices } from './service.ts';

/**
 * Creates a report over an existing dataset, with tiles for its first metrics and fields, and returns
 * its id.
 *
 * @throws `dataset_not_found`; `missing_permission`
 */
export async function createReport(
  ctx: Context,
  scope: ContentServices,
  input: { name: string; workspace: string; datasetId: string },
): Promise<string> {
  const authoring = await readAuthoring(ctx);
  requireRight(authoring, 'canCreate');
  const { db, organizationId } = ctx;
  if (authoring.workspaceIds !== null)
    requireWorkspace(authoring, await store.findWorkspace(db, organizationId, input.workspace));
  const dataset = await store.findDefinedDataset(db, organizationId, authoring.workspaceIds, {
    id: input.datasetId,
  });
  if (!dataset)
    throw new PortalError('dataset_not_found', 'This dataset does not exist. Choose another one.');
  const { worker = workHere, signal } = scope;
  const { fields, metrics, time } = await worker.run(
    ctx,
    'describeDataset',
    dataset.source,
    signal,
  );
  const text = writeReport({
    dataset: dataset.slug,
    title: input.name,
    workspace: input.workspace,
    metrics,
    texts: fields.filter(({ type }) => type === 'text').map(({ name }) => name),
    time,
  });
  const slug = await findFreeSlug(ctx, 'report', toSlug(input.name));
  return saveNew(ctx, scope, slug, text);
}

/**
 * Creates a report from a file, or replaces the report of that file.
 *
 * @throws `content_conflict` if the report exists and is not to be replaced; `missing_permission`
 */
export async function importReportFile(
  ctx: Context,
  scope: ContentServices,
  input: { fileName: string; text: string; replaces: boolean },
): Promise<string> {
  const authoring = await readAuthoring(ctx);
  const { db, organizationId } = ctx;
  const slug = toSlug(input.fileName.replace(/\.ya?ml$/i, ''));
  await requireOwnText(ctx, scope, authoring, { slug }, input.text);
  const existing = await store.findReportBySlug(db, organizationId, slug);
  const isReplaceable =
    existing && !existing.archived_at && includesWorkspace(authoring, existing.workspace_id);
  if (!isReplaceable) {
    requireRight(authoring, 'canCreate');
    return saveNew(ctx, scope, await findFreeSlug(ctx, 'report', slug), input.text);
  }
  if (!input.replaces)
    throw new PortalError(
      'content_conflict',
      `The report reports/${slug}.yaml exists already. Replace it, or give the file another name.`,
    );
  requireRight(authoring, 'canOverwrite');
  const { id, version } = existing;
  const files = { [`reports/${slug}.yaml`]: input.text };
  await applyFiles(ctx, scope, { files }, [{ kind: 'report', slug, base: { id, version } }]);
  return id;
}

const saveNew = (ctx: Context, scope: ContentServices, slug: string, text: string) =>
  saveNewItem(ctx, scope, { kind: 'report', slug }, text);

/** Creates an item and returns its id. */
export async function saveNewItem(
  ctx: Context,
  scope: ContentServices,
  { kind, slug }: { kind: ItemKind; slug: string },
  text: string,
): Promise<string> {
  const files = { [getFilePath({ kind, slug })]: text };
  const { changes } = await applyFiles(ctx, scope, { files }, [{ kind, slug, base: null }]);
  return changes.find((change) => change.kind === kind && change.slug === slug)!.id;
}

/** Archived items keep their slugs: taking one would restore the item with its access. */
export async function findFreeSlug(
  { db, organizationId }: Pick<Context, 'db' | 'organizationId'>,
  kind: 'report' | 'dataset',
  wanted: string,
): Promise<string> {
  const taken = await store.listSlugs(db, organizationId, kind, { withArchived: true });
  let slug = wanted;
  for (let number = 2; taken.has(slug); number += 1) slug = `${wanted}-${number}`;
  return slug;
}
