import type { FieldType, PeriodUnit } from '@portal-embed/report-model';

import type { Ends } from './compare.ts';
import { endsBefore, lastDayOf, startOfPeriod } from './periods.ts';
import { findFirstEnd, intersect, shiftSpan, startAfter, type Span } from './spans.ts';

export interface ComparedSpans {
  /** The last period, as far as it is shown. */
  period: Span;
  /** Whether the data ends before the period does. */
  isIncomplete: boolean;
  /** The part of the period until the end of the data. */
  current: Span;
  /** What `current` is compared with. */
  earlier: Span;
}

/**
 * Finds the last period that is shown, and its part until the last day of the data (or the last hour, if
 * the period is a day). Returns `undefined` if only times after the data are shown.
 */
export function findComparedSpans(
  type: FieldType,
  dataAsOf: string,
  shown: Ends,
  period: PeriodUnit,
): ComparedSpans | undefined {
  const last = findFirstEnd([shown.to, dataAsOf]) ?? dataAsOf;
  const whole = { from: startOfPeriod(last, period), to: lastDayOf(last, period) };
  const span = intersect(shown, whole);
  if (!span) return undefined;
  const isIncomplete = endsBefore(dataAsOf, startAfter(span.to), period);
  const isHourly = type === 'datetime' && period === 'day';
  const end = isHourly ? `${dataAsOf.slice(0, 13)}:59:59.999999` : dataAsOf.slice(0, 10);
  const current = isIncomplete ? intersect({ to: end }, span) : span;
  return current && { period: span, isIncomplete, current, earlier: shiftSpan(current, period) };
}
