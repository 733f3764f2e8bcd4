import { loadFormats } from 'viewer/formats';
import { expect, it } from 'vitest';

import { titleTile } from './name-tile.ts';

const names = { fields: ['Region', 'Ordered', 'Review by month'] };

it.each([
  [{ type: 'kpi', metric: 'Sales', title: 'Revenue' }, 'Revenue'],
  [{ type: 'kpi', metric: 'gross Sales' }, 'gross Sales'],
  [
    { type: 'line', x: 'Ordered by month', y: ['Sales', 'Profit'], color: 'Region' },
    'Sales and profit by month and region',
  ],
  [{ type: 'donut', metric: 'Sales', color: 'Ordered by day of week' }, 'Sales by day of the week'],
  [{ type: 'bar', x: 'Review by month', y: 'Sales' }, 'Sales by review by month'],
  [{ type: 'table', dimensions: ['Region'] }, 'Region'],
  [{ type: 'text', text: 'Hello\nworld' }, 'Hello'],
  [{ type: 'unknown' }, ''],
])('the tile %j has the title %j', async (tile, title) => {
  expect(titleTile(tile, names, await loadFormats('en'))).toBe(title);
});
