import { AsyncLocalStorage } from 'node:async_hooks';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import type { CsvOptions, Dataset, FieldOptions, XlsxOptions } from '@portal-embed/report-model';

import { HelperProcesses, ProcessEndedError } from '#server-kit';

import type {
  ConvertSheetTask,
  ConvertTask,
  DataSummary,
  DescribedFile,
  DescribeTask,
  FileAnswer,
  FileProblems,
  FileProgress,
  FileTask,
  FindKeysTask,
  SummarizeTask,
  InspectedFile,
} from './tasks.ts';

/** The program next to this file: TypeScript from sources, JavaScript when built. */
const program = fileURLToPath(
  new URL(`file-process${path.extname(import.meta.url)}`, import.meta.url),
);

/** A data file cannot be read. The message says what to change. */
export class FileError extends Error {
  override name = 'FileError';
  readonly found: FileProblems;

  constructor(found: FileProblems) {
    super(found.problems.map(({ message }) => message).join('; '));
    this.found = found;
  }
}

/**
 * Converts a CSV file to a new Parquet file. Every value is read before types are decided.
 *
 * @param options.fields what the dataset declares. Other types are inferred from the values
 * @param options.kept columns that stay text unless an earlier release reads them. Default: none
 * @throws FileError if the file does not fit the options
 */
export const convertCsv = (
  source: string,
  options: Omit<ConvertTask, 'kind' | 'source' | 'target' | 'fields' | 'kept'> &
    Partial<Pick<ConvertTask, 'fields' | 'kept'>>,
  target: string,
  signal?: AbortSignal,
): Promise<DescribedFile> =>
  describe({ fields: {}, kept: [], ...options, kind: 'convert', source, target }, signal);

/**
 * Finds how a CSV file is to be read, from all of its bytes.
 *
 * @param csv what the author has chosen
 * @throws FileError if the file is not CSV
 */
export async function inspectCsv(
  source: string,
  csv: Partial<CsvOptions>,
  signal?: AbortSignal,
): Promise<InspectedFile> {
  const answer = await runInChild({ kind: 'inspect', source, csv }, signal);
  if ('inspected' in answer) return answer.inspected;
  throw new Error('The process answered another task.');
}

/**
 * Converts a sheet of a workbook to a new Parquet file.
 *
 * @param options.fields and `kept` as `convertCsv`
 * @param options.isDraft whether options that are missing are chosen or asked for. Default: `false`
 * @throws FileError as `convertCsv`
 */
export const convertSheet = (
  source: string,
  options: {
    xlsx: XlsxOptions;
    fields?: Readonly<Record<string, FieldOptions>>;
    kept?: readonly string[];
    isDraft?: boolean;
  },
  target: string,
  signal?: AbortSignal,
): Promise<DescribedFile> => {
  const { xlsx, fields = {}, kept = [], isDraft = false } = options;
  return describe({ kind: 'convert-sheet', source, target, xlsx, fields, kept, isDraft }, signal);
};

/**
 * Reads the columns of a Parquet file.
 *
 * @throws FileError if the file is not Parquet, or has columns of unsupported types
 */
export const describeParquet = (source: string, signal?: AbortSignal): Promise<DescribedFile> =>
  describe({ kind: 'describe', source }, signal);

/**
 * Finds texts in the Parquet files of a dataset that are not values of the type that their field declares.
 *
 * @returns a sentence for the author for each field that has some
 * @throws FileError if the files cannot be read
 */
export async function findTexts(
  sources: readonly string[],
  definition: Dataset,
  signal?: AbortSignal,
): Promise<string[]> {
  const answer = await runInChild({ kind: 'check-texts', sources, definition }, signal);
  return 'findings' in answer ? answer.findings : [];
}

/**
 * Finds out whether the keys of the Parquet files of a dataset have a value of a user.
 *
 * @throws FileError if the files cannot be read
 */
export async function findKeys(
  sources: readonly string[],
  { definition, keys, texts }: Pick<FindKeysTask, 'definition' | 'keys' | 'texts'>,
  signal?: AbortSignal,
): Promise<boolean[]> {
  const task = { kind: 'find-keys', sources, definition, keys, texts } as const;
  const answer = await runInChild(task, signal);
  return 'matched' in answer ? answer.matched : [];
}

/**
 * Counts the rows of stored versions, and adds up their columns of numbers.
 *
 * @throws FileError if the files cannot be read
 */
export async function summarizeFiles(
  task: Omit<SummarizeTask, 'kind'>,
  signal?: AbortSignal,
): Promise<DataSummary> {
  const answer = await runInChild({ kind: 'summarize', ...task }, signal);
  if ('summary' in answer) return answer.summary;
  throw new Error('The process answered another task.');
}

const ended = 'the process that reads the file ended unexpectedly; try again';

/** Files of one organization usually follow each other. */
const processes = new HelperProcesses<FileTask, FileAnswer>({
  program,
  maxIdle: 1,
  idleMs: 2_000,
});

/** What a caller is told while files are read. */
export interface WatchedFile extends FileProgress {
  /** The name of the file on this machine. */
  file: string;
}

const watchers = new AsyncLocalStorage<(progress: WatchedFile) => void>();

/** Tells how far the files are that `work` reads, several times a second. Reading them is deep below. */
export const watchFiles = <Result>(
  onProgress: (progress: WatchedFile) => void,
  work: () => Promise<Result>,
): Promise<Result> => watchers.run(onProgress, work);

/** Runs DuckDB in a separate process, so that a broken file cannot crash the portal. */
async function runInChild(task: FileTask, signal: AbortSignal | undefined) {
  const watch = watchers.getStore();
  const [source = ''] = 'source' in task ? [task.source] : task.sources;
  const file = path.basename(source);
  const onProgress = (progress: FileProgress) => watch?.({ ...progress, file });
  const answer = await processes.run(task, signal, onProgress).catch((error: unknown) => {
    if (error instanceof ProcessEndedError) return { problems: [{ message: ended }] };
    throw error;
  });
  if ('problems' in answer) throw new FileError(answer);
  return answer;
}

async function describe(
  task: DescribeTask | ConvertTask | ConvertSheetTask,
  signal: AbortSignal | undefined,
): Promise<DescribedFile> {
  const answer = await runInChild(task, signal);
  if ('described' in answer) return answer.described;
  throw new Error('The process answered another task.');
}
