import path from 'node:path';

import { describePath } from '@portal-embed/report-model';

import { matchesPattern, type OrganizationFiles } from '#report-engine';

import type { Context } from '../../actor/actor.ts';
import { requireAdministrator, requirePermission } from '../../actor/permissions.ts';
import { PortalError } from '../../errors.ts';
import { workHere } from '../content-processes.ts';
import { findDefinition } from '../definitions-store.ts';
import { retryStale } from '../edit-base.ts';
import { filesOf, uploadsOf, type ContentServices } from '../service.ts';
import type { SourceEdit } from '../tasks.ts';
import * as uploads from '../uploads.ts';
import { kindOf, nameAppended, otherKind } from './append.ts';
import { changeFiles, requirePossible, type DataResult, type Reader } from './change.ts';
import * as store from './store.ts';

/** What happens to the data of one dataset. */
export interface DatasetDataRequest {
  /** Id or slug of the dataset. */
  dataset: string;
  mode: 'replace' | 'append';
  /** The new file on this machine. */
  path: string;
  /** The name that its author gave it. */
  fileName: string;
  /** The file of the dataset that it replaces. Default: the only one, or the one with the same name. */
  target?: string | undefined;
  /** How the new file is read, if that changes. */
  edit?: Omit<SourceEdit, 'files'> | undefined;
  /** The version that the author saw. Default: the current one. */
  version?: number | undefined;
  dryRun?: boolean | undefined;
  force?: boolean | undefined;
}

/**
 * Replaces a file of a dataset, or adds a further one. All datasets that read the file get the new data.
 *
 * @throws `dataset_not_found`; `invalid_request` if the dataset has no such file; and as `changeFiles`
 */
export async function changeDatasetData(
  ctx: Context,
  scope: ContentServices,
  request: DatasetDataRequest,
): Promise<DataResult> {
  requireAdministrator(ctx);
  return retryStale(async () => {
    const { db, organizationId } = ctx;
    const known = await store.listFileDatasets(db, organizationId);
    const dataset = known.find(({ id, slug }) => [id, slug].includes(request.dataset));
    if (!dataset)
      throw new PortalError(
        'dataset_not_found',
        'This dataset does not exist, or its rows are not in files. Check its name.',
      );
    const files = filesOf(db, scope).of(organizationId);
    const { mode, fileName, edit = {} } = request;
    const named =
      mode === 'append'
        ? nameAppended(dataset.source, await listTaken(ctx, scope, dataset), fileName)
        : { name: await nameReplaced(files, dataset, fileName, request.target) };
    const first = named.pattern && (await files.originals.find(named.pattern.first.from));
    const added = new Map([[named.name, request.path]]);
    if (named.pattern && first) added.set(named.pattern.first.to, first.path);
    try {
      const readers = await readReaders(ctx, scope, known, {
        names: [...added.keys()],
        edits: new Map([[dataset.id, { ...edit, files: named.pattern?.files }]]),
        versions: new Map(request.version === undefined ? [] : [[dataset.id, request.version]]),
      });
      const action = mode === 'append' ? 'appendData' : 'replaceData';
      const { dryRun, force } = request;
      return await changeFiles(ctx, scope, {
        action,
        file: named.name,
        files: added,
        readers,
        dryRun,
        force,
      });
    } finally {
      first?.release();
    }
  }, request.version === undefined);
}

/**
 * Stores a data file under its name, and brings it to the datasets that read it.
 *
 * A dry run is refused as the change would be.
 *
 * @param input.content the bytes as they arrive
 */
