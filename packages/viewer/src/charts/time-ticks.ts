import type { Grain } from '@portal-embed/report-model';

import type { Period, TimeTicks } from '../format/periods.ts';

const msPerHour = 3_600_000;
const msPerDay = 24 * msPerHour;

const monthsOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();
const daysOf = (date: Date) => Math.floor(date.getTime() / msPerDay);

const numbers: Record<Period, (date: Date) => number> = {
  year: (date) => date.getUTCFullYear(),
  quarter: (date) => Math.floor(monthsOf(date) / 3),
  month: monthsOf,
  // Weeks begin on Monday; 1970-01-01 was a Thursday.
  week: (date) => Math.floor((daysOf(date) + 3) / 7),
  day: daysOf,
  hour: (date) => Math.floor(date.getTime() / msPerHour),
};

/** The number of a time's period. Consecutive periods have consecutive numbers. */
export const periodNumber = (date: Date, grain: Period): number => numbers[grain](date);

export const isPeriod = (grain: Grain | undefined): grain is Period =>
  grain !== undefined && Object.hasOwn(numbers, grain);

/** Possible distances between labels on a time axis, from fine to coarse. */
const steps: readonly { grain: Period; count: number }[] = [
  ...[1, 3, 6, 12].map((count) => ({ grain: 'hour' as const, count })),
  ...[1, 2].map((count) => ({ grain: 'day' as const, count })),
  { grain: 'week', count: 1 },
  ...[1, 3, 6].map((count) => ({ grain: 'month' as const, count })),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((count) => ({ grain: 'year' as const, count })),
];

const beginsPeriod = (date: Date, grain: Period) =>
  periodNumber(new Date(date.getTime() - 1), grain) !== periodNumber(date, grain);

/** The coarsest period for which each time is the beginning of a period. */
const findGrain = (times: readonly Date[]): Period =>
  (['year', 'month', 'day'] as const).find((grain) =>
    times.every((time) => beginsPeriod(time, grain)),
  ) ?? 'hour';

/** Chooses at most `most` times for labels. Each one begins a period. */
export function chooseTimeTicks(times: readonly Date[], most: number): TimeTicks {
  const finest = findGrain(times);
  for (const { grain, count } of steps.slice(steps.findIndex((step) => step.grain === finest))) {
    const bucketOf = (time: Date) => Math.floor(periodNumber(time, grain) / count);
    const ticks = times.filter((time, index) => {
      const previous = times[index - 1];
      return !previous || bucketOf(previous) !== bucketOf(time);
    });
    // The first time may be in the middle of a period, close to the next one.
    const [first, second, third] = ticks;
    const isCrowded =
      third && second!.getTime() - first!.getTime() < (third.getTime() - second!.getTime()) / 2;
    if (isCrowded) ticks.shift();
    if (ticks.length <= Math.max(1, most)) return { times: ticks, grain };
  }
  return { times: times.slice(0, 1), grain: 'year' };
}
