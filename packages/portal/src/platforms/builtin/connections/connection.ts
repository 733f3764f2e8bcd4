import type { Dialect } from '../emit/dialect.ts';
import type { Sql, Statement } from '../emit/sql.ts';
import type { Row } from '../engine/messages.ts';

/** Where rows are in a database: a table or view, or one SELECT. */
export type ConnectionSource = { table: string } | { sql: string };

/** How an engine beyond the portal writes what the query plan asks for. */
export interface ConnectionDialect extends Dialect {
  /** The source as an item of FROM, without an alias. A `sql` was parsed by the engine alone before. */
  from: (source: ConnectionSource) => Sql;
}

/** A database outside of the portal that holds rows of datasets. */
export interface Connection {
  readonly name: string;
  readonly dialect: ConnectionDialect;
  /**
   * Returns the columns of a source with the engine's own types. The engine parses a `sql` alone.
   *
   * @throws `SourceError` if the source is wrong; as `query` otherwise
   */
  describe: (source: ConnectionSource, signal: AbortSignal) => Promise<ReadonlyMap<string, string>>;
  /**
   * Runs one read-only statement. Aborting `signal` cancels it in the engine.
   *
   * @throws `ReportError`, whose message names the connection and the cause but no secret; the reason
   *   of `signal` if it aborts
   */
  query: (statement: Statement, signal: AbortSignal) => Promise<Row[]>;
  /** Returns what an operator should know: reachable, TLS, read-only, time zone. */
  check: (signal: AbortSignal) => Promise<Finding[]>;
  /**
   * Returns what an author should know of a source: estimated rows, and whether an index or the sorting
   * key has the columns that conditions use.
   *
   * @param columns names of those columns
   */
  checkSource: (
    source: ConnectionSource,
    columns: readonly string[],
    signal: AbortSignal,
  ) => Promise<Finding[]>;
  /** Ends all statements. */
  close: () => Promise<void>;
}

export interface Finding {
  level: 'ok' | 'warning' | 'error';
  text: string;
}

/** The engine refuses a table or SELECT. The message is for its author: what is wrong and where. */
export class SourceError extends Error {
  override name = 'SourceError';
}
