import type { ServiceError, ServiceErrorCode } from 'page-kit/service-error';

import type { Formats } from './format/create-formats.ts';

/** Problems that a reader can understand and act on. */
const explained = [
  'unreachable',
  'internal_error',
  'report_failed',
  'report_not_accessible',
  'filters_not_applied',
  'rate_limited',
  'overloaded',
  'database_unavailable',
] as const satisfies ServiceErrorCode[];

/** Texts for the reader: what happened, and what to do. */
export function describeProblem(
  { code, reason, filters }: ServiceError,
  { formatMessage, formatEvery }: Formats,
): { title: string; advice: string } {
  const isSource = code === 'report_failed' && reason === 'unavailable';
  const known = isSource
    ? 'source_unavailable'
    : (explained.find((name) => name === code) ?? 'internal_error');
  return {
    title: formatMessage(`problem.${known}.title`),
    advice: formatMessage(`problem.${known}.advice`, { filters: formatEvery(filters) }),
  };
}
