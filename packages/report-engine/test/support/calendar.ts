/** Calendar arithmetic for expectations, written without the code that it checks. */

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isLeap = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const lengthOfMonth = (year: number, month: number): number =>
  month === 2 && isLeap(year) ? 29 : monthLengths[month - 1]!;

const write = (year: number, month: number, day: number) =>
  [String(year), ...[month, day].map((part) => String(part).padStart(2, '0'))].join('-');

const read = (day: string) => day.split('-').map(Number) as [number, number, number];

/** All days from the first of January of one year to the end of another. */
export function listDays(firstYear: number, lastYear: number): string[] {
  const days: string[] = [];
  for (let year = firstYear; year <= lastYear; year += 1)
    for (let month = 1; month <= 12; month += 1)
      for (let day = 1; day <= lengthOfMonth(year, month); day += 1)
        days.push(write(year, month, day));
  return days;
}

/** Number of days from the first to the last, if both count. */
export const countDays = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;

export type ComparedUnit = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** The first day of the period that contains the day. */
export function firstDayOf(unit: ComparedUnit, of: string): string {
  const [year, month] = read(of);
  if (unit === 'day') return of;
  // 0 is a Monday.
  if (unit === 'week') return minusDays(of, (new Date(of).getUTCDay() + 6) % 7);
  const quarter = [1, 1, 1, 4, 4, 4, 7, 7, 7, 10, 10, 10][month - 1]!;
  return write(year, { month, quarter, year: 1 }[unit], 1);
}

const minusDays = (day: string, count: number) =>
  new Date(Date.parse(day) - count * 86_400_000).toISOString().slice(0, 10);

function minusMonths(of: string, count: number) {
  const [year, month, day] = read(of);
  const months = year * 12 + (month - 1) - count;
  const [earlierYear, earlierMonth] = [Math.floor(months / 12), (months % 12) + 1];
  const length = lengthOfMonth(earlierYear, earlierMonth);
  return {
    sameDay: write(earlierYear, earlierMonth, Math.min(day, length)),
    lastDay: write(earlierYear, earlierMonth, length),
  };
}

/**
 * The earlier days that the days from the first to the last are compared with. The rule: whole months
 * become whole months; otherwise the last day is shifted, and a day that the month lacks becomes its last.
 */
export function shiftDays(unit: ComparedUnit, from: string, to: string): [string, string] {
  if (unit === 'day') return [minusDays(from, 1), minusDays(to, 1)];
  if (unit === 'week') return [minusDays(from, 7), minusDays(to, 7)];
  const months = { month: 1, quarter: 3, year: 12 }[unit];
  const [year, month, day] = read(to);
  const isWhole = read(from)[2] === 1 && day === lengthOfMonth(year, month);
  const end = minusMonths(to, months);
  return [minusMonths(from, months).sameDay, isWhole ? end.lastDay : end.sameDay];
}
