import { expect, it } from 'vitest';

import { isIncomplete } from './periods.ts';

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
