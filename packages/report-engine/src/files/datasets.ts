import { LRUCache } from 'lru-cache';

import type { QueryCache } from '../cache/query-cache.ts';
import { duckdb, fieldTypeOf, selectInfinite } from '../emit/duckdb.ts';
import { keyword, type Statement } from '../emit/sql.ts';
import type { Engine } from '../engine/engine.ts';
import type { DatasetFiles, QueryResult } from '../engine/messages.ts';
import type { Owner } from '../limits/turns.ts';
import type { Source } from '../source.ts';
import type { Files } from '../storage/files.ts';
import { withLocalFiles } from '../storage/local-file.ts';

const describing: Statement = { text: 'SELECT * FROM dataset LIMIT 0', values: [] };

const isTime = (type: string) => ['date', 'datetime'].includes(fieldTypeOf(type));

/** Opens the files of datasets. */
export class Datasets {
  readonly #files: Files;
  readonly #engine: Engine;
  readonly #cache: QueryCache;
  readonly #opened = new LRUCache<string, Source>({ max: 10_000 });

  constructor(files: Files, engine: Engine, cache: QueryCache) {
    this.#files = files;
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
    const key = JSON.stringify([owner.organizationId, files]);
    const version = await this.#use(owner, files, async (dataset) => dataset.version);
    const known = this.#opened.get(key);
    if (known?.key === version) return known;
    const query: Source['query'] = async (asker, statement, aborted, onStart) =>
      (await this.#query(asker, files, statement, aborted, onStart)).rows;
    const described = await this.#query(owner, files, describing, signal);
    const source: Source = {
      dialect: duckdb,
      from: keyword('dataset'),
      columns: new Map(
        described.columns.map(({ name, type }) => [name, { name: type, isFinite: false }]),
      ),
      key: version,
      query,
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

  /** Runs a statement. The files stay on the disk until the engine has opened them. */
  #query(
    owner: Owner,
    files: readonly string[],
    statement: Statement,
    signal: AbortSignal,
    onStart?: () => void,
  ): Promise<QueryResult> {
    return this.#use(owner, files, (dataset) =>
      this.#engine.query(owner, { dataset, ...statement }, signal, onStart),
    );
  }

  #use<Result>(
    { organizationId }: Owner,
    files: readonly string[],
    work: (dataset: DatasetFiles) => Promise<Result>,
  ): Promise<Result> {
    return withLocalFiles(this.#files.of(organizationId), files, (local) =>
      work({
        paths: local.map((file) => file.path),
        version: local.map((file) => file.version).join('\n'),
      }),
    );
  }
}
