import { expect, it } from 'vitest';

import { byCategory, byHour, byMonth } from '../test/samples.ts';
import { describeSeries } from './describe-series.ts';
import { createFormats } from './format.ts';

const formats = createFormats('en-US');

it('a chart is described by its kind, its values, and the first highest and lowest one', () => {
  const points = ['A', 'B', 'C', 'D'].map((x, index) => ({ x, y: [1, 2, 2, 1][index]! }));
  expect(describeSeries({ ...byCategory, points }, formats)).toBe(
    'Bar chart of Sales by Category, 4 values. Highest $2 at B, lowest $1 at A.',
  );
});

it('a chart with one value is described in the singular', () => {
  expect(describeSeries({ ...byHour, points: [{ x: 3, y: -1 }] }, formats)).toBe(
    'Bar chart of Minutes by Hour, 1 value. Highest -1.0 at 3, lowest -1.0 at 3.',
  );
});

it('a chart without known values is described without a highest and lowest one', () => {
  const points = [{ x: '2017-10-01', y: null }];
  expect(describeSeries({ ...byMonth, points }, formats)).toBe(
    'Line chart of Sales by Month, 1 value.',
  );
  expect(describeSeries({ ...byMonth, points: [] }, formats)).toBe(
    'Line chart of Sales by Month, 0 values.',
  );
});
