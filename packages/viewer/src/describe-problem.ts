import type { ServiceError, ServiceErrorCode } from 'page-kit/service-error';

import type { Formats } from './format/create-formats.ts';
import type { FrameFailure } from './frames/frame-failure.ts';

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

/** Reasons of a failed report that have their own texts. */
const reasons: Record<string, 'source_unavailable' | 'not_fetched' | 'not_set_up' | FrameFailure> =
  {
    unavailable: 'source_unavailable',
    not_fetched: 'not_fetched',
    not_set_up: 'not_set_up',
    frame_failed: 'frame_failed',
    frame_timeout: 'frame_timeout',
    isolated: 'isolated',
  };

/** Texts for the reader: what happened, and what to do. */
export function describeProblem(
  { code, reason, filters }: ServiceError,
  { formatMessage, formatEvery }: Formats,
): { title: string; advice: string } {
  const known =
    (code === 'report_failed' && reasons[reason ?? '']) ||
    (explained.find((name) => name === code) ?? 'internal_error');
  return {
    title: formatMessage(`problem.${known}.title`),
    advice: formatMessage(`problem.${known}.advice`, { filters: formatEvery(filters) }),
  };
}
