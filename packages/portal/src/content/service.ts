import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';

import type { Context } from '../auth/actor.ts';
import { requireOperator, requirePermission } from '../auth/permissions.ts';
import { inTransaction, type Database } from '../db/connection/open.ts';
import { PortalError } from '../errors.ts';
import { lockForChange } from '../organizations/store.ts';
import type { FileColumn } from '../platforms/builtin/files/tasks.ts';
import { checkContent } from './check.ts';
import {
  DataFileError,
  installCopies,
  removeOldVersions,
  storeSource,
  type StoredSource,
} from './data-files.ts';
import { fileOf, parseItem, reportAt, type Item } from './items.ts';
import { formatMistake, formatPlace, sortMistakes, type Mistake } from './mistakes.ts';
import { planChanges, type Change } from './plan.ts';
import * as store from './store.ts';
import { writeChanges } from './write-changes.ts';

/** Where data files are. */
export interface DataScope {
  /** Folder of all dataset files, with one folder for each organization. */
  datasetFolder: string;
  /** The `data/` folder of a content folder. It is searched before the organization's folder. */
  dataFolder?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface ContentRequest {
  /** Texts by path, such as `reports/sales.yaml`. */
  files: Readonly<Record<string, string>>;
  /** Mistakes that were found while the folder was read. */
  mistakes?: readonly Mistake[];
  /** Whether to archive items that `files` lacks. */
  prune?: boolean | undefined;
  /** Whether to overwrite items that were edited in the portal. */
  force?: boolean | undefined;
  /** Whether to return the changes without making them. */
  dryRun?: boolean | undefined;
}

export interface ContentResult {
  changes: Change[];
  /** Likely mistakes, each with advice. */
  hints: string[];
}

/** Maximum number of mistakes in `detail`. */
const namedInDetail = 5;

/** Maximum number of mistakes in `errors`. */
const listedInErrors = 100;

/** The content has mistakes. Nothing was changed. */
export class ContentError extends PortalError {
  readonly mistakes: readonly Mistake[];

