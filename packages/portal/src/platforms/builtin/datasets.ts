import fs from 'node:fs/promises';
import path from 'node:path';

import type { Engine } from './engine/engine.ts';
import type { DatasetFile } from './engine/messages.ts';
import type { Owner } from './engine/turns.ts';
import type { Columns } from './query.ts';

/** Opens the dataset files of one folder, and no others. */
export class Datasets {
  readonly #folder: string;
  readonly #engine: Engine;
  readonly #columns = new Map<string, { version: string; columns: Columns }>();

  constructor(folder: string, engine: Engine) {
    this.#folder = path.resolve(folder);
    this.#engine = engine;
  }

  /**
   * Returns a dataset's current file and its columns.
   *
   * @param owner the user for whom the columns are read
   */
  async open(
    owner: Owner,
    name: string,
    signal: AbortSignal,
  ): Promise<{ file: DatasetFile; columns: Columns }> {
    const file = await this.#resolve(name);
    const known = this.#columns.get(name);
    if (known?.version === file.version) return { file, columns: known.columns };
    const query = { dataset: file, text: 'SELECT * FROM dataset LIMIT 0', values: [] };
    const described = await this.#engine.query(owner, query, signal);
    const columns = new Map(described.columns.map((column) => [column.name, column.type]));
    this.#columns.set(name, { version: file.version, columns });
    return { file, columns };
  }

  /** Finds a file directly in the folder. Follows links, which only the operator can create. */
  async #resolve(name: string): Promise<DatasetFile> {
    const format = /\.(csv|parquet)$/.exec(name)?.[1];
    if (path.basename(name) !== name || format === undefined)
      throw new Error(
        `The dataset file "${name}" is not allowed. Use a .parquet or .csv file in ${this.#folder}.`,
      );
    const real = await fs.realpath(path.join(this.#folder, name));
    const { ino, mtimeMs, size } = await fs.stat(real);
    return {
      path: real,
      format: format === 'csv' ? 'csv' : 'parquet',
      version: `${format} ${real} ${ino} ${mtimeMs} ${size}`,
    };
  }
}
