import type { KpiTile } from '@portal-embed/report-model';
import { expect, it } from 'vitest';

import { formats } from '../../test/formats.ts';
import { totalSales } from '../../test/samples.ts';
import { describePoints } from './describe-points.ts';

const month = { name: 'Month', kind: 'time', grain: 'month' } as const;
const keys = Array.from({ length: 14 }, (_, index) =>
  new Date(Date.UTC(2016, index)).toISOString().slice(0, 10),
);
const points = keys.map((key, index) => ({ key, value: 100 + 10 * index }));

function describe(part: Partial<KpiTile>, index: number) {
  const tile = { ...totalSales, ...part };
  return describePoints(tile, { dimension: month, points }, keys, formats)(index).split('\n');
}

const comparison = { label: 'previous year', from: '', to: '', value: 1 } as const;

it('a point of a sparkline has its period and number', () => {
  expect(describe({}, 13)).toEqual(['2017-02-01', 'Sales: $230']);
});

it('a point has its change since the same period of the compared year', () => {
  expect(describe({ comparison }, 12)).toEqual([
    '2017-01-01',
    'Sales: $220',
    '+120.0% vs. 2016-01-01',
  ]);
  expect(describe({ comparison }, 11)).toEqual(['2016-12-01', 'Sales: $210']);
});

it('an incomplete period has no change, because its days would be compared with whole months', () => {
  const period = { from: '', to: '', isIncomplete: true };
  expect(describe({ comparison, period }, 13)).toEqual(['2017-02-01', 'Sales: $230']);
  expect(describe({ comparison, period }, 12)).toHaveLength(3);
});

it('a week has no change since the previous month, which does not begin with a week', () => {
  const dimension = { ...month, grain: 'week' } as const;
  const tile = { ...totalSales, comparison: { ...comparison, label: 'previous month' } as const };
  const lines = describePoints(tile, { dimension, points }, keys, formats)(13).split('\n');
  expect(lines).toHaveLength(2);
});
