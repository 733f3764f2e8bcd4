import type { ResolvedDataset } from '@portal-embed/report-model';

import { readRange } from './compare.ts';
import type { FieldFilter } from './filters.ts';
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
    rows: { kind: 'every' },
    dimensions: [],
    metrics: [{ kind: 'call', function: 'max', type, arguments: [expression] }],
    order: [],
  });
  const latest = groups[0]?.values[0];
  if (typeof latest !== 'string') return undefined;
  const clock = readClock(now, timeZone).slice(0, latest.length);
  return latest < clock ? latest : clock;
}

/** The last time that the filters on the dataset's time allow, at most the time of the data. */
export function findLastTime(
  { time, fields }: ResolvedDataset,
  filters: readonly FieldFilter[],
  dataAsOf: string | undefined,
): string | undefined {
  const field = time === undefined ? undefined : fields.get(time);
  if (!field || dataAsOf === undefined) return dataAsOf;
  const { type } = field;
  const ends = filters
    .filter((filter) => filter.field.name === field.name)
    .map(({ values }) =>
      values
        .map((text) => readRange(type, text)?.to ?? (readRange(type, text) ? undefined : text))
        .map((text) => (text === undefined ? '9999-12-31' : readValue(type, text)))
        .filter((value) => value !== undefined)
        .toSorted()
        .at(-1),
    )
    .filter((end) => end !== undefined);
  return [dataAsOf, ...ends].toSorted()[0];
}
