import type { ConnectionDatasetSource } from '@portal-embed/report-model';
import { LRUCache } from 'lru-cache';

import { ReportError, type QueryUsage } from '#platform';

import { QueryTurns, type Owner } from '../limits/turns.ts';
import type { Source } from '../source.ts';
import { ConnectionBreaker } from './connection-breaker.ts';
import { SourceError, type Connection, type ConnectionSource, type Finding } from './connection.ts';
import { parseFreshness } from './freshness.ts';

export interface ConnectionLimits {
  /**
   * Concurrent statements of each connection. One organization gets at most three quarters of them.
   * `PORTAL_SOURCE_QUERIES`, default 8.
   */
  sourceQueries: number;
  /** Concurrent queries of one user. `PORTAL_USER_QUERIES`, default 2. */
  userQueries: number;
}

/** Maximum age of an answer if the dataset has no `freshness`. */
const defaultFreshness = '1 minute';

/** How long the columns of a source are cached. */
const columnsMs = 60_000;

/** Limits the memory of the cached columns of each connection. */
const maxCachedCharacters = 50_000_000;

/** Estimated size of a cached column. */
const charactersPerColumn = 100;

/** The connections of this portal. Each has its own queue, so that none waits for another. */
export class Connections {
  readonly #connections: ReadonlyMap<string, LimitedConnection>;

  constructor(all: readonly Connection[], limits: ConnectionLimits) {
    this.#connections = new Map(
      all.map((connection) => [connection.name, new LimitedConnection(connection, limits)]),
    );
  }

  get names(): string[] {
    return [...this.#connections.keys()];
  }

  get(name: string): LimitedConnection | undefined {
    return this.#connections.get(name);
  }

  usage(): QueryUsage {
    const usages = [...this.#connections.values()].map((connection) => connection.usage());
    return {
      running: usages.reduce((sum, { running }) => sum + running, 0),
      waiting: usages.reduce((sum, { waiting }) => sum + waiting, 0),
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#connections.values()].map((connection) => connection.close()));
  }
}

/** A connection whose statements wait for their turns. */
export class LimitedConnection {
  readonly #connection: Connection;
  readonly #turns: QueryTurns;
  readonly #breaker: ConnectionBreaker;
  readonly #described = new LRUCache<string, ReadonlyMap<string, string>>({
    maxSize: maxCachedCharacters,
    sizeCalculation: (columns, key) => key.length + columns.size * charactersPerColumn,
    ttl: columnsMs,
  });

  constructor(connection: Connection, { sourceQueries, userQueries }: ConnectionLimits) {
    this.#connection = connection;
    this.#turns = new QueryTurns({ concurrency: sourceQueries, perUser: userQueries });
    this.#breaker = new ConnectionBreaker(this.#turns, (signal) => connection.probe(signal));
  }

  get name(): string {
    return this.#connection.name;
  }

  get dialect(): Connection['dialect'] {
    return this.#connection.dialect;
  }

  /** Opens the source of a dataset. The engine first parses a `sql` alone. */
  async open(owner: Owner, source: ConnectionDatasetSource, signal: AbortSignal): Promise<Source> {
    const { dialect, name } = this.#connection;
    const from = dialect.from(source);
    const key = JSON.stringify(from.parts);
    const known = this.#described.get(key);
    const columns = known ?? (await this.#describe(owner, source, signal));
    if (!known) this.#described.set(key, columns);
    return {
      dialect,
      from,
      columns: new Map(
        [...columns].map(([column, type]) => [column, { name: type, isFinite: false }]),
      ),
      key: `connection ${name}`,
      maxAgeMs: parseFreshness(source.freshness ?? defaultFreshness),
      query: (asker, statement, aborted, onStart) =>
        this.#breaker.run(asker, aborted, async () => {
          onStart?.();
          aborted.throwIfAborted();
          return this.#connection.query(statement, aborted);
        }),
    };
  }

  /** A source that was valid when it was applied may have changed since. */
  async #describe(owner: Owner, source: ConnectionSource, signal: AbortSignal) {
    try {
      return await this.describe(owner, source, signal);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      throw new ReportError(
        'failed',
        `The connection "${this.name}" refused the source: ${error.message}.`,
      );
    }
  }

  /** @throws as `Connection.describe` */
  describe(
    owner: Owner,
    source: ConnectionSource,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    return this.#breaker.run(owner, signal, () => this.#connection.describe(source, signal));
  }

  check(owner: Owner, signal: AbortSignal): Promise<Finding[]> {
    return this.#breaker.run(owner, signal, () => this.#connection.check(signal));
  }

  checkSource(
    owner: Owner,
    source: ConnectionSource,
    columns: readonly string[],
    signal: AbortSignal,
  ): Promise<Finding[]> {
    return this.#breaker.run(owner, signal, () =>
      this.#connection.checkSource(source, columns, signal),
    );
  }

  usage(): QueryUsage {
    return this.#turns.usage();
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}
