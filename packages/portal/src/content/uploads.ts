import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

import { maxUploadBytes } from '#admin/requests';
import { isMissing } from '#server-kit';

import { PortalError } from '../errors.ts';
import type { SharedUploads } from '../files/files.ts';
import { refuse } from '../limits/refuse.ts';
import { limits } from '../limits/table.ts';

/**
 * Data files that administrators send, before datasets are made of them: one folder for each below
 * `{organization}/.uploads/` with the file and its columns as Parquet.
 */
interface UploadPlace {
  /** The dataset folder. */
  root: string;
  organizationId: string;
  /** Uploads of all instances. Default: those of this one are all. */
  shared?: SharedUploads | undefined;
}

const uploads = '.uploads';

/** How long an uploaded file is kept before it becomes a dataset. */
const keepMs = 3_600_000;

const folderOf = ({ root, organizationId }: UploadPlace, id = '') =>
  path.join(root, organizationId, uploads, id);

/**
 * Writes a file to a folder of its own, as it arrives.
 *
 * @throws `body_too_large`; `invalid_request` for another kind of file; `overloaded`
 */
export async function storeUpload(
  place: UploadPlace,
  fileName: string,
  content: AsyncIterable<Uint8Array>,
): Promise<{ id: string; folder: string; name: string }> {
  const name = cleanName(fileName);
  const id = randomUUID();
  const folder = folderOf(place, id);
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    // Counts this one, so that simultaneous uploads see each other.
    await removeOld(place);
    const file = createWriteStream(path.join(folder, name), { flags: 'wx', mode: 0o600 });
    await pipeline(limitBytes(content), file);
    if (file.bytesWritten === 0)
      throw new PortalError('invalid_request', 'The file is empty. Choose another one.');
  } catch (error) {
    await fs.rm(folder, { recursive: true, force: true });
    throw error;
  }
  return { id, folder, name };
}

async function* limitBytes(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > maxUploadBytes)
      throw new PortalError(
        'body_too_large',
        `The file is larger than ${maxUploadBytes / 1024 / 1024} MB. Split it, or put it into the data folder and apply a content folder.`,
      );
    yield chunk;
  }
}

/**
 * Finds a file that was sent.
 *
 * @param id a UUID
 * @throws `not_found` if a dataset was made of it, or an hour has passed
 */
export async function findUpload(
  place: UploadPlace,
  id: string,
): Promise<{ folder: string; name: string }> {
  const folder = folderOf(place, id);
  const name = place.shared
    ? await place.shared.find(id, folder)
    : (await listFolder(folder)).find((each) => each !== convertedName);
  if (name !== undefined) return { folder, name };
  throw new PortalError('not_found', 'The uploaded file has expired. Upload it again.');
}

/** Lists the names in a folder; empty if the folder does not exist. */
export const listFolder = (folder: string): Promise<string[]> =>
  fs.readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (isMissing(error)) return [];
    throw error;
  });

/** The file's rows as Parquet, beside it. */
export const convertedName = '.converted.parquet';

export const pathOfConverted = (id: string) => `${uploads}/${id}/${convertedName}`;

export async function removeUpload(place: UploadPlace, id: string): Promise<void> {
  await place.shared?.remove(id);
  await removeLocal(place, id);
}

const removeLocal = (place: UploadPlace, id: string): Promise<void> =>
  fs.rm(folderOf(place, id), { recursive: true, force: true });

async function removeOld(place: UploadPlace): Promise<void> {
  const waiting = new Set(await place.shared?.list());
  for (const id of await listFolder(folderOf(place))) {
    const { mtimeMs } = await fs.stat(folderOf(place, id)).catch(() => ({ mtimeMs: 0 }));
    if (mtimeMs < Date.now() - keepMs) await removeLocal(place, id);
    else waiting.add(id);
  }
  if (waiting.size <= limits.uploads.max) return;
  throw refuse(limits.uploads, 'Too many uploaded files are waiting.', {
    advice: 'Create datasets from them, or try again in an hour.',
  });
}

/** The name of a file, without folders and characters that a pattern or a path would read. */
function cleanName(given: string): string {
  const last = given.split(/[\\/]/).at(-1) ?? '';
  if (/\.(xlsb|xls|ods)$/i.test(last))
    throw new PortalError(
      'invalid_request',
      'This kind of workbook is not supported. Save it as .xlsx, or save its sheet as CSV, and choose that file.',
    );
  const [, stem = '', extension = ''] = /^(.*)\.(csv|tsv|txt|xlsx|xlsm|parquet)$/i.exec(last) ?? [];
  if (extension === '')
    throw new PortalError(
      'invalid_request',
      'This type of file is not supported. Choose a file whose name ends in .csv, .tsv, .txt, .xlsx, .xlsm or .parquet.',
    );
  const name = stem
    .normalize('NFC')
    .replace(/[^\p{L}\p{N} ._-]+/gu, '-')
    .replace(/^[. -]+/, '')
    .trim()
    .slice(0, 100);
  // A letter can have four bytes, and folders take names of 255. The last letter may be cut.
  const short = Buffer.from(name)
    .subarray(0, 200)
    .toString()
    .replace(/\uFFFD+$/, '');
  return `${short || 'data'}.${extension.toLowerCase()}`;
}
