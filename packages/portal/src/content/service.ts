import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import {
  type Connections,
  type OrganizationConnections,
  type StoredSource,
  folderFiles,
  overlayOriginals,
} from '#report-engine';

import type { Activity } from '../activity-log/service.ts';
import type { Context } from '../actor/actor.ts';
import { requireOperator, requirePermission } from '../actor/permissions.ts';
import { listGranted } from '../connections/store.ts';
import { inTransaction, type Database } from '../db/connection/open.ts';
import { inSnapshot } from '../db/query/paging.ts';
import { PortalError } from '../errors.ts';
import type { PortalFiles, PortalOrganizationFiles } from '../files/files.ts';
import { folderStorage } from '../files/folder.ts';
import { lockForChange } from '../organizations/store.ts';
import { planChecked, type PlanInput } from './check-plan.ts';
import { workHere, type ContentWorker } from './content-processes.ts';
import { requireBase, requireSameItem, type Edit } from './edit-base.ts';
import { listKept, listQuestions } from './file-questions.ts';
import { getFilePath } from './items.ts';
import type { DatasetItem } from './items.ts';
import { sortMistakes, type Mistake } from './mistakes.ts';
import type { Change } from './plan.ts';
import { readFiles, type GivenContent } from './read-files.ts';
import * as store from './store.ts';
import { runTask, type ContentFile } from './tasks.ts';
import { listUnmatchedLookUps } from './unmatched-look-ups.ts';
import { writeChanges } from './write-changes.ts';

