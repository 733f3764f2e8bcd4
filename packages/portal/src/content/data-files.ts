import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';

import {
  csvSchema,
  type CsvOptions,
  type Dataset,
  type FieldType,
} from '@portal-embed/report-model';

import { convertCsv, describeParquet, FileError } from '../platforms/builtin/files/data-file.ts';
import type { DescribedFile, FileColumn } from '../platforms/builtin/files/tasks.ts';
import { compilePattern } from './file-pattern.ts';

/**
 * An organization's data files. Below the dataset folder, `{organization}/NAME` is a file as its author
 * named it, and `{organization}/.versions/HASH.parquet` is what queries read. A version never changes.
 */

/** A dataset's source as it is stored. */
export interface StoredSource {
  /** Paths below the organization's folder. */
  files: string[];
  columns: FileColumn[];
  /** Likely mistakes, each with advice. */
  hints: string[];
  /** Files to copy from the author's folder, by their names in the organization's folder. */
  copies: Map<string, string>;
}

/** A data file is missing, has a wrong name, or cannot be read. The message is for the author. */
export class DataFileError extends Error {
  override name = 'DataFileError';
}

const versions = '.versions';

/** How long an unused version is kept. A running query may still open it. */
const keepMs = 3_600_000;

const maxMatches = 1_000;

interface Place {
  /** The dataset folder. */
  root: string;
  organizationId: string;
  /** The `data/` folder of a content folder. It is searched before the organization's folder. */
  dataFolder?: string | undefined;
}

/**
 * Finds the files of a dataset, and stores a version of each as Parquet.
 *
 * @throws DataFileError
 */
export async function storeSource(
  place: Place,
  dataset: Pick<Dataset, 'source' | 'fields'>,
  signal?: AbortSignal,
): Promise<StoredSource> {
  const { source } = dataset;
  const types = Object.fromEntries(
    dataset.fields.flatMap(({ name, type, expression }) =>
      type !== undefined && expression === undefined ? [[name, type]] : [],
    ),
  );
  const { found, isAuthors } = await findFiles(place, source);
  const described: (DescribedFile & { name: string; file: string })[] = [];
  for (const [name, file] of found) {
    const csv = isParquet(name) ? undefined : csvSchema.parse(source.csv ?? {});
    const version = await storeVersion(place, file, csv && { csv, types }, signal).catch(
      (error: unknown) => {
        if (error instanceof FileError) throw new DataFileError(`${name}: ${error.message}`);
        throw error;
      },
    );
    described.push({ ...version, name });
    requireSameColumns(name, described);
  }
  return {
    files: described.map(({ file }) => file),
    columns: described[0]?.columns ?? [],
    hints: described.flatMap(({ name, hints }) =>
      hints.map(({ message }) => `${name}: ${message}`),
    ),
    copies: isAuthors ? found : new Map(),
  };
}

const describeColumns = (file: DescribedFile | undefined) =>
  file?.columns.map(({ name, type }) => `${name} (${type})`).join(', ');

function requireSameColumns(name: string, described: readonly DescribedFile[]): void {
  const [first, last] = [described[0], described.at(-1)].map((file) => describeColumns(file));
  if (first === last) return;
  throw new DataFileError(
    `the columns of ${name} differ from those of the first file: ${last} instead of ${first}; use files with the same columns`,
  );
}

/** Copies the author's files into the organization's folder, for later applies over the API. */
export async function installCopies(
  { root, organizationId }: Place,
  copies: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [name, file] of copies) {
    const target = path.join(root, organizationId, name);
    await fs.mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    const temporary = path.join(root, organizationId, versions, `${randomUUID()}.tmp`);
    await fs.copyFile(file, temporary, fs.constants.COPYFILE_FICLONE);
    await fs.rename(temporary, target);
  }
}

/** Removes the data files of a deleted organization. */
export const removeData = (root: string, organizationId: string): Promise<void> =>
  fs.rm(path.join(root, organizationId), { recursive: true, force: true });

/** Removes versions that no dataset has used for an hour. */
export async function removeOldVersions(
  { root, organizationId }: Place,
  named: ReadonlySet<string>,
): Promise<void> {
  const folder = path.join(root, organizationId, versions);
  for (const name of await fs.readdir(folder).catch(() => [])) {
    const file = path.join(folder, name);
    // The description's mtime is the last use. The version's own mtime is part of cache keys.
    const { mtimeMs } = await fs
      .stat(describedBy(file))
      .catch(() => fs.stat(file))
      .catch(() => ({ mtimeMs: Infinity }));
    // The hour begins with the last apply that uses the version.
    if (named.has(`${versions}/${name}`)) await touch(describedBy(file));
    else if (
      !named.has(`${versions}/${name.replace(/\.json$/, '.parquet')}`) &&
      mtimeMs < Date.now() - keepMs
    )
      await fs.rm(file, { force: true });
  }
}

/** The path of a version's description, which has its columns and hints. */
const describedBy = (version: string) => version.replace(/\.parquet$/, '.json');

const touch = async (file: string): Promise<void> => {
  const now = new Date();
  await fs.utimes(file, now, now).catch(() => {});
};

