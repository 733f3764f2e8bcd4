import type { ConditionalFormat, Metric } from '@portal-embed/report-model';
import { describe, expect, it } from 'vitest';

import { percent } from '../../test/gallery-charts.ts';
import { findExtents, findHighlight, judge } from './highlight.ts';

const metric = (conditionalFormat?: ConditionalFormat, better?: Metric['better']): Metric => ({
  name: 'Margin',
  format: percent,
  ...(conditionalFormat && { conditionalFormat }),
  ...(better && { better }),
});
const thresholds: ConditionalFormat = {
  type: 'thresholds',
  thresholds: [
    { below: 0, status: 'bad' },
    { atLeast: 0, below: 10, status: 'warning' },
    { atLeast: 20, status: 'good' },
    { atLeast: 5, status: 'bad' },
  ],
};

it.each([
  [-0.1, 'bad'],
  [0, 'warning'],
  ['9.9', 'warning'],
  // The first threshold that the number meets applies.
  [10, 'bad'],
  [20, 'good'],
])('the status of %s is %s', (value, status) => {
  expect(findHighlight(metric(thresholds), value)).toEqual({ type: 'status', status });
});

it('thresholds judge no totals, and arrows do', () => {
  expect(findHighlight(metric(thresholds), 1_000_000, { isTotal: true })).toBeUndefined();
  expect(findHighlight(metric({ type: 'arrow' }), 1, { isTotal: true })).toMatchObject({
    direction: 'up',
  });
});

it('a missing number, and one that meets no threshold, have no highlight', () => {
  const only: ConditionalFormat = {
    type: 'thresholds',
    thresholds: [{ below: 0, status: 'bad' }],
  };
  expect(findHighlight(metric(only), 1)).toBeUndefined();
  for (const type of ['bar', 'scale', 'arrow'] as const)
    expect(findHighlight(metric({ type }), null, { extent: { low: 0, high: 1 } })).toBeUndefined();
  expect(findHighlight(metric(), 1)).toBeUndefined();
});

it.each([
  [1, undefined, 'up', 'good'],
  [-1, undefined, 'down', 'bad'],
  [1, 'lower', 'up', 'bad'],
  [-1, 'lower', 'down', 'good'],
  [-1, 'neither', 'down', undefined],
] as const)('an arrow at %s with better: %s is %s and %s', (value, better, direction, status) => {
  expect(findHighlight(metric({ type: 'arrow' }, better), value)).toEqual({
    type: 'arrow',
    direction,
    status,
  });
  expect(judge(metric(undefined, better), value)).toBe(status);
});

it('zero and no change are neither good nor bad', () => {
  expect(findHighlight(metric({ type: 'arrow' }), 0)).toBeUndefined();
  expect(judge(metric(), 0)).toBeUndefined();
  expect(judge(metric(), NaN)).toBeUndefined();
});

describe('a bar', () => {
  const bar = (value: number, low: number, high: number) =>
    findHighlight(metric({ type: 'bar' }), value, { extent: { low, high } });

  it.each([
    [5, 2, 10, { start: 0, end: 50, zero: 0 }],
    [-5, -10, 30, { start: 12.5, end: 25, zero: 25 }],
    [30, -10, 30, { start: 25, end: 100, zero: 25 }],
    [-5, -10, -2, { start: 50, end: 100, zero: 100 }],
    [0, 0, 0, { start: 0, end: 0, zero: 0 }],
  ])('of %s between %s and %s starts at zero', (value, low, high, expected) => {
    expect(bar(value, low, high)).toEqual({ type: 'bar', ...expected });
  });

  it('is only in columns', () => {
    expect(findHighlight(metric({ type: 'bar' }), 1)).toBeUndefined();
  });
});

it.each([
  [{ type: 'scale' }, 5, 0.5],
  [{ type: 'scale', from: 5, to: 6 }, 9, 1],
  [{ type: 'scale', from: 5 }, 2, 0],
] as const)('%j gives %s the depth %s', (format, value, depth) => {
  expect(findHighlight(metric(format), value, { extent: { low: 0, high: 10 } })).toEqual({
    type: 'scale',
    depth,
  });
});

it('the extent of a column leaves out missing numbers', () => {
  const groups = ['3', null, -2.5].map((value) => ({ keys: [], values: [value, 1] }));
  expect(findExtents([metric({ type: 'bar' }), metric()], groups)).toEqual([
    { low: -2.5, high: 3 },
    { low: Infinity, high: -Infinity },
  ]);
});
