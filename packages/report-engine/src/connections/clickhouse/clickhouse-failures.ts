import { ClickHouseError } from '@clickhouse/client';

import { ReportError, type FailureReason } from '#platform';

import { explainTls, LargeAnswerError, shortenMessage } from '../connection.ts';

/** Codes of ClickHouse's errors that say why a statement failed. */
const reasons: Record<string, FailureReason> = {
  TIMEOUT_EXCEEDED: 'timeout',
  TOO_SLOW: 'timeout',
  MEMORY_LIMIT_EXCEEDED: 'out_of_memory',
  DECIMAL_OVERFLOW: 'overflow',
  // Settings and rights of the user.
  AUTHENTICATION_FAILED: 'unavailable',
  REQUIRED_PASSWORD: 'unavailable',
  SETTING_CONSTRAINT_VIOLATION: 'unavailable',
  UNKNOWN_SETTING: 'unavailable',
  UNKNOWN_USER: 'unavailable',
  WRONG_PASSWORD: 'unavailable',
  // The server, or another server of its cluster.
  ALL_CONNECTION_TRIES_FAILED: 'unavailable',
  NETWORK_ERROR: 'unavailable',
  NO_REPLICA_HAS_PART: 'unavailable',
  QUERY_WAS_CANCELLED: 'unavailable',
  QUOTA_EXCEEDED: 'unavailable',
  SOCKET_TIMEOUT: 'unavailable',
  TOO_MANY_SIMULTANEOUS_QUERIES: 'unavailable',
  UNKNOWN_DATABASE: 'unavailable',
};

/** The server exceeded the limit that it was given. */
export class LateAnswerError extends Error {
  override name = 'LateAnswerError';
}

/** The answer is not a complete result, for example the page of a proxy. */
export class BrokenAnswerError extends Error {
  override name = 'BrokenAnswerError';
}

/** Whether the profile of the user refuses the settings of a request. */
export const isSettingRefused = (error: unknown): boolean =>
  error instanceof ClickHouseError &&
  error.type === 'READONLY' &&
  error.message.includes('Cannot modify');

const findReason = (error: unknown): FailureReason => {
  if (isSettingRefused(error)) return 'unavailable';
  if (error instanceof ClickHouseError) return reasons[error.type ?? ''] ?? 'failed';
  if (error instanceof LargeAnswerError) return 'out_of_memory';
  return error instanceof LateAnswerError ? 'timeout' : 'unavailable';
};

/** Whether the server refuses the statement itself: its syntax, a name, a type or a right. */
export const isStatementError = (error: unknown): error is ClickHouseError =>
  error instanceof ClickHouseError && findReason(error) === 'failed';

/**
 * Describes a failure for the log. Omits the client's own error, because it may contain the settings
 * of the connection.
 */
export function toReportError(name: string, error: unknown): ReportError {
  if (error instanceof ReportError) return error;
  const { message, code } = error as NodeJS.ErrnoException;
  const label = error instanceof ClickHouseError ? (error.type ?? code) : code;
  const text = shortenMessage(message || 'no answer')
    .trim()
    .replace(/\.$/, '');
  const described = `${text}${label === undefined ? '' : ` (${label})`}`;
  return new ReportError(
    findReason(error),
    `The connection "${name}" failed: ${explainTls(error, described) ?? described}.`,
  );
}
