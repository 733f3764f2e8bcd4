import fs from 'node:fs/promises';
import path from 'node:path';

import type { DuckDBInstance } from '@duckdb/node-api';

import type { Columns, Fragment } from './query.ts';
import { createTurns } from './turns.ts';

/** A query that takes longer is interrupted. */
const queryTimeoutMs = 30_000;

/** Queries at the same time; DuckDB spreads each of them over all cores by itself. */
const concurrency = 4;

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** A value as JSON has it: dates and 64-bit integers are text. */
export type Cell = string | number | boolean | null;
export type Row = Record<string, Cell>;

/** Reads the dataset files of one folder, and nothing else, with DuckDB in this process. */
export class DatasetReader {
  readonly #folder: string;
  readonly #columns = new Map<string, { version: string; columns: Columns }>();
  readonly #takeTurn = createTurns(concurrency);
  #instance: Promise<DuckDBInstance> | undefined;

  constructor(folder: string) {
    this.#folder = path.resolve(folder);
  }

  /**
   * The table expression of a dataset's file and the file's columns.
   *
   * @param owner whose turn reading them is
   */
  async open(owner: string, file: string): Promise<{ table: string; columns: Columns }> {
    const { real, version } = await this.#resolve(file);
    const reader = path.extname(file) === '.csv' ? 'read_csv' : 'read_parquet';
    const table = `${reader}(${literal(real)})`;
    const known = this.#columns.get(file);
    if (known?.version === version) return { table, columns: known.columns };
    const rows = await this.query(owner, { text: `DESCRIBE SELECT * FROM ${table}`, values: [] });
    const columns = new Map(
      rows.map((row) => [String(row['column_name']), String(row['column_type'])]),
    );
    this.#columns.set(file, { version, columns });
    return { table, columns };
  }

  /** Waits for a turn of its owner, then runs; stops wherever it is when `signal` aborts. */
  query(owner: string, fragment: Fragment, signal?: AbortSignal): Promise<Row[]> {
    return this.#takeTurn(owner, () => this.#run(fragment, signal));
  }

  async #run({ text, values }: Fragment, signal?: AbortSignal): Promise<Row[]> {
    signal?.throwIfAborted();
    this.#instance ??= this.#start();
    const instance = await this.#instance;
    const connection = await instance.connect();
    const interrupt = () => connection.interrupt();
    const timeout = setTimeout(interrupt, queryTimeoutMs);
    signal?.addEventListener('abort', interrupt);
    try {
      const result = await connection.runAndReadAll(text, values);
      return result.getRowObjectsJson() as Row[];
    } finally {
      clearTimeout(timeout);
      signal?.removeEventListener('abort', interrupt);
      connection.closeSync();
    }
  }

  async close(): Promise<void> {
    (await this.#instance)?.closeSync();
    this.#instance = undefined;
  }

  /** A file directly in the folder; a link put there by whoever runs the portal is followed. */
  async #resolve(file: string): Promise<{ real: string; version: string }> {
    if (path.basename(file) !== file || !/\.(parquet|csv)$/.test(file))
      throw new Error(`A dataset's file is a .parquet or .csv file in ${this.#folder}.`);
    const real = await fs.realpath(path.join(this.#folder, file));
    const { mtimeMs, size } = await fs.stat(real);
    return { real, version: `${real} ${mtimeMs} ${size}` };
  }

  async #start(): Promise<DuckDBInstance> {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const folder = await fs.realpath(this.#folder);
    const names = await fs.readdir(folder);
    const files = await Promise.all(names.map((name) => fs.realpath(path.join(folder, name))));
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    // In this order: once external access is off, what is allowed can no longer be changed.
    await connection.run(`SET allowed_directories = [${literal(folder + path.sep)}]`);
    await connection.run(`SET allowed_paths = [${files.map(literal).join(', ')}]`);
    await connection.run('SET enable_external_access = false');
    await connection.run('SET lock_configuration = true');
    connection.closeSync();
    return instance;
  }
}
