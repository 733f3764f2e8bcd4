import fs from 'node:fs/promises';
import path from 'node:path';

import { LRUCache } from 'lru-cache';

import type { QueryCache } from '../cache/query-cache.ts';
import { duckdb, fieldTypeOf, selectInfinite } from '../emit/duckdb.ts';
import { keyword } from '../emit/sql.ts';
import type { Engine } from '../engine/engine.ts';
import type { DatasetFiles } from '../engine/messages.ts';
import type { Owner } from '../limits/turns.ts';
import type { Source } from '../source.ts';

const isTime = (type: string) => ['date', 'datetime'].includes(fieldTypeOf(type));

/** Opens the files of datasets, which are below the folder of their organization. */
export class Datasets {
  readonly #folder: string;
  readonly #engine: Engine;
  readonly #cache: QueryCache;
  readonly #opened = new LRUCache<string, Source>({ max: 10_000 });

  constructor(folder: string, engine: Engine, cache: QueryCache) {
    this.#folder = path.resolve(folder);
    this.#engine = engine;
    this.#cache = cache;
  }

  /**
   * Opens a dataset's current files.
   *
   * @param owner the user for whom the columns are read
   * @param files paths below the folder of the owner's organization
   */
  async open(owner: Owner, files: readonly string[], signal: AbortSignal): Promise<Source> {
    const { organizationId } = owner;
    const key = JSON.stringify([organizationId, files]);
    const dataset = await this.#resolve(organizationId, files);
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
    const times = described.columns.filter(({ type }) => isTime(type));
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
  async #resolve(organizationId: string, files: readonly string[]): Promise<DatasetFiles> {
    const found = await Promise.all(
      files.map(async (name) => {
        const real = await fs.realpath(this.#pathOf(organizationId, name));
        const { ino, mtimeMs, size } = await fs.stat(real);
        return { real, version: `${real} ${ino} ${mtimeMs} ${size}` };
      }),
    );
    return {
      paths: found.map(({ real }) => real),
      version: found.map(({ version }) => version).join('\n'),
    };
  }

  #pathOf(organizationId: string, name: string): string {
    const parts = name.split('/');
    const isBelow = parts.every(
      (part) => part !== '' && part !== '.' && part !== '..' && !part.includes('\0'),
    );
    if (isBelow) return path.join(this.#folder, organizationId, ...parts);
    throw new Error(`The dataset file "${name}" is not below the folder of its organization.`);
  }
}
