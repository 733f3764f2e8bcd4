import {
  csvSchema,
  isWorkbook,
  xlsxSchema,
  type Dataset,
  type FieldOptions,
  type FieldType,
  type FileDatasetSource,
  type FileQuestion,
} from '@portal-embed/report-model';

import { FileError } from '../files/data-file.ts';
import type { FileColumn, FileHint, FileProblems } from '../files/tasks.ts';
import { DataFileError } from '../storage/data-file-error.ts';
import { FileTooLargeError, type Originals } from '../storage/files.ts';
import { folderOriginals } from '../storage/folder-originals.ts';
import { describeUnified, listLacking, unifyColumns, type FileColumns } from './unify-columns.ts';
import {
  storeVersion,
  type Conversion,
  type StoredVersion,
  type VersionPlace,
} from './versions.ts';

/** A dataset's source as it is stored. */
export interface StoredSource {
  /** Paths below the organization's folder. */
  files: string[];
  columns: FileColumn[];
  /** Likely mistakes, each with advice. */
  hints: string[];
  /** Columns that are probably read in the wrong type. Their messages are among the hints. */
  likely?: FileHint[];
  /** Columns that a file lacks and others have, by its name. Absent: none. */
  lacking?: ReadonlyMap<string, readonly string[]>;
  /** What its files leave open. */
  questions?: FileQuestion[];
  /** Files to copy from the author's folder, by their names in the organization's folder. */
  copies: Map<string, string>;
}

/** Where an organization's files are, and those of the content folder that is applied. */
export interface DataPlace extends VersionPlace {
  /** The `data/` folder of a content folder. It is searched before the organization's folder. */
  dataFolder?: string | undefined;
  /** Files that are searched instead of those of the organization. */
  originals?: Originals | undefined;
}

/** Columns of a dataset that was applied before with the same options. */
export type KeptColumns = readonly Pick<FileColumn, 'name' | 'type'>[];

/**
 * Finds the files of a dataset, and stores a version of each as Parquet.
 *
 * @param kept columns that keep their type, though a new release could read more of their values.
 *   Default: none
 * @throws DataFileError
 */
export async function storeSource(
  place: DataPlace,
  dataset: Pick<Dataset, 'fields'> & { source: FileDatasetSource },
  { kept = [], signal }: { kept?: KeptColumns | undefined; signal?: AbortSignal | undefined } = {},
): Promise<StoredSource> {
  const { source } = dataset;
  const fields = listOptions(dataset.fields);
  const { names, originals, isAuthors } = await findFiles(place, source);
  const isOneOfMany = 'files' in source;
  const store = async (name: string, widened?: Record<string, FieldType>) => {
    const conversion = optionsOf(name, source);
    const file = await originals.find(name);
    if (!file) return undefined;
    const options = conversion && {
      ...conversion,
      fields,
      ...(isOneOfMany && { isOneOfMany }),
      ...(widened && { widened }),
    };
    const version = await storeKept(place, file.path, options, kept, signal)
      .catch((error: unknown) => {
        if (error instanceof FileError) throw nameFile(name, error.found);
        if (error instanceof FileTooLargeError)
          throw new DataFileError(`${name}: ${error.message}`);
        throw error;
      })
      .finally(file.release);
    return { ...version, name, path: file.path, isConverted: conversion !== undefined };
  };
  let described: StoredFile[] = [];
  // One at a time: the files of a large dataset may not fit on the disk together.
  for (const name of names) {
    const stored = await store(name);
    if (stored) described.push(stored);
  }
  const first = described;
  let { columns, widened } = unifyColumns(described, false);
  for (const isFinal of [true, true]) {
    if (widened.size > 0) described = await widenFiles(described, widened, store);
    ({ columns, widened } = unifyColumns(described, isFinal));
  }
  const likely = described.flatMap(({ name, hints }) =>
    hints.map((hint) => ({ ...hint, message: `${name}: ${hint.message}` })),
  );
  return {
    files: described.map(({ file }) => file),
    columns,
    hints: [...likely.map(({ message }) => message), ...describeUnified(first, columns)],
    likely: likely.filter((hint) => hint.likely !== undefined),
    lacking: listLacking(first, columns),
    // A file whose columns got the types of others has no questions about them.
    questions: first.flatMap(({ name, questions }) =>
      questions.map((question) => ({ file: name, ...question })),
    ),
    copies: new Map(isAuthors ? described.map(({ name, path }) => [name, path]) : []),
  };
}

