import { expect, it } from 'vitest';

import { isBetween } from './compare.ts';

it.each([
  ['integer', '1.5', '3.5', '2', '3'],
  ['integer', '-3.5', '-1.5', '-3', '-2'],
  ['integer', '-0.5', '0.5', '0', '0'],
  ['integer', '12.0', '20', '12', '20'],
  ['decimal', '0.12345678901', '12.12345678909', '0.1234567891', '12.1234567890'],
  ['decimal', '-12.12345678909', '-0.12345678901', '-12.1234567890', '-0.1234567891'],
] as const)(
  'the ends of a range of %s from %s to %s are rounded to %s and %s, toward its inside',
  (type, from, to, low, high) => {
    const field = { type, expression: { kind: 'literal', type, value: '0' } } as never;
    expect(isBetween(field, { from, to })).toMatchObject({
      from: { value: low, isIncluded: true },
      to: { value: high, isIncluded: true },
    });
  },
);
