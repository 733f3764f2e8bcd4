import fs from 'node:fs/promises';
import path from 'node:path';

import {
  csvSchema,
  type Dataset,
  type FileDatasetSource,
  type NumberQuestion,
} from '@portal-embed/report-model';

import { isMissing } from '#server-kit';

import { FileError } from '../files/data-file.ts';
import type { FileColumn, FileHint, FileProblems } from '../files/tasks.ts';
import { compilePattern } from './file-pattern.ts';
import { storeVersion, type DataFolder, type StoredVersion } from './versions.ts';

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
  /** Columns that are probably read in the wrong type. Their messages are among the hints. */
  likely?: FileHint[];
  /** Numbers of its files that have two readings. */
  questions?: NumberQuestion[];
  /** Files to copy from the author's folder, by their names in the organization's folder. */
  copies: Map<string, string>;
}

/** A data file is missing, has a wrong name, or cannot be read. The messages are for the author. */
export class DataFileError extends Error {
  override name = 'DataFileError';
  readonly found: FileProblems;

  constructor(found: FileProblems | string) {
    super('A data file has mistakes.');
    this.found = typeof found === 'string' ? { problems: [{ message: found }] } : found;
  }
}

const maxMatches = 1_000;

/** Where an organization's files are, and those of the content folder that is applied. */
export interface DataPlace extends DataFolder {
  /** The `data/` folder of a content folder. It is searched before the organization's folder. */
  dataFolder?: string | undefined;
}

/**
 * Finds the files of a dataset, and stores a version of each as Parquet.
 *
 * @throws DataFileError
 */
export async function storeSource(
  place: DataPlace,
  dataset: Pick<Dataset, 'fields'> & { source: FileDatasetSource },
  signal?: AbortSignal,
): Promise<StoredSource> {
  const { source } = dataset;
  const types = Object.fromEntries(
    dataset.fields.flatMap(({ name, type, expression }) =>
      type !== undefined && expression === undefined ? [[name, type]] : [],
    ),
  );
  const { found, isAuthors } = await findFiles(place, source);
  const described: (StoredVersion & { name: string })[] = [];
  for (const [name, file] of found) {
    const csv = isParquet(name) ? undefined : csvSchema.parse(source.csv ?? {});
    const version = await storeVersion(place, file, csv && { csv, types }, signal).catch(
      (error: unknown) => {
        throw error instanceof FileError ? nameFile(name, error.found) : error;
      },
    );
    described.push({ ...version, name });
    requireSameColumns(name, described);
  }
  const likely = described.flatMap(({ name, hints }) =>
    hints.map((hint) => ({ ...hint, message: `${name}: ${hint.message}` })),
  );
  return {
    files: described.map(({ file }) => file),
    columns: described[0]?.columns ?? [],
    hints: likely.map(({ message }) => message),
    likely,
    questions: described.flatMap(({ name, readings }) =>
      readings.length > 0 ? [{ file: name, readings }] : [],
    ),
    copies: isAuthors ? found : new Map(),
  };
}

const nameFile = (name: string, { problems, ...rest }: FileProblems): DataFileError =>
  new DataFileError({
    ...rest,
    problems: problems.map((problem) => ({ ...problem, message: `${name}: ${problem.message}` })),
  });

const describeColumns = (file: StoredVersion | undefined) =>
  file?.columns.map(({ name, type }) => `${name} (${type})`).join(', ');

function requireSameColumns(name: string, described: readonly StoredVersion[]): void {
  const [first, last] = [described[0], described.at(-1)].map((file) => describeColumns(file));
  if (first === last) return;
  throw new DataFileError(
    `the columns of ${name} differ from those of the first file: ${last} instead of ${first}; use files with the same columns`,
  );
}

/** Removes the data files of a deleted organization. */
export const removeData = (root: string, organizationId: string): Promise<void> =>
  fs.rm(path.join(root, organizationId), { recursive: true, force: true });

/** Returns the matching files of the author's folder or, if it has none, of the organization's folder. */
async function findFiles(
  { root, organizationId, dataFolder }: DataPlace,
  source: FileDatasetSource,
): Promise<{ found: Map<string, string>; isAuthors: boolean }> {
  const pattern = 'file' in source ? source.file : source.files;
  const refusal = describePath(pattern, 'files' in source);
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
  if ('file' in source && /[*?]/.test(pattern))
    throw new DataFileError(
      'file takes one file, but this is a pattern; write files: instead of file:',
    );
  const places = dataFolder === undefined ? "the organization's data folder" : 'data/';
  throw new DataFileError(
    'file' in source
      ? `the file ${pattern} does not exist in ${places}; check its name, or copy it there`
      : `no file in ${places} matches ${pattern}; check the pattern`,
  );
}

/** Checks the rules for a path that the dataset's schema does not check. */
function describePath(name: string, isPattern: boolean): string | undefined {
  if (name.split('/').some((part) => part.startsWith('.')))
    return 'a part of the path begins with a dot; rename it';
  if (isPattern && /[[\]{}]/.test(name))
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
    await fs.access(real, fs.constants.R_OK);
  } catch (error) {
    if (isMissing(error)) return undefined;
    const { code } = error as NodeJS.ErrnoException;
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

/** Lists the names in a folder; empty if the folder does not exist. */
async function listEntries(folder: string, name: string): Promise<string[]> {
  try {
    return await fs.readdir(path.join(folder, name));
  } catch (error) {
    if (isMissing(error)) return [];
    const { code } = error as NodeJS.ErrnoException;
    throw new DataFileError(
      `${name === '' ? 'the data folder' : name} cannot be read (${code}); check its permissions`,
    );
  }
}

/** Lists the files that match a pattern. `*` and `?` do not match `/`. */
async function listMatches(folder: string, pattern: string): Promise<string[]> {
  let names = [''];
  for (const part of pattern.split('/')) {
    const expression = compilePattern(part);
    const next: string[] = [];
    for (const name of names) {
      const entries = await listEntries(folder, name);
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
