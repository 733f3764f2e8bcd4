import { expect, it } from 'vitest';

import type { ValueAxis } from '../value-axis.ts';
import { fitValueAxis } from './frame.ts';

/** An axis with as many ticks as asked for, and labels of `length` characters. */
const createAxis =
  (length: number) =>
  (count: number): ValueAxis => ({
    domain: [0, 1],
    ticks: Array.from({ length: count }, (_, tick) => tick),
    label: () => '0'.repeat(length),
  });

it.each([
  [100, 1, 2],
  [269, 1, 2],
  [270, 1, 3],
  [900, 1, 10],
  [900, 10, 10],
  [900, 20, 5],
  [100, 10, 1],
  [100, 40, 1],
])('an axis of %i px has, for labels of %i characters, %i ticks', (room, length, count) => {
  expect(fitValueAxis(room, createAxis(length)).ticks).toHaveLength(count);
});
