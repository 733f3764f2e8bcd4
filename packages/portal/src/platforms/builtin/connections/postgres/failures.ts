import pg from 'pg';

import { ReportError, type FailureReason } from '../../../platform.ts';

/** Classes and codes of SQLSTATE that say why a statement failed. */
const reasons: readonly [RegExp, FailureReason][] = [
  [/^57014$/, 'timeout'],
  [/^22003$/, 'overflow'],
  [/^53(200|400)$/, 'out_of_memory'],
  // Connection, authorization, database, resources, operator intervention, system.
  [/^(08|28|3D|53|57|58)/, 'unavailable'],
];

const find = (code: string): FailureReason =>
  reasons.find(([pattern]) => pattern.test(code))?.[1] ?? 'failed';

/**
 * Describes a failure for the log. Omits the driver's own error, because it may contain the settings
 * of the connection.
 */
export function toReportError(name: string, error: unknown): ReportError {
  if (error instanceof ReportError) return error;
  const isAnswer = error instanceof pg.DatabaseError;
  const message = error instanceof Error ? error.message : String(error);
  const code = isAnswer ? error.code : (error as NodeJS.ErrnoException).code;
  return new ReportError(
    isAnswer ? find(code ?? '') : 'unavailable',
    `The connection "${name}" failed: ${message || 'no answer'}${code === undefined ? '' : ` (${code})`}.`,
  );
}

/** Whether the server refuses the statement itself: its syntax, a name, a type or a right. */
export const isStatementError = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && /^(42|3F|0A)/.test(error.code ?? '');