/** How a file is converted; `undefined` for Parquet. */
function optionsOf(name: string, { csv, xlsx }: FileDatasetSource) {
  if (isParquet(name)) return undefined;
  return isWorkbook(name)
    ? { xlsx: xlsxSchema.parse(xlsx ?? {}) }
    : { csv: csvSchema.parse(csv ?? {}) };
}

type StoredFile = StoredVersion & FileColumns & { path: string };

/** Converts files again, some of whose columns must have other types. */
async function widenFiles(
  described: readonly StoredFile[],
  widened: ReadonlyMap<number, Record<string, FieldType>>,
  store: (name: string, types: Record<string, FieldType>) => Promise<StoredFile | undefined>,
): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for (const [index, file] of described.entries()) {
    const types = widened.get(index);
    const stored = types ? await store(file.name, types) : file;
    if (stored) files.push(stored);
  }
  return files;
}

/** What fields say about the columns of a file. */
const listOptions = (fields: Dataset['fields']): Record<string, FieldOptions> =>
  Object.fromEntries(
    fields.flatMap(({ name, expression, type, date, yearsFrom, format }) => {
      const options = {
        ...(type !== undefined && { type }),
        ...(date !== undefined && { date }),
        ...(yearsFrom !== undefined && { yearsFrom }),
        ...(format && { format }),
      };
      return expression === undefined && Object.keys(options).length > 0 ? [[name, options]] : [];
    }),
  );

/** Stores a version in which the columns keep their types. */
async function storeKept(
  place: VersionPlace,
  file: string,
  options: Conversion | undefined,
  kept: KeptColumns,
  signal: AbortSignal | undefined,
): Promise<StoredVersion> {
  const version = await storeVersion(place, file, options, signal);
  const types = new Map(kept.map(({ name, type }) => [name, type]));
  const changed = version.columns.filter(
    ({ name, type, since }) => since !== undefined && (types.get(name) ?? type) !== type,
  );
  if (!options || changed.length === 0) return version;
  const names = changed.map(({ name }) => name);
  return storeVersion(place, file, { ...options, kept: names }, signal);
}

const nameFile = (name: string, { problems, ...rest }: FileProblems): DataFileError =>
  new DataFileError({
    ...rest,
    problems: problems.map((problem) => ({ ...problem, message: `${name}: ${problem.message}` })),
  });

/** Returns the matching files of the author's folder or, if it has none, of the organization. */
async function findFiles(
  { files, dataFolder, originals: known = files.originals }: DataPlace,
  source: FileDatasetSource,
): Promise<{ names: string[]; originals: Originals; isAuthors: boolean }> {
  const pattern = 'file' in source ? source.file : source.files;
  const refusal = describePath(pattern, 'files' in source);
  if (refusal !== undefined) throw new DataFileError(refusal);
  const authors = dataFolder === undefined ? undefined : folderOriginals(dataFolder);
  for (const originals of authors ? [authors, known] : [known]) {
    const names = await listNames(originals, source);
    if (names.length > 0) return { names, originals, isAuthors: originals === authors };
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

async function listNames(originals: Originals, source: FileDatasetSource): Promise<string[]> {
  if ('files' in source) return originals.list(source.files);
  const found = await originals.find(source.file);
  found?.release();
  return found ? [source.file] : [];
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
