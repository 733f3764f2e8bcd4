import { explainTlsFailure } from '#server-kit';

import type { Dialect } from '../emit/dialect.ts';
import type { Sql, Statement } from '../emit/sql.ts';
import type { Row } from '../engine/messages.ts';

/** Where the rows are: a table or view, or one SELECT. */
export type ConnectionSource = { table: string } | { sql: string };

/** The SQL of a connected database. */
export interface ConnectionDialect extends Dialect {
  /** The source as an item of FROM, without an alias. `describe` has parsed a `sql` alone. */
  from: (source: ConnectionSource) => Sql;
}

/** A connected database that datasets read from. */
export interface Connection {
  readonly name: string;
  readonly dialect: ConnectionDialect;
  /**
   * Returns the columns of a source with the engine's own types. The engine first parses a `sql` alone.
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
  /** Runs a trivial statement of the portal. Throws like `query`. */
  probe: (signal: AbortSignal) => Promise<unknown>;
  /** Returns findings for the operator: server, TLS, rights of the user, time zone. */
  check: (signal: AbortSignal) => Promise<Finding[]>;
  /**
   * Returns findings for the author of a source: estimated rows, and whether an index or the sorting key
   * has the columns of roles and filters.
   *
   * @param columns names of these columns
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

/**
 * Maximum number of bytes of one answer. The portal serves no other request while it reads the rows of
 * an answer.
 */
export const maxAnswerBytes = 16_000_000;

/** The answer of a statement has more than `maxAnswerBytes`. */
export class LargeAnswerError extends Error {
  override name = 'LargeAnswerError';

  constructor() {
    super(`the answer has more than ${maxAnswerBytes / 1_000_000} MB`);
  }
}

const maxMessageCharacters = 1_000;

/** Shortens a message of an engine, which may contain a value of any length. */
export const shortenMessage = (message: string): string =>
  message.length > maxMessageCharacters ? `${message.slice(0, maxMessageCharacters)}…` : message;

/** Adds cause and advice to the text of a TLS error; `undefined` for any other error. */
export function explainTls(error: unknown, text: string): string | undefined {
  const failure = explainTlsFailure(error);
  return failure && `${failure.cause} (${text}); ${failure.advice}`;
}

/** The engine refuses a table or SELECT. The message is for its author: what is wrong and where. */
export class SourceError extends Error {
  override name = 'SourceError';

  constructor(message: string) {
    super(shortenMessage(message));
  }
}

/** As of a data file. */
const maxColumns = 2_000;

/** @throws `SourceError` if a source has too many columns, or two of the same name */
export function checkColumnNames(names: readonly string[]): void {
  if (names.length > maxColumns)
    throw new SourceError(
      `the source has ${names.length} columns, but the maximum is ${maxColumns}; select those that reports need`,
    );
  const twice = names.find((each, index) => names.indexOf(each) !== index);
  if (twice !== undefined)
    throw new SourceError(`two columns have the name "${twice}"; name one of them with AS`);
}
