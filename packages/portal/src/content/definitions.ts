import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import {
  includesWorkspace,
  readAuthoring,
  requireRight,
  requireWorkspace,
  type Authoring,
} from '../catalogue/authoring.ts';
import { PortalError } from '../errors.ts';
import { checkReport, type CheckedReport } from './check-report.ts';
import { ContentError } from './content-error.ts';
import * as store from './definitions-store.ts';
import { getFilePath, type ItemKind } from './items.ts';
import type { Mistake } from './mistakes.ts';
import { applyFiles, type ContentServices } from './service.ts';

export interface DefinedItem extends store.DefinitionRow {
  kind: ItemKind;
}

/**
 * Finds an item. Reports outside the caller's workspaces do not exist for them, and
 * only administrators read the definitions of datasets, which contain the conditions of roles.
 *
 * @throws `not_found`
 */
export async function requireDefinition(
  ctx: Context,
  authoring: Authoring,
  kind: ItemKind,
  id: string,
): Promise<DefinedItem> {
  if (kind === 'dataset') requireAdministrator(ctx);
  const found = await store.findDefinition(ctx.db, ctx.organizationId, kind, id);
  const isVisible =
    found && (found.workspaceId === null || includesWorkspace(authoring, found.workspaceId));
  if (!isVisible)
    throw new PortalError('not_found', `This ${kind} does not exist. Check the address.`);
  return { ...found, kind };
}

/** Returns the text of an item. */
export async function readDefinition(
  ctx: Context,
  kind: ItemKind,
  id: string,
): Promise<DefinedItem> {
  return requireDefinition(ctx, await readAuthoring(ctx), kind, id);
}

/**
 * Saves a new version of an item. The next apply of a content folder with another text finds a conflict.
 *
 * @param input.version the version that the author read
 * @throws `invalid_content`; `stale_version` if somebody else has saved it in the meantime;
 *   `missing_permission`
 */
export async function saveDefinition(
  ctx: Context,
  scope: ContentServices,
  input: { kind: ItemKind; id: string; text: string; version: number },
): Promise<{ version: number }> {
  const authoring = await readAuthoring(ctx);
  const item = await requireDefinition(ctx, authoring, input.kind, input.id);
  requireRight(authoring, 'canEdit');
  await requireOwnText(ctx, scope, authoring, item, input.text);
  const { kind, slug } = item;
  const base = { id: item.id, version: input.version };
  const files = { [getFilePath(item)]: input.text };
  await applyFiles(ctx, scope, { files }, [{ kind, slug, base }]);
  const saved = await store.findDefinition(ctx.db, ctx.organizationId, kind, item.id);
  return { version: saved?.version ?? input.version };
}

/**
 * Requires that a workspace contributor moves a report only to another one of their workspaces, and uses
 * only datasets of these.
 *
 * @param item.id `undefined` for a new report
 * @throws `missing_permission`; `invalid_content`
 */
export async function requireOwnText(
  ctx: Context,
  scope: ContentServices,
  authoring: Authoring,
  item: { slug: string; id?: string | undefined },
  text: string,
): Promise<void> {
  if (authoring.workspaceIds === null) return;
  const { mistakes, definition } = await checkReport(ctx, scope, authoring, item, text);
  if (definition) {
    const { workspace } = definition;
    requireWorkspace(authoring, await store.findWorkspace(ctx.db, ctx.organizationId, workspace));
  }
  if (mistakes.length > 0) throw new ContentError(mistakes);
}

/** Checks a text as if it were saved, and returns its mistakes. */
export async function checkDefinition(
  ctx: Context,
  scope: ContentServices,
  input: { kind: ItemKind; id: string; text: string },
): Promise<{ file: string; mistakes: readonly Mistake[]; report?: CheckedReport }> {
  const authoring = await readAuthoring(ctx);
  const item = await requireDefinition(ctx, authoring, input.kind, input.id);
  const { kind, slug, id, version } = item;
  const file = getFilePath(item);
  try {
    if (kind === 'report') {
      const report = await checkReport(ctx, scope, authoring, item, input.text);
      return { file, mistakes: report.mistakes, report };
    }
    const request = { files: { [file]: input.text }, dryRun: true };
    await applyFiles(ctx, scope, request, [{ kind, slug, base: { id, version } }]);
    return { file, mistakes: [] };
  } catch (error) {
    if (error instanceof ContentError) return { file, mistakes: error.mistakes };
    throw error;
  }
}

export async function listVersions(ctx: Context, kind: ItemKind, id: string) {
  const item = await readDefinition(ctx, kind, id);
  return store.listVersions(ctx.db, ctx.organizationId, kind, item.id);
}

/** @throws `not_found` also for a version that has been deleted */
export async function readVersion(
  ctx: Context,
  kind: ItemKind,
  id: string,
  version: number,
): Promise<string> {
  const item = await readDefinition(ctx, kind, id);
  const text = await store.findVersion(ctx.db, ctx.organizationId, kind, item.id, version);
  if (text !== undefined) return text;
  throw new PortalError('not_found', 'This version was deleted. Choose a later one from the list.');
}