export async function putDataFile(
  ctx: Context,
  scope: ContentServices,
  input: {
    fileName: string;
    content: AsyncIterable<Uint8Array>;
    dryRun?: boolean | undefined;
    force?: boolean | undefined;
  },
): Promise<DataResult> {
  requirePermission(ctx, 'putDataFile');
  const { fileName: name, content, dryRun, force } = input;
  requireName(name);
  const { organizationId, db } = ctx;
  const place = uploadsOf(ctx, scope);
  const stored = await uploads.storeUpload(place, path.posix.basename(name), content);
  try {
    const file = path.join(stored.folder, stored.name);
    return await retryStale(async () => {
      const known = await store.listFileDatasets(db, organizationId);
      const readers = await readReaders(ctx, scope, known, { names: [name] });
      const files = new Map([[name, file]]);
      const request = { action: 'putDataFile', file: name, files, readers, dryRun, force } as const;
      const result = await changeFiles(ctx, scope, request);
      requirePossible(result, force);
      return result;
    });
  } catch (error) {
    throw isTaken(error)
      ? new PortalError(
          'invalid_request',
          `${name} is a folder, or one of its folders is a file.`,
          {
            advice: 'Choose another name.',
          },
        )
      : error;
  } finally {
    await uploads.removeUpload(place, stored.id);
  }
}

/** In a folder, a file and a folder cannot have the same name. */
const isTaken = (error: unknown): boolean =>
  ['ENOTDIR', 'EISDIR', 'EEXIST', 'ENOTEMPTY'].includes(
    String((error as NodeJS.ErrnoException | null)?.code),
  );

/** The limit of file systems. */
const maxPartBytes = 255;

function requireName(name: string): void {
  const parts = name.split('/');
  const problem =
    describePath(name, 'file') ??
    (parts.some((part) => part.startsWith('.'))
      ? 'a part of the path begins with a dot; rename it'
      : undefined) ??
    (parts.some((part) => Buffer.byteLength(part) > maxPartBytes)
      ? `a part of the path has more than ${maxPartBytes} bytes; shorten it`
      : undefined);
  if (problem === undefined) return;
  throw new PortalError('invalid_request', `The name of the file is not valid: ${problem}.`);
}

/** The datasets that read one of the files, and those whose definition changes. */
async function readReaders(
  ctx: Context,
  { worker = workHere, signal }: ContentServices,
  known: readonly store.FileDataset[],
  change: {
    names: readonly string[];
    edits?: ReadonlyMap<string, SourceEdit>;
    versions?: ReadonlyMap<string, number>;
  },
): Promise<Reader[]> {
  const { names, edits, versions } = change;
  const readers: Reader[] = [];
  for (const { id, source } of known) {
    const edit = edits?.get(id);
    const isReader = names.some((name) => reads(source, name));
    if (!edit && !isReader) continue;
    const found = await findDefinition(ctx.db, ctx.organizationId, 'dataset', id);
    if (!found) continue;
    const { slug, text } = found;
    const isEdited = edit && (edit.files ?? edit.options ?? edit.fields) !== undefined;
    readers.push({
      id,
      slug,
      version: versions?.get(id) ?? found.version,
      text: isEdited ? await worker.run(ctx, 'editSource', { text, edit }, signal) : text,
    });
  }
  return readers;
}

const reads = (source: store.FileDataset['source'], name: string): boolean =>
  'file' in source ? source.file === name : matchesPattern(name, source.files);

/** Names of files that a further file may not have. */
async function listTaken(
  { db, organizationId }: Context,
  scope: ContentServices,
  { source }: store.FileDataset,
): Promise<Set<string>> {
  const files = filesOf(db, scope).of(organizationId);
  if ('files' in source) return new Set(await files.originals.list(source.files));
  const inFolder = await uploads.listFolder(path.join(scope.datasetFolder, organizationId));
  return new Set([...inFolder, ...((await files.uploads?.listOriginals()) ?? [])]);
}

/** The file of a dataset that a new one replaces. */
async function nameReplaced(
  files: OrganizationFiles,
  { name, source }: store.FileDataset,
  fileName: string,
  target: string | undefined,
): Promise<string> {
  const names = 'file' in source ? [source.file] : await files.originals.list(source.files);
  const base = path.basename(fileName);
  const found =
    target === undefined && names.length === 1
      ? names[0]
      : names.find((each) =>
          target === undefined ? path.posix.basename(each) === base : each === target,
        );
  if (found === undefined)
    throw new PortalError('invalid_request', `${name} has no file named ${target ?? base}.`, {
      advice: 'Choose which of its files to replace, or append the new file.',
    });
  if (kindOf(path.extname(found)) !== kindOf(path.extname(fileName)))
    throw otherKind(found, fileName);
  return found;
}
