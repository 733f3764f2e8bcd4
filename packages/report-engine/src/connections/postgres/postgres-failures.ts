import pg from 'pg';

import { ReportError, type FailureReason } from '#platform';

import { explainTls, LargeAnswerError, shortenMessage } from '../connection.ts';

/** Classes and codes of SQLSTATE that say why a statement failed. */
const reasons: readonly [RegExp, FailureReason][] = [
  [/^57014$/, 'timeout'],
  [/^22003$/, 'overflow'],
  [/^53(200|400)$/, 'out_of_memory'],
  // Connection, authorization, database, resources, operator intervention, system.
  [/^(08|28|3D|53|57|58)/, 'unavailable'],
];

function findReason(error: unknown): FailureReason {
  if (error instanceof LargeAnswerError) return 'out_of_memory';
  if (!(error instanceof pg.DatabaseError)) return 'unavailable';
  const { code = '' } = error;
  return reasons.find(([pattern]) => pattern.test(code))?.[1] ?? 'failed';
}

/**
 * Describes a failure for the log. Omits the driver's own error, because it may contain the settings
 * of the connection.
 */
export function toReportError(name: string, error: unknown): ReportError {
  if (error instanceof ReportError) return error;
  const isAnswer = error instanceof pg.DatabaseError;
  const message = shortenMessage(error instanceof Error ? error.message : String(error));
  const code = isAnswer ? error.code : (error as NodeJS.ErrnoException).code;
  const text = `${message || 'no answer'}${code === undefined ? '' : ` (${code})`}`;
  return new ReportError(
    findReason(error),
    `The connection "${name}" failed: ${explainTls(error, text) ?? text}.`,
  );
}

/**
 * Whether the server refuses the statement itself: its syntax, a name, a type, a right, a constant, a
 * limit, or because it is not read-only.
 */
export const isStatementError = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && /^(0A|2[12]|25006|3F|42|54)/.test(error.code ?? '');
