import { describe, expect, it } from 'vitest';

import { toDate } from '../format/periods.ts';
import { chooseTimeTicks, isPeriod, periodNumber } from './time-ticks.ts';

const days = (first: string, count: number, step = 1) =>
  Array.from(
    { length: count },
    (_, index) => new Date(Date.parse(first) + index * step * 86_400_000),
  );
const monthsFrom = (year: number, count: number) =>
  Array.from({ length: count }, (_, month) => new Date(Date.UTC(year, month)));
const isoOf = (dates: Date[]) => dates.map((date) => date.toISOString().slice(0, 10));

describe('the number of a period', () => {
  it.each([
    ['year', '2016-01-01', '2017-01-01'],
    ['quarter', '2016-10-01', '2017-01-01'],
    ['month', '2016-12-01', '2017-01-01'],
    ['week', '2016-12-26', '2017-01-02'],
    ['day', '2016-12-31', '2017-01-01'],
    ['hour', '2016-12-31T23:00', '2017-01-01T00:00'],
    ['week', '1969-12-22', '1969-12-29'],
  ] as const)('a %s after another has the next number: %s', (grain, first, second) => {
    expect(periodNumber(toDate(second), grain) - periodNumber(toDate(first), grain)).toBe(1);
  });

  it('weeks begin on Monday', () => {
    const week = (day: string) => periodNumber(toDate(day), 'week');
    expect(week('2017-01-02')).toBe(week('2017-01-08'));
    expect(week('2017-01-09')).toBe(week('2017-01-08') + 1);
  });
});

it.each([
  ['year', true],
  ['hour', true],
  ['day of week', false],
  [undefined, false],
] as const)(
  'a time axis of the grain %s continues from year to year: %s',
  (grain, isContinuous) => {
    expect(isPeriod(grain)).toBe(isContinuous);
  },
);

describe('the ticks of a time axis', () => {
  it.each([1, 2, 5, 8, 40])('a time axis has at most %d ticks', (most) => {
    for (const times of [days('2014-01-03', 1_400), monthsFrom(2011, 84), days('2016-02-29', 30)])
      expect(chooseTimeTicks(times, most).times.length).toBeLessThanOrEqual(Math.max(1, most));
  });

  it('ticks begin quarters or years where months do not fit', () => {
    expect(isoOf(chooseTimeTicks(monthsFrom(2016, 12), 4).times)).toEqual([
      '2016-01-01',
      '2016-04-01',
      '2016-07-01',
      '2016-10-01',
    ]);
    expect(isoOf(chooseTimeTicks(monthsFrom(2014, 48), 4).times)).toEqual([
      '2014-01-01',
      '2015-01-01',
      '2016-01-01',
      '2017-01-01',
    ]);
  });

  it('ticks of days and weeks are the first ones of a month', () => {
    expect(isoOf(chooseTimeTicks(days('2017-01-01', 90), 4).times)).toEqual([
      '2017-01-01',
      '2017-02-01',
      '2017-03-01',
    ]);
    expect(isoOf(chooseTimeTicks(days('2017-01-02', 12, 7), 4).times)).toEqual([
      '2017-01-02',
      '2017-02-06',
      '2017-03-06',
    ]);
  });

  it('a first time that is close to the next tick has no tick', () => {
    expect(isoOf(chooseTimeTicks(days('2017-01-29', 90), 4).times)).toEqual([
      '2017-02-01',
      '2017-03-01',
      '2017-04-01',
    ]);
  });

  it('ticks fall on quarters of a day if hourly ticks do not fit', () => {
    const hours = Array.from({ length: 24 }, (_, hour) => new Date(Date.UTC(2017, 0, 1, hour)));
    const ticksOf = (most: number) => chooseTimeTicks(hours, most);
    expect(ticksOf(24)).toEqual({ times: hours, grain: 'hour' });
    expect(ticksOf(4).times.map((time) => time.getUTCHours())).toEqual([0, 6, 12, 18]);
  });

  it('times that span 1,000 years get one tick if only one fits', () => {
    const years = [1400, 1900, 2400].map((year) => new Date(Date.UTC(year, 0)));
    expect(chooseTimeTicks(years, 1)).toEqual({ times: years.slice(0, 1), grain: 'year' });
  });

  it('all times are ticks if there is room for them', () => {
    expect(chooseTimeTicks(monthsFrom(2017, 3), 8).times).toHaveLength(3);
    expect(chooseTimeTicks([], 8).times).toEqual([]);
  });
});
