import messages from 'page-kit/messages/en.json';
import { describe, expect, it } from 'vitest';

import { createFormats } from '../../format/create-formats.ts';
import { formats as english } from '../../test/formats.ts';
import { integer } from '../../test/samples.ts';
import type { Chart } from '../read-chart.ts';
import type { ValueAxis } from '../value-axis.ts';
import { describePanels, describePlace, fitValueAxis, type Subject } from './frame.ts';

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
  const formats = createFormats('en', messages, []);
  expect(describePanels(chart, 0, formats)).toMatch(
    /^\u2068\u202ea\nb\u2069 · [^·\n]*57[^·\n]* · [^·\n]*57[^·\n]*$/,
  );
});

describe('the tooltip of a place', () => {
  const linesOf = (values: (number | null)[], part: Partial<Chart> = {}) => {
    const series = values.map((_, index) => ({ name: `S${index}`, format: integer }));
    const panel = { series, values: values.map((value) => [value]) };
    const places = [{ name: 'A', isIncomplete: false }];
    const chart = { type: 'column', stack: 'stacked', places, panels: [panel], ...part };
    return describePlace({ chart, panel, formats: english } as unknown as Subject, 0);
  };

  it('a tooltip omits a missing value beside other series, and shows a dash for a single one', () => {
    expect(linesOf([1, null, 3])).toEqual(['A', 'S0: 1', 'S2: 3']);
    expect(linesOf([null])).toEqual(['A', 'S0: –']);
  });

  it('a tooltip lists at most twelve values and counts the rest', () => {
    const values = Array.from({ length: 13 }, () => 1);
    expect(linesOf(values.slice(1))).toHaveLength(13);
    expect(linesOf(values)).toHaveLength(14);
    expect(linesOf(values).at(-1)).toBe('and 1 more');
  });

  it('a tooltip of a share chart shows shares, except for zero and for lines', () => {
    expect(linesOf([1, 3, 0], { stack: 'percent' })).toEqual([
      'A',
      'S0: 1 (25.0%)',
      'S1: 3 (75.0%)',
      'S2: 0',
    ]);
    expect(linesOf([1, 3], { stack: 'percent', type: 'line' })).toEqual(['A', 'S0: 1', 'S1: 3']);
  });
});
