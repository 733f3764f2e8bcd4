import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { ContentStage, storeDataset } from '../../test/support/content.ts';
import { Engine } from '../engine/engine.ts';

let stage: ContentStage;
beforeAll(() => {
  stage = new ContentStage();
  stage.write(
    'orders.csv',
    [
      'Region,Category,Ordered,Sales,Exact',
      'West,Chairs,2023-03-01,10,-12345678901234567.25',
      'West,Desks,2024-01-03,20,1',
      'East,Chairs,2024-03-09,15,1',
      ',Desks,2024-03-10,5,1',
      '',
    ].join('\n'),
  );
});
afterAll(() => stage.close());

const dataset = {
  source: { file: 'orders.csv' },
  rowAccess: 'everyone' as const,
  time: 'Ordered',
  metrics: [
    { name: 'Sales', expression: 'sum(Sales)' },
    { name: 'Exact', expression: 'sum(Exact)' },
    { name: 'Categories', expression: 'count_distinct(Category)' },
  ],
};

describe('an exported', () => {
  it('chart has all groups and no "Other"', async () => {
    const tile = { type: 'bar', x: 'Region', y: 'Sales', limit: 1 } as const;
    expect(await stage.export(dataset, [tile])).toEqual([
      ['Region', 'Sales'],
      ['West', 30],
      ['East', 15],
      [null, 5],
    ]);
  });

  it('time series has a row for each series and period with rows', async () => {
    const tile = { type: 'line', x: 'Ordered by month', y: 'Sales', color: 'Category' } as const;
    expect(await stage.export(dataset, [tile])).toEqual([
      ['Ordered by month', 'Category', 'Sales'],
      ['2023-03-01', 'Chairs', 10],
      ['2024-01-01', 'Desks', 20],
      ['2024-03-01', 'Chairs', 15],
      ['2024-03-01', 'Desks', 5],
    ]);
  });

  it('pivot has its layout, with totals that are no sums', async () => {
    const tile = {
      type: 'pivot' as const,
      rows: ['Region', 'Category'],
      columns: ['Ordered by year'],
      metrics: ['Sales', 'Categories'],
    };
    const file = await stage.exportFile(dataset, [tile]);
    const year = (value: string) => [{ value, type: 'date' }];
    const total = [{ value: 'Total', type: 'text' }];
    expect(file.columns.map(({ name, heads }) => [name, heads])).toEqual([
      ['Region', []],
      ['Category', []],
      ['Sales', year('2023-01-01')],
      ['Categories', year('2023-01-01')],
      ['Sales', year('2024-01-01')],
      ['Categories', year('2024-01-01')],
      ['Sales', total],
      ['Categories', total],
    ]);
    expect(file.rows).toEqual([
      ['East', 'Chairs', null, null, 15, 1, 15, 1],
      ['East', 'Total', null, null, 15, 1, 15, 1],
      ['West', 'Chairs', 10, 1, null, null, 10, 1],
      ['West', 'Desks', null, null, 20, 1, 20, 1],
      ['West', 'Total', 10, 1, 20, 1, 30, 2],
      [null, 'Desks', null, null, 5, 1, 5, 1],
      [null, 'Total', null, null, 5, 1, 5, 1],
      ['Total', null, 10, 1, 40, 2, 50, 2],
    ]);
  });

  it('pivot without subtotals, or without totals, has none', async () => {
    const tile = {
      type: 'pivot' as const,
      rows: ['Region', 'Category'],
      columns: ['Ordered by year'],
      metrics: ['Sales'],
    };
    const read = async (part: object) =>
      (await stage.exportFile(dataset, [{ ...tile, ...part }])).rows.map((row) => row.slice(0, 2));
    const leaves = [
      ['East', 'Chairs'],
      ['West', 'Chairs'],
      ['West', 'Desks'],
      [null, 'Desks'],
    ];
    expect(await read({ subtotals: false })).toEqual([...leaves, ['Total', null]]);
    expect(await read({ totals: false })).toEqual(leaves);
  });

  it('pivot is in the order that the reader has chosen', async () => {
    const tile = {
      type: 'pivot' as const,
      rows: ['Region', 'Category'],
      columns: ['Ordered by year'],
      metrics: ['Sales'],
    };
    const sorts = [{ tile: '0.0.0', column: 2, descending: true, keys: ['2024-01-01'] }];
    const { rows } = await stage.exportFile(dataset, [tile], {
      view: { filters: [], drills: [], sorts },
    });
    expect(rows.map((row) => row.slice(0, 2))).toEqual([
      ['West', 'Desks'],
      ['West', 'Chairs'],
      ['West', 'Total'],
      ['East', 'Chairs'],
      ['East', 'Total'],
      [null, 'Desks'],
      [null, 'Total'],
      ['Total', null],
    ]);
  });

  it('pivot of too many columns is a list of its groups', async () => {
    stage.write(
      'wide.csv',
      ['Row,Column', ...Array.from({ length: 101 }, (_, i) => `a,${i}`), ''].join('\n'),
    );
    const wide = { source: { file: 'wide.csv' }, metrics: [{ name: 'N', expression: 'count()' }] };
    const tile = { type: 'pivot' as const, rows: ['Row'], columns: ['Column'], metrics: ['N'] };
    const file = await stage.exportFile(wide, [tile]);
    expect(file.columns.map(({ name }) => name)).toEqual(['Row', 'Column', 'N']);
    expect(file.rows).toHaveLength(101);
  });

  it('table keeps its order', async () => {
    const tile = {
      type: 'table' as const,
      dimensions: ['Category', 'Region'],
      metrics: ['Sales'],
      sort: '-Sales',
      totals: true,
    };
    expect((await stage.export(dataset, [tile])).slice(1, 3)).toEqual([
      ['Desks', 'West', 20],
      ['Chairs', 'East', 15],
    ]);
  });

  it.each([
    ['y', { x: 'Sales', y: 'Exact' }, ['East', null, 'West']],
    ['size', { x: 'Exact', y: 'Exact', size: 'Sales' }, ['West', 'East', null]],
  ])('scatter has the points with the highest %s first', async (_role, metrics, points) => {
    const tile = { type: 'scatter', point: 'Region', ...metrics } as const;
    const [, ...rows] = await stage.export(dataset, [tile]);
    expect(rows.map(([point]) => point)).toEqual(points);
  });

  it.each([
    ['scatter', { type: 'scatter', point: 'Category', x: 'Sales', y: 'Exact', limit: 1 }],
    ['donut', { type: 'donut', color: 'Category', metric: 'Sales', limit: 1 }],
  ] as const)('%s has all groups', async (_type, tile) => {
    expect(await stage.export(dataset, [tile])).toHaveLength(3);
  });

  it('number has the numbers that it is compared with', async () => {
    const tile = {
      type: 'kpi' as const,
      metric: 'Sales',
      compare: 'previous year' as const,
      target: 50,
    };
    expect(await stage.export(dataset, [tile])).toEqual([
      ['Sales', 'Sales (previous year)', 'Sales (target)'],
      [40, 10, 50],
    ]);
  });

  it('number with a line has the numbers, then the values of the line', async () => {
    const tile = {
      type: 'kpi' as const,
      metric: 'Sales',
      compare: 'previous year' as const,
      target: 50,
      sparkline: 'quarter' as const,
    };
    expect(await stage.export(dataset, [tile])).toEqual([
      ['Value', 'From', 'To', 'Sales'],
      ['Sales', '2024-01-01', '2024-12-31', 40],
      ['previous year', '2023-01-01', '2023-03-10', 10],
      ['target', null, null, 50],
      ['quarter', '2023-01-01', '2023-03-31', 10],
      ['quarter', '2023-04-01', '2023-06-30', 0],
      ['quarter', '2023-07-01', '2023-09-30', 0],
      ['quarter', '2023-10-01', '2023-12-31', 0],
      ['quarter', '2024-01-01', '2024-03-31', 40],
    ]);
  });
});

it('an export is not kept, so that it pushes no results of reports out of the cache', async () => {
  const tile = { type: 'bar', x: 'Region', y: 'Sales' } as const;
  await stage.export(dataset, [tile]);
  const query = vi.spyOn(Engine.prototype, 'query');
  onTestFinished(() => query.mockRestore());
  await stage.export(dataset, [tile]);
  expect(query).toHaveBeenCalled();
});

it('an export by many roles with look-ups causes no warning', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const visibleRows = Array.from({ length: 12 }, (_, index) => ({
    field: 'Region',
    in: { lookup: `orders-${index}`, key: 'Region', value: 'Region', viewer: 'email' as const },
  }));
  const findDataset = async () => storeDataset({ source: { file: 'orders.csv' } });
  const tile = { type: 'bar', x: 'Region', y: 'Sales' } as const;
  await stage.export(dataset, [tile], { visibleRows, findDataset });
  await new Promise(setImmediate);
  expect(warnings).toEqual([]);
});