/** Returns the matching files of the author's folder or, if it has none, of the organization's folder. */
async function findFiles(
  { root, organizationId, dataFolder }: Place,
  source: Dataset['source'],
): Promise<{ found: Map<string, string>; isAuthors: boolean }> {
  const pattern = 'file' in source ? source.file : source.files;
  const refusal = describePath(pattern);
  if (refusal !== undefined) throw new DataFileError(refusal);
  const folders = [
    ...(dataFolder === undefined ? [] : [dataFolder]),
    path.join(root, organizationId),
  ];
  for (const folder of folders) {
    const names = 'file' in source ? [pattern] : await listMatches(folder, pattern);
    const found = new Map<string, string>();
    for (const name of names) {
      const file = await resolveInside(folder, name);
      if (file !== undefined) found.set(name, file);
    }
    if (found.size > 0) return { found, isAuthors: folder === dataFolder };
  }
  const places = dataFolder === undefined ? "the organization's data folder" : 'data/';
  throw new DataFileError(
    'file' in source
      ? `the file ${pattern} does not exist in ${places}; check its name, or copy it there`
      : `no file in ${places} matches ${pattern}; check the pattern`,
  );
}

/** Checks the rules for a path that the dataset's schema does not check. */
function describePath(name: string): string | undefined {
  if (name.split('/').some((part) => part.startsWith('.')))
    return 'a part of the path begins with a dot; rename it';
  if (/[[\]{}]/.test(name))
    return 'a pattern can contain only the wildcards * and ?; remove the brackets';
  return undefined;
}

const isParquet = (name: string) => /\.parquet$/i.test(name);

/** Returns the real path of a regular file. Refuses links to files outside the folder. */
async function resolveInside(folder: string, name: string): Promise<string | undefined> {
  let real: string;
  let realFolder: string;
  try {
    realFolder = await fs.realpath(folder);
    real = await fs.realpath(path.join(folder, name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new DataFileError(`${name} cannot be read (${code}); check its permissions`);
  }
  if (!real.startsWith(`${realFolder}${path.sep}`))
    throw new DataFileError(
      `${name} is a link to a file outside the data folder; copy the file into it`,
    );
  if (!(await fs.stat(real)).isFile())
    throw new DataFileError(`${name} is not a regular file; write the name of one`);
  return real;
}

/** Lists the files that match a pattern. `*` and `?` do not match `/`. */
async function listMatches(folder: string, pattern: string): Promise<string[]> {
  let names = [''];
  for (const part of pattern.split('/')) {
    const expression = compilePattern(part);
    const next: string[] = [];
    for (const name of names) {
      const entries = await fs.readdir(path.join(folder, name)).catch(() => []);
      for (const entry of entries)
        if (!entry.startsWith('.') && expression.test(entry))
          next.push(name === '' ? entry : `${name}/${entry}`);
    }
    names = next;
  }
  if (names.length > maxMatches)
    throw new DataFileError(`more than ${maxMatches} files match ${pattern}; combine some of them`);
  return names.toSorted();
}

/** Stores the file under a hash of its bytes and options, unless that version exists. */
async function storeVersion(
  { root, organizationId }: Place,
  file: string,
  /** Only for a CSV file. */
  options: { csv: CsvOptions; types: Record<string, FieldType> } | undefined,
  signal: AbortSignal | undefined,
): Promise<DescribedFile & { file: string }> {
  const folder = path.join(root, organizationId, versions);
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  const hash = await hashFile(file, options ? JSON.stringify([conversion, options]) : '');
  const target = path.join(folder, `${hash}.parquet`);
  const description = describedBy(target);
  const stored = `${versions}/${hash}.parquet`;
  const known = await fs.readFile(description, 'utf8').catch(() => undefined);
  if (known !== undefined) {
    await touch(description);
    return { file: stored, ...(JSON.parse(known) as DescribedFile) };
  }
  const temporary = path.join(folder, `${randomUUID()}.tmp`);
  try {
    let described: DescribedFile;
    if (options) described = await convertCsv(file, options, temporary, signal);
    else {
      await fs.copyFile(file, temporary, fs.constants.COPYFILE_FICLONE);
      described = await describeParquet(temporary, signal);
    }
    await sync(temporary);
    await fs.rename(temporary, target);
    await fs.writeFile(temporary, JSON.stringify(described), { mode: 0o600 });
    await sync(temporary);
    // The description is written last: without it, a version is incomplete.
    await fs.rename(temporary, description);
    await sync(folder);
    return { file: stored, ...described };
  } finally {
    await fs.rm(temporary, { force: true });
  }
}

/** Increase it when the conversion changes, so that files are converted again. */
const conversion = 1;

/** Flushes a file, or the entries of a folder, to the disk. */
async function sync(name: string): Promise<void> {
  const handle = await fs.open(name, 'r');
  await handle.sync();
  await handle.close();
}

async function hashFile(file: string, options: string): Promise<string> {
  const hash = createHash('sha256').update(options);
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex').slice(0, 40);
}
