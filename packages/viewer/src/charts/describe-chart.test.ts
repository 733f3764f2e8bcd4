import { expect, it } from 'vitest';

import { formats } from '../test/formats.ts';
import { byCategory, byHour, byMonth } from '../test/samples.ts';
import { describeChart } from './describe-chart.ts';

it('a chart is described by its kind, its values, and the first highest and lowest one', () => {
  const groups = ['A', 'B', 'C', 'D'].map((key, index) => ({
    keys: [key],
    values: [[1, 2, 2, 1][index]!],
  }));
  expect(describeChart({ ...byCategory, groups }, formats)).toBe(
    'Bar chart of Sales by Category. 4 values. Highest $2 at B, lowest $1 at A.',
  );
});

it('a chart with one value is described in the singular', () => {
  expect(describeChart({ ...byHour, groups: [{ keys: [3], values: [-1] }] }, formats)).toBe(
    'Column chart of Minutes by Hour. 1 value. Highest -1.0 at 3, lowest -1.0 at 3.',
  );
});

it('a chart without known values is described without a highest and lowest one', () => {
  const groups = [{ keys: ['2017-10-01'], values: [null] }];
  expect(describeChart({ ...byMonth, groups }, formats)).toBe(
    'Line chart of Sales by Month. 1 value.',
  );
  expect(describeChart({ ...byMonth, groups: [] }, formats)).toBe(
    'Line chart of Sales by Month. 0 values.',
  );
});

it('a description names the series, and the groups beyond the limit with their number', () => {
  const color = { role: 'color', dimension: { name: 'Region', kind: 'category' } } as const;
  const groups = [
    { keys: ['A', 'West'], values: [1] },
    { keys: [null, 'West'], values: [9], other: 4_985 },
  ];
  const dimensions = [...byCategory.dimensions, color];
  expect(describeChart({ ...byCategory, dimensions, groups }, formats)).toBe(
    'Bar chart of Sales by Category and Region. 2 values. Highest $9 at Other (4,985) and West, lowest $1 at A and West.',
  );
});

it('a chart of several metrics is described without a highest and lowest value', () => {
  const metrics = [...byMonth.metrics, { ...byMonth.metrics[0]!, name: 'Cost' }];
  expect(describeChart({ ...byMonth, metrics }, formats)).toBe(
    'Line chart of Sales and Cost by Month. 3 values.',
  );
});
