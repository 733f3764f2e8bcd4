import { describe, expect, it } from 'vitest';

import {
  countDays,
  firstDayOf,
  listDays,
  shiftDays,
  type ComparedUnit,
} from '../../test/support/calendar.ts';
import { findComparedSpans } from './compared-spans.ts';
import { readSpans, shiftSpan } from './spans.ts';

const days = listDays(2023, 2025);
const months = ['month', 'quarter', 'year'] as const;
const units: readonly ComparedUnit[] = ['day', 'week', ...months];

it.each([
  ['2024-01-01', '2024-02-28', 'year', '2023-01-01', '2023-02-28', 59],
  ['2024-01-01', '2024-02-29', 'year', '2023-01-01', '2023-02-28', 59],
  ['2025-01-01', '2025-02-28', 'year', '2024-01-01', '2024-02-29', 60],
  ['2024-05-01', '2024-05-30', 'month', '2024-04-01', '2024-04-30', 30],
  ['2024-03-01', '2024-03-29', 'month', '2024-02-01', '2024-02-29', 29],
  ['2024-03-01', '2024-03-30', 'month', '2024-02-01', '2024-02-29', 29],
  ['2024-03-01', '2024-03-31', 'month', '2024-02-01', '2024-02-29', 29],
  ['2024-04-01', '2024-04-30', 'month', '2024-03-01', '2024-03-31', 31],
  ['2024-04-01', '2024-05-30', 'quarter', '2024-01-01', '2024-02-29', 60],
  ['2024-10-01', '2024-11-30', 'quarter', '2024-07-01', '2024-08-31', 62],
  ['2023-02-28', '2023-02-28', 'month', '2023-01-28', '2023-01-28', 1],
  ['2023-02-20', '2023-02-28', 'month', '2023-01-20', '2023-01-28', 9],
  ['2024-02-28', '2024-02-28', 'year', '2023-02-28', '2023-02-28', 1],
  ['2023-04-01', '2024-02-28', 'year', '2022-04-01', '2023-02-28', 334],
  ['2024-02-26', '2024-03-01', 'week', '2024-02-19', '2024-02-23', 5],
  ['2024-03-01', '2024-03-01', 'day', '2024-02-29', '2024-02-29', 1],
] as const)(
  '%s to %s is compared with the previous %s from %s to %s (%i days)',
  (from, to, unit, earlierFrom, earlierTo, count) => {
    const earlier = { from: earlierFrom, to: earlierTo };
    expect(shiftSpan({ from, to }, unit)).toEqual(earlier);
    expect(shiftDays(unit, from, to)).toEqual([earlierFrom, earlierTo]);
    expect(countDays(earlierFrom, earlierTo)).toBe(count);
  },
);

/** The expected earlier span for each last day. */
const expectShifted = (fromOf: (unit: ComparedUnit, to: string) => string, unit: ComparedUnit) => {
  const computed = days.map((to) => shiftSpan({ from: fromOf(unit, to), to }, unit));
  const expected = days.map((to) => {
    const [from, end] = shiftDays(unit, fromOf(unit, to), to);
    return { from, to: end };
  });
  expect(computed).toEqual(expected);
};

describe.each(units)('compared with the previous %s', (unit) => {
  it('each day of three years is one day', () => {
    expectShifted((_, to) => to, unit);
    for (const day of days) {
      const { from, to } = shiftSpan({ from: day, to: day }, unit);
      expect(from).toBe(to);
    }
  });

  it('each span from the start of its period to a day of three years follows the rule', () => {
    expectShifted(firstDayOf, unit);
  });

  it('each span from the start of a month, quarter or year follows the rule', () => {
    for (const start of months) expectShifted((_, to) => firstDayOf(start, to), unit);
  });

  it.each(['date', 'datetime'] as const)(
    'data of type %s that ends on any day of three years is compared until that day',
    (type) => {
      const endsOf = (day: string) => (type === 'date' ? day : `${day}T23:30:00`);
      for (const day of days) {
        const [from, to] = shiftDays(unit, firstDayOf(unit, day), day);
        const spans = findComparedSpans(type, endsOf(day), {}, unit);
        expect(spans?.current).toEqual({ from: firstDayOf(unit, day), to: day });
        expect(spans?.earlier).toEqual({ from, to });
      }
    },
  );

  it('a filter until any day of three years is compared until that day', () => {
    for (const to of days) {
      const [from, end] = shiftDays(unit, firstDayOf(unit, to), to);
      const spans = findComparedSpans('date', '2026-06-15', { to }, unit);
      expect(spans?.earlier).toEqual({ from, to: end });
      expect(spans?.isIncomplete).toBe(false);
    }
  });
});

