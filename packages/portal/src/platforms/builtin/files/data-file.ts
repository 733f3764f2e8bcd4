import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import type { CsvOptions, FieldType } from '@portal-embed/report-model';

import type { DescribedFile, FileAnswer, FileProblems, FileTask } from './tasks.ts';

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
 * @param options.types types that the dataset declares. Other types are inferred from the values
 * @throws FileError if the file does not fit the options
 */
export const convertCsv = (
  source: string,
  options: { csv: CsvOptions; types?: Readonly<Record<string, FieldType>> },
  target: string,
  signal?: AbortSignal,
): Promise<DescribedFile> =>
  runInChild(
    { kind: 'convert', source, target, csv: options.csv, types: options.types ?? {} },
    signal,
  );

/**
 * Reads the columns of a Parquet file.
 *
 * @throws FileError if the file is not Parquet, or has columns of unsupported types
 */
export const describeParquet = (source: string, signal?: AbortSignal): Promise<DescribedFile> =>
  runInChild({ kind: 'describe', source }, signal);

const ended = 'the process that reads the file ended unexpectedly; try again';

/** Runs DuckDB in a separate process, so that a broken file cannot crash the portal. */
async function runInChild(task: FileTask, signal: AbortSignal | undefined): Promise<DescribedFile> {
  signal?.throwIfAborted();
  const { PATH, LD_LIBRARY_PATH, NODE_OPTIONS } = process.env;
  const child = fork(program, [], {
    env: { PATH, LD_LIBRARY_PATH, NODE_OPTIONS },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const kill = () => child.kill('SIGKILL');
  const exited = new Promise<undefined>((resolve) => {
    child.once('exit', () => resolve(undefined));
    // A process that failed to start has no exit event.
    child.once('error', () => resolve(undefined));
  });
  signal?.addEventListener('abort', kill);
  try {
    child.send(task);
    const answer = await Promise.race([
      once(child, 'message').then(([message]) => message as FileAnswer),
      exited,
    ]);
    signal?.throwIfAborted();
    if (!answer) throw new FileError({ problems: [{ message: ended }] });
    if ('described' in answer) return answer.described;
    throw new FileError(answer);
  } finally {
    signal?.removeEventListener('abort', kill);
    kill();
    // The next process starts when this one has given its memory back.
    await exited;
  }
}
