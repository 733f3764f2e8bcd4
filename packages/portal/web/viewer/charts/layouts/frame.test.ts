import { expect, it } from 'vitest';

import english from '../../../shared/messages/en.json';
import { createFormats } from '../../format/create-formats.ts';
import { integer } from '../../test/samples.ts';
import type { Chart } from '../read-chart.ts';
import type { ValueAxis } from '../value-axis.ts';
import { describePanels, fitValueAxis } from './frame.ts';

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

it('a name that changes the direction of writing or has several lines leaves the values as they are', () => {
  const panel = { name: 'West', series: [{ name: 'Sales', format: integer }], values: [[57]] };
  const places = [{ name: '\u202ea\nb', isIncomplete: false }];
  const chart = { places, panels: [panel, { ...panel, name: 'East' }] } as unknown as Chart;
  const formats = createFormats('en', english, []);
  expect(describePanels(chart, 0, formats)).toMatch(
    /^\u2068\u202ea\nb\u2069 · [^·\n]*57[^·\n]* · [^·\n]*57[^·\n]*$/,
  );
});
