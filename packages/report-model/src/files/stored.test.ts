import { expect, it } from 'vitest';

import { datasetSchema } from './dataset.ts';
import { reportSchema } from './report.ts';

// What is parsed is stored, and the previous release refuses properties that it does not know.
it('a dataset that uses no new property is stored without any', () => {
  const dataset = datasetSchema.parse({
    name: 'Orders',
    source: { file: 'orders.csv', csv: { delimiter: ';' } },
    fields: [{ name: 'Region' }],
    metrics: [{ name: 'Rows', expression: 'count()' }],
  });
  expect(dataset).toEqual({
    name: 'Orders',
    source: { file: 'orders.csv', csv: { delimiter: ';', header: true } },
    rowAccess: 'by-role',
    fields: [{ name: 'Region' }],
    metrics: [{ name: 'Rows', expression: 'count()' }],
    hierarchies: [],
    roles: [],
  });
});

it('a report that uses no new property is stored without any', () => {
  const { pages } = reportSchema.parse({
    name: 'Sales',
    workspace: 'Reports',
    dataset: 'orders',
    pages: [
      {
        name: 'Overview',
        rows: [
          {
            tiles: [
              { type: 'kpi', metric: 'Rows' },
              { type: 'bar', x: 'Region', y: 'Rows' },
              { type: 'table', dimensions: ['Region'] },
              { type: 'pivot', rows: ['Region'], columns: ['Year'], metrics: ['Rows'] },
            ],
          },
        ],
      },
    ],
  });
  expect(pages[0]!.rows[0]!.tiles).toEqual([
    { type: 'kpi', metric: 'Rows' },
    { type: 'bar', x: 'Region', y: ['Rows'], limit: 50, stack: 'stacked' },
    { type: 'table', dimensions: ['Region'], metrics: [], totals: false, pageSize: 25 },
    { type: 'pivot', rows: ['Region'], columns: ['Year'], metrics: ['Rows'], totals: true },
  ]);
});
