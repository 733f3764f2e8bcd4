import type { FieldType, PeriodUnit, ResolvedDataset } from '@portal-embed/report-model';

import { allRows, readRange } from './compare.ts';
import type { FieldFilter } from './filters.ts';
import { addPeriods, shiftBack, startOfPeriod } from './periods.ts';
import type { PlanResult, QueryPlan } from './plan.ts';
import { readValue } from './values.ts';

/** The local time in a time zone, as ISO 8601 without a zone. */
function readClock(now: Date, timeZone: string): string {
  // Sweden writes dates in ISO 8601.
  const options = { timeZone, dateStyle: 'short', timeStyle: 'medium' } as const;
  return new Intl.DateTimeFormat('sv', options).format(now).replace(' ', 'T');
}

/**
 * The time of the data: the latest value of the dataset's time, but never after the current time. All
 * rows count, so that every reader sees the same time.
 */
export async function readDataAsOf(
  { time, fields, timeZone }: ResolvedDataset,
  run: (plan: QueryPlan) => Promise<PlanResult>,
  now: Date,
): Promise<string | undefined> {
  const field = time === undefined ? undefined : fields.get(time);
  if (!field) return undefined;
  const { type, expression } = field;
  const { groups } = await run({
    rows: allRows,
    dimensions: [],
    metrics: [{ kind: 'call', function: 'max', type, arguments: [expression] }],
    order: [],
  });
  const latest = groups[0]?.values[0];
  if (typeof latest !== 'string') return undefined;
  const clock = readClock(now, timeZone).slice(0, latest.length);
  return latest < clock ? latest : clock;
}

/** A part of the dataset's time, whose end is exclusive. */
export interface TimeSpan {
  from?: string | undefined;
  to?: string | undefined;
}

const isKnown = <Item>(item: Item | undefined): item is Item => item !== undefined;

/** The part of the dataset's time that the filters allow, from its first to its last day or hour. */
export function findShownTimes(
  { time }: ResolvedDataset,
  filters: readonly FieldFilter[],
): TimeSpan {
  const spans = filters
    .filter(({ field, grain }) => field.name === time && !grain)
    .map(({ field, values }) =>
      joinSpans(values.map((text) => readSpan(field.type, text)).filter(isKnown)),
    );
  return {
    from: spans
      .map(({ from }) => from)
      .filter(isKnown)
      .toSorted()
      .at(-1),
    to: spans
      .map(({ to }) => to)
      .filter(isKnown)
      .toSorted()[0],
  };
}

/** The span from the first to the last time of several spans. */
function joinSpans(spans: readonly TimeSpan[]): TimeSpan {
  const [from, to] = [spans.map((span) => span.from), spans.map((span) => span.to)];
  return {
    from: from.every(isKnown) ? from.toSorted()[0] : undefined,
    to: to.every(isKnown) ? to.toSorted().at(-1) : undefined,
  };
}

/** The span of a filter's value, or `undefined` if it is not valid. */
function readSpan(type: FieldType, text: string): TimeSpan | undefined {
  const ends = readRange(type, text) ?? { from: text, to: text };
  const [from, to] = [ends.from, ends.to].map((end) => end && readValue(type, end));
  if ((ends.from && !from) || (ends.to && !to)) return undefined;
  return {
    from: from && (from.length > 10 ? startOfPeriod(from, 'hour') : from),
    to: to && findEnd(to, to.length > 10 ? 'hour' : 'day'),
  };
}

/** The end of the day or hour, or `undefined` after the last day that can be written. */
const findEnd = (time: string, unit: 'day' | 'hour') =>
  time < '9999-12-31' ? addPeriods(startOfPeriod(time, unit), unit, 1) : undefined;

/** The filters, with those on the dataset's time moved to the previous period. */
export const shiftFilters = (
  { time }: ResolvedDataset,
  filters: readonly FieldFilter[],
  period: PeriodUnit,
): FieldFilter[] =>
  filters.map((filter) => {
    const { field, values, grain } = filter;
    if (field.name !== time || grain) return filter;
    return { ...filter, values: values.map((text) => shiftText(field.type, text, period)) };
  });

function shiftText(type: FieldType, text: string, period: PeriodUnit): string {
  const range = readRange(type, text);
  if (!range) return shiftTime(type, text, (value) => shiftBack(value, period));
  const { from = '', to = '' } = range;
  const shiftedFrom = from && shiftTime(type, from, (value) => shiftBack(value, period));
  return `${shiftedFrom}..${to && shiftTime(type, to, (value) => shiftLast(value, period))}`;
}

/** Shifts the end of a day, so that the last day of February becomes the last day of January. */
function shiftLast(value: string, period: PeriodUnit): string {
  const end = value.length > 10 ? undefined : findEnd(value, 'day');
  return end === undefined
    ? shiftBack(value, period)
    : addPeriods(shiftBack(end, period), 'day', -1);
}

/** Shifts a time. Returns the text unchanged if it is not a time, or if the result cannot be written. */
function shiftTime(type: FieldType, text: string, shift: (value: string) => string): string {
  const value = readValue(type, text);
  const shifted = value === undefined ? undefined : readValue(type, shift(value));
  return shifted ?? text;
}
