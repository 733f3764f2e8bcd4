import type { PeriodUnit } from '@portal-embed/report-model';

/** A calendar period. */
export type Period = PeriodUnit | 'hour';

/** Parses dates and local times as if they were UTC. */
const parse = (text: string): Date =>
  new Date(text.length === 10 ? `${text}T00:00:00Z` : `${text}Z`);

const formatDate = (time: Date): string => time.toISOString().slice(0, 10);

const format = (time: Date, period: Period): string =>
  period === 'hour' ? time.toISOString().slice(0, 19) : formatDate(time);

/** The start of the period that contains the time. Weeks begin on Monday. */
export function startOfPeriod(text: string, period: Period): string {
  const time = parse(text);
  switch (period) {
    case 'hour':
      time.setUTCMinutes(0, 0, 0);
      break;
    case 'week':
      time.setUTCDate(time.getUTCDate() - ((time.getUTCDay() + 6) % 7));
      break;
    case 'month':
      time.setUTCDate(1);
      break;
    case 'quarter':
      time.setUTCMonth(time.getUTCMonth() - (time.getUTCMonth() % 3), 1);
      break;
    case 'year':
      time.setUTCMonth(0, 1);
      break;
    case 'day':
      break;
  }
  return format(time, period);
}

/** Adds periods to a time. A day that the month lacks becomes the last day of the month. */
export function addPeriods(text: string, period: Period, count: number): string {
  const time = parse(text);
  const months = { month: 1, quarter: 3, year: 12 }[period as 'month'] as number | undefined;
  if (period === 'hour') time.setUTCHours(time.getUTCHours() + count);
  else if (period === 'day') time.setUTCDate(time.getUTCDate() + count);
  else if (period === 'week') time.setUTCDate(time.getUTCDate() + 7 * count);
  else if (months !== undefined) {
    const day = time.getUTCDate();
    time.setUTCMonth(time.getUTCMonth() + months * count, 1);
    const last = new Date(time);
    last.setUTCMonth(last.getUTCMonth() + 1, 0);
    time.setUTCDate(Math.min(day, last.getUTCDate()));
  }
  return format(time, period);
}

/** The last day of the period that contains the time. */
export const lastDayOf = (time: string, period: PeriodUnit): string =>
  addPeriods(addPeriods(startOfPeriod(time, period), period, 1), 'day', -1);

/** The starts of all periods from the first to the last, or `undefined` if there are more than `maxCount`. */
export function listPeriods(
  first: string,
  last: string,
  period: Period,
  maxCount: number,
): string[] | undefined {
  const starts: string[] = [];
  for (let index = 0; ; index += 1) {
    const start = addPeriods(first, period, index);
    // ISO 8601 writes the year 10,000 with a sign.
    if (start > last || start.startsWith('+')) return starts;
    if (starts.length === maxCount) return undefined;
    starts.push(start);
  }
}

/**
 * Whether the data ends before the period does. A period counts as complete if the newest row is from
 * its last day (dates), its last hour (times), or its last minute (periods of an hour).
 */
export const isIncomplete = (start: string, period: Period, dataAsOf: string): boolean =>
  endsBefore(dataAsOf, addPeriods(start, period, 1), period);

/** Whether the data ends before the end of a period, or of a part of it. */
export function endsBefore(dataAsOf: string, end: string, period: Period): boolean {
  const minutes = dataAsOf.length === 10 ? 24 * 60 : period === 'hour' ? 1 : 60;
  return parse(dataAsOf.slice(0, 19)).getTime() + minutes * 60_000 < parse(end).getTime();
}