/** Locations of the data. */
export interface ContentServices {
  /** Folder of all dataset files, with one folder for each organization. */
  datasetFolder: string;
  /** The data files of all organizations. Default: those in `datasetFolder`. */
  files?: PortalFiles | undefined;
  /** The `data/` folder of a content folder. It is searched before the organization's folder. */
  dataFolder?: string | undefined;
  /** Databases that hold rows of datasets. Default: none. */
  connections?: Connections | undefined;
  /** Parses and checks the files. Default: this process. */
  worker?: ContentWorker | undefined;
  /** Called with the error of a connection that does not work. Default: it is ignored. */
  onFailure?: ((error: unknown) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** The data files of all organizations. */
export const filesOf = (
  db: Database,
  { files, datasetFolder }: Pick<ContentServices, 'files' | 'datasetFolder'>,
): PortalFiles => files ?? folderStorage(db, datasetFolder);

/** Where the uploads of the organization are. */
export const uploadsOf = (
  { db, organizationId }: Pick<Context, 'db' | 'organizationId'>,
  scope: Pick<ContentServices, 'files' | 'datasetFolder'>,
) => ({
  root: scope.datasetFolder,
  organizationId,
  shared: filesOf(db, scope).of(organizationId).uploads,
});

export interface ContentRequest {
  /** Texts by path, such as `reports/sales.yaml`. */
  files: Readonly<Record<string, string>>;
  /** Mistakes that were found while the folder was read. */
  mistakes?: readonly Mistake[];
  /** Whether to archive items that `files` lacks. */
  prune?: boolean | undefined;
  /** Whether to overwrite items that were edited in the portal, and to restore those archived there. */
  force?: boolean | undefined;
  /** Whether to return the changes without making them. */
  dryRun?: boolean | undefined;
  /** Whether to add hints about connections and their tables (encryption, rights, indexes). */
  inspect?: boolean | undefined;
}

/** Data files that are new, and the datasets that read them. */
export interface NewData {
  /** Paths on this machine by names in the organization's folder. */
  files: ReadonlyMap<string, string>;
  /** Called before the changes are planned, and again if the content has changed in the meantime. */
  compare: (
    datasets: readonly { item: DatasetItem; source: StoredSource }[],
    stored: readonly store.StoredContent[],
  ) => Promise<void>;
  /**
   * Returns the entry of the activity log, before the changes are made.
   *
   * @throws `data_conflict` to refuse them
   */
  confirm: () => Activity;
}

export interface ContentResult {
  changes: Change[];
  /** Likely mistakes, each with advice. */
  hints: string[];
}

/** Maximum number of files in `detail`. */
const maxFilesInDetail = 5;

/**
 * Creates and updates the organization's content from the files, in one transaction. Items that
 * `files` lacks stay, or are archived with `prune`.
 *
 * @throws `invalid_content` if the resulting content has mistakes; `content_conflict` if an item was
 *   edited or archived in the portal since it was applied, unless `force` is set
 */
export async function applyContent(
  ctx: Context,
  scope: ContentServices,
  request: ContentRequest,
): Promise<ContentResult> {
  requirePermission(ctx, 'applyContent');
  requireFiles(request);
  return applyFiles(ctx, scope, request);
}

/**
 * Like `applyContent`, for callers that have checked the permission.
 *
 * @param edits the items that a page saves; without them, the files are those of a content folder
 * @param data new data files, which the datasets of `edits` read
 * @throws `stale_version` if somebody else has saved the item in the meantime
 */
export async function applyFiles(
  ctx: Context,
  scope: ContentServices,
  request: ContentRequest,
  edits?: readonly Edit[],
  data?: NewData,
): Promise<ContentResult> {
  const { organizationId } = ctx;
  const files = filesOf(ctx.db, scope).of(organizationId);
  const originals = data && overlayOriginals(files.originals, data.files);
  const place = { files, dataFolder: scope.dataFolder, originals, organizationId };
  const connections = await findConnections(ctx, scope);
  const { worker = workHere, signal } = scope;
  const { inspect } = request;
  const options = { place, connections, inspect, signal };
  const parse = (file: ContentFile) => worker.run(ctx, 'parse', file, signal);
  const given = await readFiles(request.files, options, parse, async (items) =>
    listKept(items, await store.listStored(ctx.db, organizationId, items), parse),
  );
  let planned: ContentResult | undefined;
  try {
    // If something else has changed the content in the meantime, the changes are planned again.
    while (!planned)
      planned = await applyOnce(ctx, { files, worker, signal }, request, given, { edits, data });
    if (inspect) planned.hints.push(...(await listUnmatchedLookUps(ctx, given, options)));
  } finally {
    // A dry run and a refused request store versions, too.
    const named = await store.listNamedFiles(ctx.db, organizationId);
    // The hour begins with the last apply that uses a version.
    await files.use(named);
    await files.prune(named);
  }
  return { changes: planned.changes, hints: [...given.hints, ...planned.hints] };
}

/** Refuses `prune` without files: a pipeline that found no files would archive all content. */
function requireFiles({ files, prune, force }: ContentRequest): void {
  if (prune && !force && Object.keys(files).length === 0)
    throw new PortalError(
      'invalid_request',
      'There are no files, so prune would archive all content. Send the files, or set force to archive all.',
    );
}

/**
 * Plans the changes and copies the files first, so that the transaction is short. Returns `undefined`
 * if the content has changed in the meantime.
 */
async function applyOnce(
  ctx: Context,
  { files, ...scope }: { files: PortalOrganizationFiles } & Pick<PlanInput, 'worker' | 'signal'>,
  request: ContentRequest,
  given: GivenContent,
  { edits, data }: { edits: readonly Edit[] | undefined; data: NewData | undefined },
): Promise<ContentResult | undefined> {
  const { organizationId } = ctx;
  const list = (db: Database) => store.listStored(db, organizationId, given.items);
  const stored = await inSnapshot(ctx.db, list);
  for (const edit of edits ?? []) requireBase(edit, stored);
  await data?.compare(listRead(given), stored);
  const { mistakes = [], prune = false } = request;
  const planned = await planChecked(ctx, {
    stored,
    given,
    mistakes,
    prune,
    ofFolder: !edits,
    files,
    ...scope,
  });
  for (const edit of edits ?? []) requireSameItem(edit, planned.changes);
  const changed = planned.changes.filter(({ change }) => change !== 'unchanged');
  const conflicts = changed.filter(({ isConflict }) => isConflict);
  if (request.dryRun || (changed.length === 0 && !data)) return planned;
  if (conflicts.length > 0 && !request.force && !edits) throw contentConflict(conflicts);
  const activity = data?.confirm();
  const originals = changed.flatMap(({ slug, item }) =>
    item?.kind === 'dataset' ? [...(given.sources.get(slug)?.copies ?? [])] : [],
  );
  const copies = await files.stageCopies(data?.files ?? new Map(originals));
  try {
    // Later, a cancelled request is done.
    scope.signal?.throwIfAborted();
    return await inTransaction(ctx.db, async (transaction) => {
      // Changes to one organization's content run one after the other.
      await lockForChange(transaction, organizationId);
      const current = await list(transaction);
      if (!isDeepStrictEqual(current, stored)) return undefined;
      const origin = edits ? 'pages' : 'files';
      const scoped = { ...ctx, db: transaction };
      // The same file again is no change.
      if (changed.length > 0 || given.items.length === 0)
        await writeChanges(scoped, changed, given.sources, { origin, activity });
      await copies.install(transaction);
      return planned;
    });
  } finally {
    await copies.discard();
  }
}

/** The datasets of an apply whose data files could be read. */
const listRead = ({ items, sources }: GivenContent) =>
  items.flatMap((item) => {
    const source = sources.get(item.slug);
    return item.kind === 'dataset' && source ? [{ item, source }] : [];
  });

/** The connections that the organization may use. */
export const findConnections = async (
  { db, organizationId, actor }: Context,
  { connections, onFailure = () => {}, signal }: ContentServices,
): Promise<OrganizationConnections> => ({
  organizationId,
  connections,
  granted: await listGranted(db, organizationId),
  onFailure,
  forOperator: actor.kind === 'operator',
  signal: signal ?? new AbortController().signal,
});

/** Checks a content folder and its data files without a database. */
export async function checkFolder(
  request: ContentRequest,
  dataFolder: string | undefined,
): Promise<{ mistakes: Mistake[]; hints: string[] }> {
  const root = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-content-'));
  try {
    const organizationId = 'check';
    const place = { files: folderFiles(root).of(organizationId), organizationId, dataFolder };
    const given = await readFiles(request.files, { place }, async (file) => runTask('parse', file));
    const files = given.items.map((item) => ({ file: getFilePath(item), text: item.text }));
    const found = runTask('check', { ...given, files, stored: [] });
    const mistakes = [...(request.mistakes ?? []), ...given.mistakes, ...found.mistakes];
    const known = new Set(mistakes.map(({ message }) => message));
    return {
      mistakes: sortMistakes(mistakes),
      hints: [...given.hints, ...listQuestions(given)].filter((hint) => !known.has(hint)),
    };
  } finally {
    await fs.rm(root, { recursive: true, force: true });
  }
}

/** Returns the texts of the organization's content by path, without archived items. */
export async function readContent(ctx: Context): Promise<Record<string, string>> {
  requireOperator(ctx);
  const items = await store.listStored(ctx.db, ctx.organizationId);
  const present = items.filter(({ isArchived }) => !isArchived);
  const texts = await store.listTexts(ctx.db, ctx.organizationId, present);
  return Object.fromEntries(
    texts.map(({ kind, slug, text }) => [getFilePath({ kind, slug }), text]),
  );
}

function contentConflict(conflicts: readonly Change[]): PortalError {
  const archived = conflicts.filter(({ change }) => change === 'restore').map(getFilePath);
  const edited = conflicts.filter(({ change }) => change !== 'restore').map(getFilePath);
  const happened = [
    ...(edited.length > 0 ? [`${nameFiles(edited)} edited in the portal`] : []),
    ...(archived.length > 0 ? [`${nameFiles(archived)} archived in the portal`] : []),
  ];
  const advice = [
    ...(edited.length > 0
      ? ['Get the edits with `portal content pull`, or overwrite them with force.']
      : []),
    ...(archived.length > 0
      ? ['Remove the files of archived items from the folder, or restore the items with force.']
      : []),
  ];
  return new PortalError(
    'content_conflict',
    `Nothing was changed: ${happened.join('; ')}. ${advice.join(' ')}`,
    {
      errors: [
        ...edited.map((file) => ({ path: file, message: 'was edited in the portal' })),
        ...archived.map((file) => ({ path: file, message: 'was archived in the portal' })),
      ],
    },
  );
}

function nameFiles(files: readonly string[]): string {
  const named = files.slice(0, maxFilesInDetail).join(', ');
  if (files.length > maxFilesInDetail) return `${named} and others were`;
  return `${named} ${files.length === 1 ? 'was' : 'were'}`;
}
