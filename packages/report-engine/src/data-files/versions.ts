import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';

import type {
  CsvOptions,
  Dataset,
  FieldOptions,
  FieldType,
  XlsxOptions,
} from '@portal-embed/report-model';

import {
  convertCsv,
  convertSheet,
  describeParquet,
  findKeys,
  findTexts,
  summarizeFiles,
} from '../files/data-file.ts';
import type { DataSummary, DescribedFile, SummarizeTask } from '../files/tasks.ts';
import { conversionTurns } from '../limits/limits.ts';
import { QueryTurns } from '../limits/turns.ts';
import {
  questionsOf,
  versions,
  type Description,
  type OrganizationFiles,
} from '../storage/files.ts';
import { copyFile, withLocalFiles } from '../storage/local-file.ts';

/** The files of an organization, whose conversions take turns. */
export interface VersionPlace {
  files: OrganizationFiles;
  organizationId: string;
}

/** Increase it when the conversion changes, so that files are converted again. */
const conversion = 3;

const turns = new QueryTurns(conversionTurns);

/** How a CSV file or workbook is converted. */
export type Conversion = {
  /** What its dataset declares, by column. */
  fields: Record<string, FieldOptions>;
  /** Columns that stay text unless an earlier conversion reads them. */
  kept?: readonly string[];
  /** Types of the same columns in other files. */
  widened?: Record<string, FieldType>;
  isOneOfMany?: boolean;
} & ({ csv: CsvOptions } | { xlsx: XlsxOptions });

/** What another conversion would change. A format matters only if it is there. */
const describeConversion = (options: Conversion): string =>
  JSON.stringify([conversion, options], (key, value: unknown) => (key === 'format' ? true : value));

export type StoredVersion = DescribedFile & {
  /** Path below the organization's folder. */
  file: string;
};

/**
 * Stores the file under a hash of its bytes and options, unless that version exists.
 *
 * @param options only for a CSV file or workbook
 * @throws FileError if the file cannot be read; `FileTooLargeError`; `ReportError` if too many
 *   conversions wait
 */
export async function storeVersion(
  { files, organizationId }: VersionPlace,
  file: string,
  options: Conversion | undefined,
  signal: AbortSignal = new AbortController().signal,
): Promise<StoredVersion> {
  const hash = await hashFile(file, options ? describeConversion(options) : '');
  const name = `${versions}/${hash}.parquet`;
  const described =
    (await files.find(name)) ??
    (await turns.run(
      { organizationId, userId: '' },
      signal,
      // Another request may have stored it in the meantime.
      async () =>
        (await files.find(name)) ?? (await writeVersion(files, name, file, options, signal)),
    ));
  // A version of a CSV file from before that has another hash, and a Parquet file has no questions.
  const questions = questionsOf(described) ?? [];
  return { file: name, columns: described.columns, hints: described.hints, questions };
}

/**
 * Finds texts in stored versions that are not values of the type that their field declares.
 *
 * @returns a sentence for the author for each field that has some
 * @throws FileError if a file cannot be read; `ReportError` if too many conversions wait
 */
export const checkVersions = (
  { files, organizationId }: VersionPlace,
  names: readonly string[],
  definition: Dataset,
  signal: AbortSignal = new AbortController().signal,
): Promise<string[]> =>
  turns.run({ organizationId, userId: '' }, signal, () =>
    withLocalFiles(files, names, (local) =>
      findTexts(
        local.map((file) => file.path),
        definition,
        signal,
      ),
    ),
  );

/**
 * Returns for each key of stored versions whether a row has a value of a user.
 *
 * @throws FileError if a file cannot be read; `ReportError` if too many conversions wait
 */
export const findVersionKeys = (
  { files, organizationId }: VersionPlace,
  names: readonly string[],
  wanted: Parameters<typeof findKeys>[1],
  signal: AbortSignal = new AbortController().signal,
): Promise<boolean[]> =>
  turns.run({ organizationId, userId: '' }, signal, () =>
    withLocalFiles(files, names, (local) =>
      findKeys(
        local.map((file) => file.path),
        wanted,
        signal,
      ),
    ),
  );

/**
 * Counts the rows of stored versions, and adds up their columns of numbers.
 *
 * @throws FileError if a file cannot be read; `ReportError` if it cannot be fetched, or too many
 *   conversions wait
 */
export const summarizeVersions = (
  { files, organizationId }: VersionPlace,
  names: readonly string[],
  task: Omit<SummarizeTask, 'kind' | 'sources'>,
  signal: AbortSignal = new AbortController().signal,
): Promise<DataSummary> =>
  turns.run({ organizationId, userId: '' }, signal, () =>
    withLocalFiles(files, names, (local) =>
      summarizeFiles({ ...task, sources: local.map((file) => file.path) }, signal),
    ),
  );

async function writeVersion(
  files: OrganizationFiles,
  name: string,
  file: string,
  options: Conversion | undefined,
  signal: AbortSignal,
): Promise<Description> {
  const temporary = await files.createTemporary();
  try {
    if (options)
      return await files.put(name, temporary, await convert(file, options, temporary, signal));
    await copyFile(file, temporary);
    return await files.put(name, temporary, await describeParquet(temporary, signal));
  } finally {
    await fs.rm(temporary, { force: true });
  }
}

const convert = (
  file: string,
  options: Conversion,
  target: string,
  signal: AbortSignal,
): Promise<DescribedFile> =>
  'xlsx' in options
    ? convertSheet(file, options, target, signal)
    : convertCsv(file, options, target, signal);

async function hashFile(file: string, options: string): Promise<string> {
  const hash = createHash('sha256').update(options);
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex').slice(0, 40);
}
