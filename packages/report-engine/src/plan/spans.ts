import type { FieldType, PeriodUnit } from '@portal-embed/report-model';

import { isReadable, readRange, type Ends } from './compare.ts';
import { addPeriods, lastDayOf, startOfPeriod } from './periods.ts';
import { readValue } from './values.ts';

/** A part of a time. It includes both ends. A day as an end means the whole day. */
export interface Span extends Ends {
  from: string;
  to: string;
}

const midnight = 'T00:00:00';
const lastMinute = 'T23:59';

/** The end of a day is after all times of the day. */
const orderOf = (to: string | undefined): string =>
  to === undefined ? '~' : to.length === 10 ? `${to}T24` : to;

/** The earliest of these ends. `undefined` is an open end, which is later than all others. */
export const findFirstEnd = (ends: readonly Ends['to'][]): Ends['to'] =>
  ends.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))[0];

const isEmpty = ({ from = '', to }: Ends): boolean => from > orderOf(to);

/**
 * The parts of a time that a filter's values select, in ascending order. Parts without a gap between them
 * are one part, so that it does not matter how a filter is written.
 */
export function readSpans(type: FieldType, texts: readonly string[]): Ends[] {
  const spans = texts
    .flatMap((text) => readSpan(type, text) ?? [])
    .filter((span) => !isEmpty(span))
    .toSorted(({ from: a = '' }, { from: b = '' }) => (a < b ? -1 : a > b ? 1 : 0));
  const joined: Ends[] = [];
  for (const { from, to } of spans) {
    const last = joined.at(-1);
    if (last && !hasGap(last.to, from)) last.to = orderOf(last.to) < orderOf(to) ? to : last.to;
    else joined.push({ from, to });
  }
  return joined;
}

const hasGap = (to: string | undefined, from = '') =>
  from > orderOf(to) && !(to?.length === 10 && from === startAfter(to));

function readSpan(type: FieldType, text: string): Ends | undefined {
  if (!isReadable(type, text)) return undefined;
  const read = (end: string | undefined) => (end === undefined ? undefined : readValue(type, end));
  const range = readRange(type, text);
  if (!range) {
    const value = read(text);
    const time = type === 'datetime' && value?.length === 10 ? value + midnight : value;
    return { from: time, to: time };
  }
  const [from, to] = [read(range.from), read(range.to)];
  const start = from?.length === 10 && type === 'datetime' ? from + midnight : from;
  if (to === start) return { from: start, to };
  return {
    from: from?.endsWith(midnight) ? from.slice(0, 10) : from,
    // A range until midnight ends with the day before.
    to: to?.endsWith(midnight) ? addPeriods(to.slice(0, 10), 'day', -1) : to,
  };
}

/** The part of a span that is within another one, if there is any. */
export function intersect({ from = '', to }: Ends, within: Span): Span | undefined {
  const common = {
    from: from > within.from ? from : within.from,
    to: findFirstEnd([to, within.to]) ?? within.to,
  };
  return isEmpty(common) ? undefined : common;
}

/** The start of the day or hour after the end of a span. */
export const startAfter = (to: string): string => {
  const unit = to.length === 10 ? 'day' : 'hour';
  return addPeriods(startOfPeriod(to, unit), unit, 1);
};

/** Writes a span as the value of a filter. */
export const writeSpan = (type: FieldType, { from, to }: Span): string =>
  from === to && (type !== 'datetime' || to.length > 10) ? to : `${from}..${to}`;

/**
 * The earlier span that a span is compared with. Whole months become whole months. Otherwise the last
 * day is shifted, and a day that the month lacks becomes the last day of the month.
 */
export function shiftSpan({ from, to }: Span, period: PeriodUnit): Span {
  const [first, last, time] = [from.slice(0, 10), to.slice(0, 10), to.slice(10)];
  const shift = (day: string) => addPeriods(day, period, -1);
  const start = shift(first) + from.slice(10);
  const end = shift(last);
  if (period === 'day' || period === 'week') return { from: start, to: end + time };
  const endsMonth = last === lastDayOf(last, 'month') && (time === '' || time >= lastMinute);
  if (from.length === 10 && from.endsWith('-01') && endsMonth)
    return { from: start, to: lastDayOf(end, 'month') + time };
  // A time on a day that the earlier month lacks is after the end of that month.
  const isBeyond = end.slice(8) < last.slice(8) && first < last;
  return { from: start, to: isBeyond ? end : end + time };
}
