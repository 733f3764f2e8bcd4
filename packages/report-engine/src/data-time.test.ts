import type { RowPredicate } from '@portal-embed/report-model';
import { afterAll, expect, it } from 'vitest';

import { ContentStage } from '../test/support/content.ts';
import { readerView } from '../test/support/reader-view.ts';

const stage = new ContentStage();
afterAll(() => stage.close());
stage.write('orders.csv', 'Region,Ordered,Sales\nWest,2024-03-05,10\nEast,2024-03-17,20\n');

const orders = {
  source: { file: 'orders.csv' },
  time: 'Ordered',
  metrics: [
    { name: 'Sales', expression: 'sum(Sales)' },
    { name: 'Rows', expression: 'count()' },
  ],
};
const report = {
  filters: [{ field: 'Region' }],
  pages: [
    {
      name: 'P',
      rows: [
        { tiles: [{ type: 'kpi' as const, metric: 'Rows', compare: 'previous month' as const }] },
      ],
    },
  ],
};

const isIn = (...regions: string[]): RowPredicate => ({ field: 'Region', in: regions });

it.each<[string, RowPredicate[]]>([
  ['a reader without a role', []],
  ['a reader whose role allows no row', [isIn('North')]],
])('the answer for %s does not contain the time of the data', async (_reader, visibleRows) => {
  const computed = await stage.compute(orders, report, { visibleRows });
  expect(computed).not.toHaveProperty('dataAsOf');
  expect(computed.page.rows[0]![0]).toMatchObject({ value: 0 });
  expect(JSON.stringify(computed)).not.toContain('2024-');
});

it('a reader whose filters leave no row has the time of the data', async () => {
  const view = readerView({ field: 'Region', values: ['East'] });
  const computed = await stage.compute(orders, report, { visibleRows: [isIn('West')], view });
  expect(computed).toMatchObject({ rowCount: 0, dataAsOf: '2024-03-17' });
});

it('relative dates use the time of the whole data for each reader', async () => {
  const filters = [{ field: 'Ordered', default: 'last 1 months' }];
  const { readerFilters } = await stage.compute(
    orders,
    { ...report, filters },
    { visibleRows: [isIn('West')] },
  );
  expect(readerFilters).toMatchObject([{ values: ['2024-03-01..2024-03-31'] }]);
});
