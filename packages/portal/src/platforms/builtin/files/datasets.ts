import fs from 'node:fs/promises';
import path from 'node:path';

import type { FieldType } from '@portal-embed/report-model';

import { BoundedMap } from '../../../bounded-map.ts';
import { fieldTypeOf } from '../emit/duckdb.ts';
import type { Engine } from '../engine/engine.ts';
import type { DatasetFiles } from '../engine/messages.ts';
import type { Owner } from '../engine/turns.ts';

/** A flat dataset has one file in the dataset folder. Other datasets have files of their organization. */
export type FileNames = { file: string } | { organizationId: string; files: readonly string[] };

export interface OpenedFiles {
  files: DatasetFiles;
  /** Column → DuckDB type. */
  columns: ReadonlyMap<string, string>;
  /** Column → field type. */
  types: ReadonlyMap<string, FieldType>;
}

/** Opens the dataset files of one folder, and no others. */
export class Datasets {
  readonly #folder: string;
  readonly #engine: Engine;
  readonly #opened = new BoundedMap<OpenedFiles>();

  constructor(folder: string, engine: Engine) {
    this.#folder = path.resolve(folder);
    this.#engine = engine;
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
    const query = { dataset: files, text: 'SELECT * FROM dataset LIMIT 0', values: [] };
    const described = await this.#engine.query(owner, query, signal);
    const columns = new Map(described.columns.map((column) => [column.name, column.type]));
    const types = new Map([...columns].map(([name, type]) => [name, fieldTypeOf(type)]));
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