it.each([
  // Whole months keep the time at their end.
  ['2024-02-01', '2024-02-29T23:59:59', 'month', '2024-01-01', '2024-01-31T23:59:59'],
  ['2024-02-01', '2024-02-29T12:00:00', 'month', '2024-01-01', '2024-01-29T12:00:00'],
  ['2024-02-01T08:00:00', '2024-02-29', 'month', '2024-01-01T08:00:00', '2024-01-29'],
  [
    '2024-03-31T09:00:00',
    '2024-03-31T10:00:00',
    'month',
    '2024-02-29T09:00:00',
    '2024-02-29T10:00:00',
  ],
  // The morning of March 31 is after the end of February.
  ['2024-03-29T12:00:00', '2024-03-31T08:00:00', 'month', '2024-02-29T12:00:00', '2024-02-29'],
  [
    '2024-03-01T22:00:00',
    '2024-03-02T02:00:00',
    'day',
    '2024-02-29T22:00:00',
    '2024-03-01T02:00:00',
  ],
  [
    '2024-03-31T22:00:00',
    '2024-04-02T02:00:00',
    'day',
    '2024-03-30T22:00:00',
    '2024-04-01T02:00:00',
  ],
] as const)(
  '%s to %s is compared with the previous %s from %s to %s',
  (from, to, unit, ...earlier) => {
    expect(shiftSpan({ from, to }, unit)).toEqual({ from: earlier[0], to: earlier[1] });
  },
);

it.each([
  [
    'days in a row',
    'date',
    ['2024-02-02', '2024-02-01', '2024-02-03'],
    [['2024-02-01', '2024-02-03']],
  ],
  [
    'a gap',
    'date',
    ['2024-02-01', '2024-02-03'],
    [
      ['2024-02-01', '2024-02-01'],
      ['2024-02-03', '2024-02-03'],
    ],
  ],
  [
    'ranges one after another',
    'date',
    ['2024-02-16..2024-02-29', '2024-02-01..2024-02-15'],
    [['2024-02-01', '2024-02-29']],
  ],
  [
    'a range within another',
    'date',
    ['2024-02-01..2024-02-29', '2024-02-03..2024-02-05'],
    [['2024-02-01', '2024-02-29']],
  ],
  [
    'open ranges',
    'date',
    ['2024-02-10..', '..2024-01-31'],
    [
      [undefined, '2024-01-31'],
      ['2024-02-10', undefined],
    ],
  ],
  ['open ranges that meet', 'date', ['2024-02-01..', '..2024-01-31'], [[undefined, undefined]]],
  [
    'days of a datetime',
    'datetime',
    ['2024-02-01..2024-02-01', '2024-02-02..2024-02-02'],
    [['2024-02-01', '2024-02-02']],
  ],
  [
    'a moment of a datetime',
    'datetime',
    ['2024-02-01'],
    [['2024-02-01T00:00:00', '2024-02-01T00:00:00']],
  ],
  [
    'a range until midnight',
    'datetime',
    ['2024-02-01T00:00:00..2024-03-01T00:00:00'],
    [['2024-02-01', '2024-02-29']],
  ],
  [
    'a range of one moment',
    'datetime',
    ['2024-03-01..2024-03-01T00:00:00'],
    [['2024-03-01T00:00:00', '2024-03-01T00:00:00']],
  ],
  ['a range that ends before it begins', 'date', ['2024-03-01..2024-02-01'], []],
  ['a text', 'date', ['soon', '2024-02-30'], []],
  ['all times', 'date', ['0001-01-01..9999-12-31', '2024-01-01'], [['0001-01-01', '9999-12-31']]],
] as const)('a filter by %s selects its spans', (_, type, texts, expected) => {
  expect(readSpans(type, texts)).toEqual(expected.map(([from, to]) => ({ from, to })));
});
