import path from 'node:path';
import { fileURLToPath } from 'node:url';

import type { CsvOptions, Dataset } from '@portal-embed/report-model';

import { HelperProcesses, ProcessEndedError } from '#server-kit';

import type {
  ConvertTask,
  DescribedFile,
  DescribeTask,
  FileAnswer,
  FileProblems,
  FileTask,
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

const ended = 'the process that reads the file ended unexpectedly; try again';

/** Files of one organization usually follow each other. */
const processes = new HelperProcesses<FileTask, FileAnswer>({
  program,
  maxIdle: 1,
  idleMs: 2_000,
});

/** Runs DuckDB in a separate process, so that a broken file cannot crash the portal. */
async function runInChild(task: FileTask, signal: AbortSignal | undefined) {
  const answer = await processes.run(task, signal).catch((error: unknown) => {
    if (error instanceof ProcessEndedError) return { problems: [{ message: ended }] };
    throw error;
  });
  if ('problems' in answer) throw new FileError(answer);
  return answer;
}

async function describe(
  task: DescribeTask | ConvertTask,
  signal: AbortSignal | undefined,
): Promise<DescribedFile> {
  const answer = await runInChild(task, signal);
  if ('described' in answer) return answer.described;
  throw new Error('The process answered another task.');
}
