import { expect, it } from 'vitest';

import { addPeriods, isIncomplete, lastDayOf, startOfPeriod } from './periods.ts';

it.each([
  ['month', '2024-02-01', '2024-02-28', true],
  ['month', '2024-02-01', '2024-02-29', false],
  ['month', '2024-02-01', '2024-02-29T22:59:59', true],
  ['month', '2024-02-01', '2024-02-29T23:00:00', false],
  ['hour', '2024-02-01T10:00:00', '2024-02-01T10:58:59', true],
  ['hour', '2024-02-01T10:00:00', '2024-02-01T10:59:00', false],
] as const)(
  'a %s from %s with data until %s is incomplete: %s',
  (period, start, dataAsOf, expected) => {
    expect(isIncomplete(start, period, dataAsOf)).toBe(expected);
  },
);

it.each([
  ['hour', '2024-02-29T10:00:00', '2024-02-29T11:00:00'],
  ['day', '2024-02-29', '2024-03-01'],
  ['week', '2024-02-26', '2024-03-04'],
  ['month', '2024-02-01', '2024-03-01'],
  ['quarter', '2024-01-01', '2024-04-01'],
  ['year', '2024-01-01', '2025-01-01'],
] as const)('the %s of a time begins at %s and ends before %s', (period, start, end) => {
  expect(startOfPeriod('2024-02-29T10:30:15', period)).toBe(start);
  expect(addPeriods(start, period, 1)).toBe(end);
  expect(addPeriods(end, period, -1)).toBe(start);
});

it.each([
  ['2024-02-10', 'month', '2024-02-29'],
  ['2024-02-29T23:00:00', 'quarter', '2024-03-31'],
  ['2024-02-26', 'week', '2024-03-03'],
  ['2024-02-29', 'year', '2024-12-31'],
  ['2024-02-29', 'day', '2024-02-29'],
] as const)('the last day of the period of %s (%s) is %s', (time, period, expected) => {
  expect(lastDayOf(time, period)).toBe(expected);
});
