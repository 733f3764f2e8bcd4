import type { PeriodUnit, ResolvedDataset } from '@portal-embed/report-model';

import { allRows, type Ends } from './compare.ts';
import { listMarks, type FieldFilter } from './filters.ts';
import type { PlanResult, QueryPlan } from './plan.ts';
import { findFirstEnd, intersect, readSpans, shiftSpan, writeSpan, type Span } from './spans.ts';

/** The local time in a time zone, as ISO 8601 without a zone. */
export function readClock(now: Date, timeZone: string): string {
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

const isKnown = <Item>(item: Item | undefined): item is Item => item !== undefined;

const isOfTime = ({ time }: ResolvedDataset, { field, grain }: FieldFilter) =>
  field.name === time && !grain;

/** The part of the dataset's time that the filters allow, from its first to its last time. */
export function findShownTimes(dataset: ResolvedDataset, filters: readonly FieldFilter[]): Ends {
  const ofMarks = listMarks(filters).map((marks) => {
    const times = marks.map((mark) => mark.filter((filter) => isOfTime(dataset, filter)));
    // A mark without a time allows all times.
    return times.every((of) => of.length > 0) ? times.flat() : [];
  });
  const single = filters
    .filter((filter) => filter.mark === undefined && isOfTime(dataset, filter))
    .map((filter) => [filter]);
  const spans = [...single, ...ofMarks].flatMap((alternatives) => {
    const [first] = alternatives;
    return first
      ? [
          readSpans(
            first.field.type,
            alternatives.flatMap(({ values }) => values),
          ),
        ]
      : [];
  });
  const [starts, ends] = [spans.map(([first]) => first?.from), spans.map((of) => of.at(-1)?.to)];
  return {
    from: starts.filter(isKnown).toSorted().at(-1),
    to: findFirstEnd(ends),
  };
}

/**
 * The filters for the earlier span that a span is compared with. A filter on the dataset's time
 * selects the shifted part of the times that it selects in the span.
 */
export const shiftFilters = (
  dataset: ResolvedDataset,
  filters: readonly FieldFilter[],
  span: Span,
  period: PeriodUnit,
): FieldFilter[] =>
  filters.map((filter) => {
    if (!isOfTime(dataset, filter)) return filter;
    const { type } = filter.field;
    const spans = readSpans(type, filter.values).map((part) => intersect(part, span));
    const earlier = spans.filter(isKnown).map((part) => shiftSpan(part, period));
    return { ...filter, values: earlier.map((part) => writeSpan(type, part)) };
  });
