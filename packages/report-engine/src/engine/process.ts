/**
 * An engine process: runs queries with DuckDB, one at a time. A crash ends this process and its
 * query; the portal starts another one.
 */
import fs, { type FileHandle } from 'node:fs/promises';

import {
  DuckDBInstance,
  listValue,
  StatementType,
  type DuckDBConnection,
  type DuckDBResult,
} from '@duckdb/node-api';

import type {
  Answer,
  Command,
  DatasetFiles,
  ProcessLimits,
  Query,
  QueryResult,
  Row,
} from './messages.ts';

const limits = JSON.parse(process.argv[2] ?? '') as ProcessLimits;

const interruptMs = 10;

interface OpenDataset {
  version: string;
  files: readonly FileHandle[];
  connection: DuckDBConnection;
  close: () => Promise<void>;
}

let dataset: OpenDataset | undefined;
let connection: DuckDBConnection | undefined;
/** Repeats an interrupt, since DuckDB ignores one that arrives before the query has begun. */
let interrupting: NodeJS.Timeout | undefined;
let isRunning = false;

/**
 * DuckDB gets the open files and not their names, in which characters such as `*` have a meaning. Each
 * dataset has its own instance, which can read no other file.
 */
async function openDataset({ paths, version }: DatasetFiles): Promise<DuckDBConnection> {
  if (dataset?.version === version && (await areLinked(dataset.files))) return dataset.connection;
  await closeDataset();
  const files = await openAll(paths);
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(limits.threads),
    memory_limit: `${limits.memoryMb}MiB`,
    // Without a temporary directory, a query over the memory limit fails and writes no file.
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  connection = await instance.connect();
  const opened = connection;
  const close = async () => {
    opened.closeSync();
    instance.closeSync();
    await closeAll(files);
  };
  dataset = { version, files, connection: opened, close };
  const names = files.map(({ fd }) => `'/dev/fd/${fd}'`).join(', ');
  // The order matters: once external access is off, the allowed paths are final.
  await opened.run(`SET allowed_paths = [${names}]`);
  await opened.run('SET enable_external_access = false');
  await opened.run('SET lock_configuration = true');
  await opened.run(`CREATE VIEW dataset AS SELECT * FROM ${readFiles(names, files.length)}`);
  return opened;
}

/** The columns of several files have the same names, perhaps not all of them, and not the same places. */
const readFiles = (names: string, count: number): string =>
  `read_parquet([${names}]${count > 1 ? ', union_by_name = true' : ''})`;

/** Whether the files were not removed. Those that a cache removed are there again, as other files. */
async function areLinked(files: readonly FileHandle[]): Promise<boolean> {
  const stats = await Promise.all(files.map((file) => file.stat()));
  return stats.every(({ nlink }) => nlink > 0);
}

async function openAll(paths: readonly string[]): Promise<FileHandle[]> {
  const files: FileHandle[] = [];
  try {
    for (const path of paths) files.push(await fs.open(path, 'r'));
    return files;
  } catch (error) {
    await closeAll(files);
    throw error;
  }
}

const closeAll = (files: readonly FileHandle[]) => Promise.all(files.map((file) => file.close()));

async function closeDataset(): Promise<void> {
  const closing = dataset;
  dataset = undefined;
  connection = undefined;
  await closing?.close();
}

async function runQuery({ dataset: file, text, values }: Query): Promise<QueryResult> {
  const opened = await openDataset(file);
  const statement = await opened.prepare(text);
  try {
    if (statement.statementType !== StatementType.SELECT)
      throw new Error('The engine runs SELECT statements only.');
    for (const [index, value] of values.entries()) {
      if (typeof value === 'string') statement.bindVarchar(index + 1, value);
      else statement.bindList(index + 1, listValue([...value]));
    }
    const result = await statement.run();
    const names = result.columnNames();
    return {
      columns: result.columnTypes().map((type, index) => ({
        name: names[index] ?? '',
        type: type.toString(),
      })),
      rows: await readRows(result),
    };
  } finally {
    statement.destroySync();
  }
}

/** A larger result would block the portal while it reads the message. */
const maxCharacters = 4_000_000;

async function readRows(result: DuckDBResult): Promise<Row[]> {
  const rows: Row[] = [];
  let characters = 0;
  for await (const chunk of result.yieldRowObjectJson()) {
    for (const row of chunk as Row[]) {
      for (const cell of Object.values(row))
        characters += typeof cell === 'string' ? cell.length : 1;
      if (characters > maxCharacters)
        throw new Error(`Out of Memory Error: The result has over ${maxCharacters} characters.`);
      rows.push(row);
    }
  }
  return rows;
}

async function answerQuery(query: Query): Promise<Answer> {
  try {
    return { result: await runQuery(query) };
  } catch (error) {
    // Some errors make an instance unusable.
    await closeDataset();
    const message = error instanceof Error ? error.message : String(error);
    const isOutOfMemory = message.startsWith('Out of Memory Error');
    return { failed: isOutOfMemory ? 'out_of_memory' : 'failed', message };
  }
}

async function handleQuery(query: Query): Promise<void> {
  isRunning = true;
  const answer = await answerQuery(query);
  isRunning = false;
  clearInterval(interrupting);
  interrupting = undefined;
  process.send?.(answer);
}

process.on('message', (command: Command) => {
  if (command !== 'interrupt') void handleQuery(command);
  else if (isRunning) interrupting ??= setInterval(() => connection?.interrupt(), interruptMs);
});

// Terminals and supervisors also signal this process, but the portal needs it to finish requests.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
// The portal has exited. An orderly exit would wait for the threads of a running query.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));

// When memory runs out, Linux kills this process before the portal.
await fs.writeFile('/proc/self/oom_score_adj', '500').catch(() => {});