  constructor(mistakes: readonly Mistake[]) {
    const named = mistakes.slice(0, namedInDetail).map(formatMistake);
    const rest = mistakes.length - named.length;
    super(
      'invalid_content',
      `Nothing was changed, because the content has mistakes: ${named.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`,
      {
        errors: mistakes
          .slice(0, listedInErrors)
          .map((mistake) => ({ path: formatPlace(mistake), message: mistake.message })),
      },
    );
    this.mistakes = mistakes;
  }
}

/**
 * Brings the organization's content to the state of the files, in one transaction. Items that `files`
 * lacks stay, or are archived with `prune`.
 *
 * @throws `invalid_content` if the resulting content has mistakes; `content_conflict` if an item was
 *   edited in the portal since it was applied, unless `force` is set
 */
export async function applyContent(
  ctx: Context,
  scope: DataScope,
  request: ContentRequest,
): Promise<ContentResult> {
  requirePermission(ctx, 'applyContent');
  const { organizationId } = ctx;
  const place = { root: scope.datasetFolder, dataFolder: scope.dataFolder, organizationId };
  const read = await readItems(request);
  const { sources, mistakes } = await storeSources(read.items, place, scope.signal);
  const { items, unreadable } = read;
  const given = { items, unreadable, sources, mistakes: [...read.mistakes, ...mistakes] };
  const hints = [...sources.values()].flatMap((source) => source.hints);
  const changes = await inTransaction(ctx.db, async (transaction) => {
    // Applies of one organization run one after the other, and so do edits in the portal.
    await lockForChange(transaction, organizationId);
    const planned = await plan(transaction, organizationId, request, given);
    const changed = planned.filter(({ change }) => change !== 'unchanged');
    const conflicts = changed.filter(({ isConflict }) => isConflict);
    if (request.dryRun || changed.length === 0) return planned;
    if (conflicts.length > 0 && !request.force) throw contentConflict(conflicts);
    await writeChanges({ ...ctx, db: transaction }, changed, sources);
    for (const { copies } of sources.values()) await installCopies(place, copies);
    return planned;
  });
  if (!request.dryRun)
    await removeOldVersions(place, await store.listNamedFiles(ctx.db, organizationId));
  return { changes, hints };
}

/** Checks a content folder and its data files without a database. */
export async function checkFolder(
  request: ContentRequest,
  scope: Pick<DataScope, 'dataFolder' | 'signal'>,
): Promise<{ mistakes: Mistake[]; hints: string[] }> {
  const root = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-content-'));
  try {
    const { items, mistakes, unreadable } = await readItems(request);
    const place = { root, organizationId: 'check', dataFolder: scope.dataFolder };
    const stored = await storeSources(items, place, scope.signal);
    return {
      mistakes: sortMistakes([
        ...mistakes,
        ...stored.mistakes,
        ...checkContent({ items, unreadable, columns: columnsOf(stored.sources) }),
      ]),
      hints: [...stored.sources.values()].flatMap(({ hints }) => hints),
    };
  } finally {
    await fs.rm(root, { recursive: true, force: true });
  }
}

/** Returns the texts of the organization's content by path, and the number of items without one. */
export async function readContent(
  ctx: Context,
): Promise<{ files: Record<string, string>; withoutContent: number }> {
  requireOperator(ctx);
  const items = await store.listStored(ctx.db, ctx.organizationId);
  const files: Record<string, string> = {};
  let withoutContent = 0;
  for (const { kind, slug, text, isArchived } of items) {
    if (slug === null || text === null) withoutContent += 1;
    else if (!isArchived) files[fileOf({ kind, slug })] = text;
  }
  return { files, withoutContent };
}

interface Given {
  items: readonly Item[];
  unreadable: readonly string[];
  sources: ReadonlyMap<string, StoredSource>;
  mistakes: readonly Mistake[];
}

async function readItems({
  files,
  mistakes: found = [],
}: ContentRequest): Promise<{ items: Item[]; mistakes: Mistake[]; unreadable: string[] }> {
  const unreadable: string[] = [];
  const items: Item[] = [];
  const mistakes = [...found];
  for (const [file, text] of Object.entries(files)) {
    // Parsing a large file blocks the event loop. Other requests run between two files.
    await setImmediate();
    const parsed = parseItem(file, text);
    if ('item' in parsed) items.push(parsed.item);
    else {
      mistakes.push(...parsed.mistakes);
      unreadable.push(...(/^datasets\/(.+)\.yaml$/.exec(file)?.slice(1) ?? []));
    }
  }
  return { items, mistakes, unreadable };
}

async function storeSources(
  items: readonly Item[],
  place: Parameters<typeof storeSource>[0],
  signal: AbortSignal | undefined,
): Promise<{ sources: Map<string, StoredSource>; mistakes: Mistake[] }> {
  const sources = new Map<string, StoredSource>();
  const mistakes: Mistake[] = [];
  for (const item of items) {
    if (item.kind !== 'dataset') continue;
    const { definition, slug } = item;
    try {
      sources.set(slug, await storeSource(place, definition, signal));
    } catch (error) {
      if (!(error instanceof DataFileError)) throw error;
      const key = 'file' in definition.source ? 'file' : 'files';
      mistakes.push(reportAt(item, { path: ['source', key], message: error.message }));
    }
  }
  return { sources, mistakes };
}

const columnsOf = (sources: ReadonlyMap<string, StoredSource>) =>
  new Map([...sources].map(([slug, { columns }]) => [slug, columns]));

/**
 * Plans the changes, and checks the content that the organization would have afterwards.
 *
 * @throws `invalid_content`
 */
async function plan(
  db: Database,
  organizationId: string,
  { prune = false }: ContentRequest,
  given: Given,
): Promise<Change[]> {
  const stored = await store.listStored(db, organizationId);
  const files = new Map([...given.sources].map(([slug, source]) => [slug, source.files]));
  const { items } = given;
  const planned = planChanges({ items, stored, files, prune, createId: randomUUID });
  const touched = new Set(planned.changes.flatMap((change) => change.stored ?? []));
  const columns = new Map<string, readonly FileColumn[]>(columnsOf(given.sources));
  const mistakes = [
    ...given.mistakes,
    ...planned.mistakes,
    ...checkArchived(planned.changes, stored),
  ];
  const staying: Item[] = [];
  for (const each of stored) {
    if (touched.has(each) || each.isArchived || each.slug === null || each.text === null) continue;
    await setImmediate();
    const parsed = parseItem(fileOf({ kind: each.kind, slug: each.slug }), each.text);
    if ('mistakes' in parsed) mistakes.push(...parsed.mistakes.map(noteStored));
    else staying.push(parsed.item);
    if (each.columns) columns.set(each.slug, each.columns);
  }
  const stayingFiles = new Set(staying.map(fileOf));
  mistakes.push(
    ...checkContent({ items: [...items, ...staying], unreadable: given.unreadable, columns }).map(
      (mistake) => (stayingFiles.has(mistake.file) ? noteStored(mistake) : mistake),
    ),
  );
  if (mistakes.length > 0) throw new ContentError(sortMistakes(mistakes));
  return planned.changes;
}

const noteStored = (mistake: Mistake): Mistake => ({
  ...mistake,
  message: `${mistake.message} (this file is in the portal, but not among yours; get it with \`portal content pull\`, or archive it with prune)`,
});

/** Refuses to archive a dataset that a report without a content file uses. */
function checkArchived(
  changes: readonly Change[],
  stored: readonly store.StoredContent[],
): Mistake[] {
  return changes.flatMap(({ change, kind, slug, id }) => {
    const user =
      change === 'archive' && kind === 'dataset'
        ? stored.find((each) => each.datasetId === id && each.slug === null)
        : undefined;
    if (!user) return [];
    const message = `the report "${user.name}", which has no content file, uses this dataset; keep the file, or write a file with id: ${user.id} for the report`;
    return [{ file: fileOf({ kind, slug }), line: 1, column: 1, message }];
  });
}

function contentConflict(conflicts: readonly Change[]): PortalError {
  const files = conflicts.map(fileOf);
  return new PortalError(
    'content_conflict',
    `Nothing was changed: ${files.slice(0, namedInDetail).join(', ')}${files.length > namedInDetail ? ' and others were' : files.length === 1 ? ' was' : ' were'} edited in the portal. Get the edits with \`portal content pull\`, or overwrite them with force.`,
    { errors: files.map((file) => ({ path: file, message: 'was edited in the portal' })) },
  );
}
