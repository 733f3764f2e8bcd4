import fs from 'node:fs/promises';
import path from 'node:path';

import type { FieldType } from '@portal-embed/report-model';

import { BoundedMap } from '../../../bounded-map.ts';
import type { QueryCache } from '../cache/query-cache.ts';
import type { ColumnType } from '../emit/dialect.ts';
import { fieldTypeOf, selectInfinite } from '../emit/duckdb.ts';
import type { DatasetFiles, QueryResult } from '../engine/messages.ts';
import type { Owner } from '../engine/turns.ts';

/** A flat dataset has one file in the dataset folder. Other datasets have files of their organization. */
export type FileNames = { file: string } | { organizationId: string; files: readonly string[] };

export interface OpenedFiles {
  files: DatasetFiles;
  columns: ReadonlyMap<string, ColumnType>;
  /** Column → field type. */
  types: ReadonlyMap<string, FieldType>;
}

const isTime = (type: string) => ['date', 'datetime'].includes(fieldTypeOf(type));

/** Returns those of the columns that have no infinite value. */
async function findFinite(
  run: (text: string) => Promise<QueryResult>,
  columns: readonly string[],
): Promise<ReadonlySet<string>> {
  if (columns.length === 0) return new Set();
  const [row = {}] = (await run(selectInfinite(columns))).rows;
  return new Set(columns.filter((_, index) => row[`c${index}`] !== true));
}

/** Opens the dataset files of one folder, and no others. */
export class Datasets {
  readonly #folder: string;
  readonly #cache: QueryCache;
  readonly #opened = new BoundedMap<OpenedFiles>();

  constructor(folder: string, cache: QueryCache) {
    this.#folder = path.resolve(folder);
    this.#cache = cache;
  }

  /**
   * Returns a dataset's current files and their columns.
   *
   * @param owner the user for whom the columns are read
   */
  async open(owner: Owner, names: FileNames, signal: AbortSignal): Promise<OpenedFiles> {
    const key = JSON.stringify(names);
    const files = await this.#resolve(names);
    const known = this.#opened.get(key);
    if (known?.files.version === files.version) return known;
    const run = (text: string) =>
      this.#cache.query(owner, { dataset: files, text, values: [] }, signal);
    const described = (await run('SELECT * FROM dataset LIMIT 0')).columns;
    const types = new Map(described.map(({ name, type }) => [name, fieldTypeOf(type)]));
    // A CSV file would be read as a whole.
    const times = files.format === 'csv' ? [] : described.filter(({ type }) => isTime(type));
    const finite = await findFinite(
      run,
      times.map(({ name }) => name),
    );
    const columns = new Map(
      described.map(({ name, type }) => [name, { name: type, isFinite: finite.has(name) }]),
    );
    const opened = { files, columns, types };
    this.#opened.set(key, opened);
    return opened;
  }

  /** Finds the files. Follows links, because only the operator can create them. */
  async #resolve(names: FileNames): Promise<DatasetFiles> {
    const paths = 'file' in names ? [this.#pathOf(names.file)] : this.#pathsOf(names);
    const formats = new Set(paths.map((file) => path.extname(file).slice(1)));
    const [format] = formats;
    if (formats.size !== 1 || (format !== 'csv' && format !== 'parquet'))
      throw new Error(`The files of a dataset must be all .parquet or all .csv.`);
    const found = await Promise.all(
      paths.map(async (file) => {
        const real = await fs.realpath(file);
        const { ino, mtimeMs, size } = await fs.stat(real);
        return { real, version: `${format} ${real} ${ino} ${mtimeMs} ${size}` };
      }),
    );
    return {
      paths: found.map(({ real }) => real),
      format,
      version: found.map(({ version }) => version).join('\n'),
    };
  }

  /** The path of a flat dataset's file, which is directly in the folder. */
  #pathOf(name: string): string {
    if (path.basename(name) === name && /\.(csv|parquet)$/.test(name))
      return path.join(this.#folder, name);
    throw new Error(
      `The dataset file "${name}" is not allowed. Use a .parquet or .csv file in ${this.#folder}.`,
    );
  }

  /** The paths of content files, which are below the organization's own folder. */
  #pathsOf({ organizationId, files }: Extract<FileNames, { files: unknown }>): string[] {
    const folder = path.join(this.#folder, organizationId);
    return files.map((name) => {
      const parts = name.split('/');
      if (
        parts.every((part) => part !== '' && part !== '.' && part !== '..' && !part.includes('\0'))
      )
        return path.join(folder, ...parts);
      throw new Error(`The dataset file "${name}" is not below the folder of its organization.`);
    });
  }
}
