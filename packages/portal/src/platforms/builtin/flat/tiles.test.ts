import path from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';

import { createFlatStage, definition, measure } from '../../../../test/support/flat-stage.ts';

const { folder, write, compute, tilesOf, total } = createFlatStage();

describe('a tile', () => {
  it.each([
    ['sum', 15],
    ['mean', 5],
    ['min', 1],
    ['max', 12],
    ['count', 3],
  ])('a measure can be the %s of a column', async (aggregate, expected) => {
    write('orders.csv', 'Sales\n1\n2\n12\n');
    const tiles = [{ ...definition.tiles[0], measure: { ...measure, aggregate } }];
    expect(await total('orders.csv', { definition: { tiles } })).toBe(expected);
  });

  const chart = async (
    dimension: { column: string; by?: string },
    rows = 'Region,Ordered,Sales\nWest,2024-02-03 09:30:00,10\nEast,2024-01-09 17:00:00,20\nEast,2024-02-03 09:45:00,40\nNorth,,5\n',
  ) => {
    write('orders.csv', rows);
    const tiles = [
      { ...definition.tiles[0], mark: 'bar', dimension: { label: 'By', ...dimension } },
    ];
    const [tile] = await tilesOf('orders.csv', { definition: { tiles } });
    if (!tile || !('dimensions' in tile) || tile.type !== 'bar')
      throw new Error('The tile is not a chart.');
    const points = tile.groups.map(({ keys, values }) => [keys[0], values[0]]);
    return { kind: tile.dimensions[0]?.dimension.kind, points };
  };

  it('categories are sorted by value, the highest first, then by name', async () => {
    expect(await chart({ column: 'Region' })).toEqual({
      kind: 'category',
      points: [
        ['East', 60],
        ['West', 10],
        ['North', 5],
      ],
    });
    const equal = 'Region,Sales\nB,1\nA,1\nC,1\n';
    const { points } = await chart({ column: 'Region' }, equal);
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
  ])('times are grouped by %s, in order', async (by, expected) => {
    const { kind, points } = await chart({ column: 'Ordered', by });
    expect(kind).toBe('time');
    expect(points.filter(([, y]) => y !== 0)).toEqual(expected);
  });

  it('a time without rows is 0 for a sum', async () => {
    const { points } = await chart({ column: 'Ordered', by: 'day' });
    expect(points).toHaveLength(27);
    expect(points.slice(0, 2)).toEqual([
      ['2024-01-09', 20],
      ['2024-01-10', 0],
    ]);
  });

  it('a chart by hour of day shows all 24 hours in order', async () => {
    const { kind, points } = await chart({ column: 'Ordered', by: 'hour-of-day' });
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
    const text = `Value,Sales\n${rows.split('\n').join(',1\n')},1\n`;
    const { points, ...rest } = await chart({ column: 'Value' }, text);
    expect([rest.kind, points.map(([x]) => x)]).toEqual([kind, xs]);
  });

  it.each(['DECIMAL(9, 2)', 'FLOAT'])(
    'a column of type %s in a Parquet file is a number',
    async (type) => {
      const instance = await DuckDBInstance.create(':memory:');
      const connection = await instance.connect();
      await connection.run(
        `COPY (SELECT unnest([10.5, 9.5])::${type} AS Price, 1 AS Sales)
        TO '${path.join(folder, 'orders.parquet')}' (FORMAT parquet)`,
      );
      connection.closeSync();
      instance.closeSync();
      const dimension = { label: 'Price', column: 'Price' };
      const tiles = [{ ...definition.tiles[0], mark: 'bar', dimension }];
      const [tile] = await tilesOf('orders.parquet', { definition: { tiles } });
      expect(tile).toMatchObject({
        dimensions: [{ dimension: { kind: 'number' } }],
        groups: [
          { keys: [9.5], values: [1] },
          { keys: [10.5], values: [1] },
        ],
      });
    },
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
  ])('a tile with the format %s shows its number in full', async (format, options) => {
    write('orders.csv', 'Region,Sales\nWest,1\n');
    const [kpi] = definition.tiles;
    const tiles = [{ ...kpi, measure: { ...kpi!.measure, format } }];
    const { page } = await compute('orders.csv', { definition: { tiles } });
    expect(page.rows[0]).toMatchObject([{ metric: { format: options } }]);
  });

  it.each([
    [5, 'kpi', [4, 1]],
    [3, 'bar', [2, 1]],
  ])('a flat report of %i tiles with the mark %s has rows of %j', async (count, mark, lengths) => {
    write('orders.csv', 'Region,Sales\nWest,1\n');
    const dimension = { label: 'Where', column: 'Region' };
    const tiles = Array.from({ length: count }, (_, index) => ({
      ...definition.tiles[0],
      id: String(index),
      mark,
      ...(mark === 'kpi' ? {} : { dimension }),
    }));
    const { page } = await compute('orders.csv', { definition: { tiles } });
    expect(page.rows.map((row) => row.length)).toEqual(lengths);
  });

  it('a tile has its title, labels and format', async () => {
    write('orders.csv', 'Region,Sales\nWest,1\n');
    const [kpi] = definition.tiles;
    const bar = { ...kpi, id: 'b', title: 'By region', mark: 'bar' };
    const tiles = [kpi, { ...bar, dimension: { label: 'Where', column: 'Region' } }];
    const format = {
      style: 'currency',
      currency: 'USD',
      notation: 'standard',
      maximumFractionDigits: 0,
    };
    const { page } = await compute('orders.csv', { definition: { tiles } });
    expect(page).toEqual({
      name: '',
      index: 0,
      rows: [
        [
          {
            id: 'total',
            type: 'kpi',
            title: 'Total',
            width: 12,
            metric: { name: 'Sales', format },
            value: 1,
          },
        ],
        [
          {
            id: 'b',
            type: 'bar',
            title: 'By region',
            width: 12,
            dimensions: [
              { role: 'x', dimension: { name: 'Where', field: 'Region', kind: 'category' } },
            ],
            metrics: [{ name: 'Sales', format }],
            stack: 'stacked',
            groups: [{ keys: ['West'], values: [1] }],
            groupCount: 1,
            shownCount: 1,
          },
        ],
      ],
    });
  });

  it('a flat chart shows at most 2,000 groups and combines the others', async () => {
    const rows = Array.from({ length: 2_002 }, (_, index) => `C${index},1`);
    write('orders.csv', `Customer,Sales\n${rows.join('\n')}\n`);
    const dimension = { label: 'Customer', column: 'Customer' };
    const tiles = [{ ...definition.tiles[0], mark: 'bar', dimension }];
    const { rowCount, page } = await compute('orders.csv', { definition: { tiles } });
    const [tile] = page.rows.flat();
    expect(rowCount).toBe(2_002);
    expect(tile).toMatchObject({ groupCount: 2_002, shownCount: 2_000 });
    const groups = tile && 'groups' in tile ? tile.groups : [];
    expect(groups).toHaveLength(2_001);
    expect(groups.at(-1)).toEqual({ keys: [null], values: [2], other: 2 });
  });
});
