import path from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, describe, expect, it } from 'vitest';

import { ContentStage } from '../../test/support/content.ts';

const stage = new ContentStage();
afterAll(() => stage.close());
stage.write(
  'orders.csv',
  'Region,Ordered,Sales\nWest,2024-02-03 09:30:00,10\nEast,2024-01-09 17:00:00,20\nEast,2024-02-03 09:45:00,40\nNorth,,5\n',
);

const over = (file: string) => ({
  source: { file },
  metrics: [{ name: 'Sales', expression: 'sum(Sales)' }],
});

/** The kind of a bar chart's axis, and its points. */
async function chart(x: string, file = 'orders.csv') {
  const [tile] = await stage.tilesOf(over(file), [{ type: 'bar', x, y: 'Sales' }]);
  if (tile?.type !== 'bar' || !('dimensions' in tile)) throw new Error(JSON.stringify(tile));
  const points = tile.groups.map(({ keys, values }) => [keys[0], values[0]]);
  return { kind: tile.dimensions[0]?.dimension.kind, points };
}

it.each([
  ['sum', 15],
  ['avg', 5],
  ['min', 1],
  ['max', 12],
  ['count', 3],
])('a number can be the %s of a column', async (name, expected) => {
  stage.write('numbers.csv', 'Sales\n1\n2\n12\n');
  const metrics = [{ name: 'Number', expression: `${name}(Sales)` }];
  const dataset = { source: { file: 'numbers.csv' }, metrics };
  const tiles = await stage.tilesOf(dataset, [{ type: 'kpi', metric: 'Number' }]);
  expect(tiles).toMatchObject([{ value: expected }]);
});

describe('the groups of a chart', () => {
  it('categories are sorted by value, the highest first, then by name', async () => {
    expect(await chart('Region')).toEqual({
      kind: 'category',
      points: [
        ['East', 60],
        ['West', 10],
        ['North', 5],
      ],
    });
    stage.write('equal.csv', 'Region,Sales\nB,1\nA,1\nC,1\n');
    const { points } = await chart('Region', 'equal.csv');
    expect(points.map(([x]) => x)).toEqual(['A', 'B', 'C']);
  });

  it.each([
    [
      'day',
      [
        ['2024-01-09', 20],
        ['2024-02-03', 50],
        [null, 5],
      ],
    ],
    [
      'month',
      [
        ['2024-01-01', 20],
        ['2024-02-01', 50],
        [null, 5],
      ],
    ],
    [
      'year',
      [
        ['2024-01-01', 70],
        [null, 5],
      ],
    ],
  ])('times are grouped by %s, in order', async (grain, expected) => {
    const { kind, points } = await chart(`Ordered by ${grain}`);
    expect(kind).toBe('time');
    expect(points.filter(([, y]) => y !== 0)).toEqual(expected);
  });

  it('a day without rows is 0 for a sum', async () => {
    const { points } = await chart('Ordered by day');
    expect(points).toHaveLength(27);
    expect(points.slice(0, 2)).toEqual([
      ['2024-01-09', 20],
      ['2024-01-10', 0],
    ]);
  });

  it('a chart by hour of day shows all 24 hours in order', async () => {
    const { kind, points } = await chart('Ordered by hour of day');
    expect(kind).toBe('number');
    expect(points.map(([x]) => x)).toEqual([...Array.from({ length: 24 }).keys(), null]);
    expect(points.filter(([, y]) => y !== 0)).toEqual([
      [9, 50],
      [17, 20],
      [null, 5],
    ]);
  });

  it.each([
    ['times', '2024-01-10\n2024-01-09', 'time', ['2024-01-09', '2024-01-10']],
    [
      'times of day',
      '2024-01-09 17:00:00\n2024-01-09 09:00:00',
      'time',
      ['2024-01-09T09:00:00', '2024-01-09T17:00:00'],
    ],
    ['whole numbers', '10\n9', 'number', [9, 10]],
    ['decimal numbers', '10.5\n9.5', 'number', [9.5, 10.5]],
    ['text', 'b\na', 'category', ['a', 'b']],
  ])('ungrouped %s keep their kind and order', async (_kind, rows, kind, xs) => {
    stage.write('values.csv', `Value,Sales\n${rows.split('\n').join(',1\n')},1\n`);
    const { points, ...rest } = await chart('Value', 'values.csv');
    expect([rest.kind, points.map(([x]) => x)]).toEqual([kind, xs]);
  });

  it.each(['DECIMAL(9, 2)', 'FLOAT'])(
    'a column of type %s in a Parquet file is a number',
    async (type) => {
      const connection = await (await DuckDBInstance.create()).connect();
      await connection.run(
        `COPY (SELECT unnest([10.5, 9.5])::${type} AS Price, 1 AS Sales)
        TO '${path.join(stage.folder, 'acme', 'prices.parquet')}' (FORMAT parquet)`,
      );
      connection.closeSync();
      expect(await chart('Price', 'prices.parquet')).toEqual({
        kind: 'number',
        points: [
          [9.5, 1],
          [10.5, 1],
        ],
      });
    },
  );
});

describe('what a page has for each tile', () => {
  const compute = (format?: object | 'integer' | 'decimal') =>
    stage.compute(
      {
        source: { file: 'orders.csv' },
        metrics: [{ name: 'Sales', expression: 'sum(Sales)', format }],
      },
      [
        { type: 'kpi', title: 'Total', metric: 'Sales' },
        { type: 'bar', title: 'By region', x: 'Region', y: 'Sales', limit: 1 },
      ],
    );

  it.each([
    ['integer', { style: 'decimal', notation: 'standard', maximumFractionDigits: 0 }],
    [
      'decimal',
      {
        style: 'decimal',
        notation: 'standard',
        minimumFractionDigits: 1,
        maximumFractionDigits: 1,
      },
    ],
  ] as const)('a tile with the format %s has its options in full', async (format, options) => {
    const { page } = await compute(format);
    expect(page.rows[0]).toMatchObject([{ metric: { format: options } }]);
  });

  it('a tile has its title, labels and format', async () => {
    const format = {
      style: 'currency',
      currency: 'USD',
      notation: 'standard',
      maximumFractionDigits: 0,
    };
    const { page } = await compute(format);
    expect(page).toEqual({
      name: 'Page',
      index: 0,
      rows: [
        [
          {
            id: '0.0.0',
            type: 'kpi',
            title: 'Total',
            width: 12,
            metric: { name: 'Sales', format, isAdditive: true },
            value: 75,
          },
        ],
        [
          {
            id: '0.1.0',
            type: 'bar',
            title: 'By region',
            width: 12,
            dimensions: [
              { role: 'x', dimension: { name: 'Region', field: 'Region', kind: 'category' } },
            ],
            metrics: [{ name: 'Sales', format, isAdditive: true }],
            stack: 'stacked',
            groups: [
              { keys: ['East'], values: [60] },
              { keys: [null], values: [15], other: 2 },
            ],
            groupCount: 3,
            shownCount: 1,
          },
        ],
      ],
    });
  });
});
