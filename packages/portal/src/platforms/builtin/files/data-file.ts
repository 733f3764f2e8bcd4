import { fork, type ChildProcess } from 'node:child_process';
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

/** How long a process waits for another file. Then it ends, which gives its memory back. */
const idleMs = 2_000;

/** A process that waits. Starting one takes longer than reading most files. */
let idle: { child: ChildProcess; timer: NodeJS.Timeout } | undefined;

/** Runs DuckDB in a separate process, so that a broken file cannot crash the portal. */
async function runInChild(task: FileTask, signal: AbortSignal | undefined): Promise<DescribedFile> {
  signal?.throwIfAborted();
  const child = takeProcess();
  const abort = () => void end(child);
  signal?.addEventListener('abort', abort);
  try {
    const answer = await ask(child, task);
    signal?.throwIfAborted();
    if (!answer) throw new FileError({ problems: [{ message: ended }] });
    if ('described' in answer) return answer.described;
    throw new FileError(answer);
  } finally {
    signal?.removeEventListener('abort', abort);
    await (signal?.aborted ? end(child) : release(child));
  }
}

/** Resolves with `undefined` if the process ends before it answers. */
const ask = (child: ChildProcess, task: FileTask): Promise<FileAnswer | undefined> =>
  new Promise((resolve) => {
    const settle = (answer?: FileAnswer) => {
      child.off('message', settle).off('exit', onEnd).off('error', onEnd);
      resolve(answer);
    };
    const onEnd = () => settle();
    child.once('message', settle).once('exit', onEnd).once('error', onEnd);
    child.send(task);
  });

const hasEnded = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid === undefined || exitCode !== null || signalCode !== null;

const canRead = (child: ChildProcess): boolean => child.connected && !hasEnded(child);

function takeProcess(): ChildProcess {
  const waiting = idle;
  idle = undefined;
  clearTimeout(waiting?.timer);
  if (!waiting || !canRead(waiting.child)) return startProcess();
  const { child } = waiting;
  child.ref();
  child.channel?.ref();
  return child;
}

function startProcess(): ChildProcess {
  const { PATH, LD_LIBRARY_PATH, NODE_OPTIONS } = process.env;
  const child = fork(program, [], {
    env: { PATH, LD_LIBRARY_PATH, NODE_OPTIONS },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // A second error, such as that of a lost message, has no other listener.
  return child.on('error', () => {});
}

/** Lets the process wait for another file, without keeping the portal from ending. */
async function release(child: ChildProcess): Promise<void> {
  if ((idle && canRead(idle.child)) || !canRead(child)) return end(child);
  clearTimeout(idle?.timer);
  child.unref();
  child.channel?.unref();
  const timer = setTimeout(() => {
    idle = undefined;
    void end(child);
  }, idleMs);
  idle = { child, timer: timer.unref() };
}

/** Resolves once the process has ended and given its memory back. SIGKILL loses nothing. */
async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
