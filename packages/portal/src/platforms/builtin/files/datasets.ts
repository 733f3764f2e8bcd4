import fs from 'node:fs/promises';
import path from 'node:path';

import { BoundedMap } from '../../../bounded-map.ts';
import type { QueryCache } from '../cache/query-cache.ts';
import { duckdb, fieldTypeOf, selectInfinite } from '../emit/duckdb.ts';
import { keyword } from '../emit/sql.ts';
import type { Engine } from '../engine/engine.ts';
import type { DatasetFiles } from '../engine/messages.ts';
import type { Owner } from '../engine/turns.ts';
import type { Source } from '../source.ts';

/** A flat dataset has one file in the dataset folder. Other datasets have files of their organization. */
export type FileNames = { file: string } | { organizationId: string; files: readonly string[] };

const isTime = (type: string) => ['date', 'datetime'].includes(fieldTypeOf(type));

/** Opens the dataset files of one folder, and no others. */
export class Datasets {
  readonly #folder: string;
  readonly #engine: Engine;
  readonly #cache: QueryCache;
  readonly #opened = new BoundedMap<Source>();

  constructor(folder: string, engine: Engine, cache: QueryCache) {
    this.#folder = path.resolve(folder);
    this.#engine = engine;
    this.#cache = cache;
  }

  /**
   * Opens a dataset's current files.
   *
   * @param owner the user for whom the columns are read
   */
  async open(owner: Owner, names: FileNames, signal: AbortSignal): Promise<Source> {
    const key = JSON.stringify(names);
    const dataset = await this.#resolve(names);
    const known = this.#opened.get(key);
    if (known?.key === dataset.version) return known;
    const described = await this.#engine.query(
      owner,
      { dataset, text: 'SELECT * FROM dataset LIMIT 0', values: [] },
      signal,
    );
    const source: Source = {
      dialect: duckdb,
      from: keyword('dataset'),
      columns: new Map(
        described.columns.map(({ name, type }) => [name, { name: type, isFinite: false }]),
      ),
      key: dataset.version,
      query: async (asker, statement, aborted, onStart) =>
        (await this.#engine.query(asker, { dataset, ...statement }, aborted, onStart)).rows,
    };
    // A CSV file would be read as a whole.
    const times =
      dataset.format === 'csv' ? [] : described.columns.filter(({ type }) => isTime(type));
    const finite = await this.#findFinite(
      owner,
      source,
      times.map(({ name }) => name),
      signal,
    );
    const columns = new Map(
      described.columns.map(({ name, type }) => [name, { name: type, isFinite: finite.has(name) }]),
    );
    const opened: Source = { ...source, columns };
    this.#opened.set(key, opened);
    return opened;
  }

  /** Returns those of the columns that have no infinite value. */
  async #findFinite(
    owner: Owner,
    source: Source,
    columns: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    if (columns.length === 0) return new Set();
    const statement = { text: selectInfinite(columns), values: [] };
    const [row = {}] = await this.#cache.query(owner, source, statement, signal);
    return new Set(columns.filter((_, index) => row[`c${index}`] !== true));
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
