import type { PivotTile, TableTile, TileSort } from '@portal-embed/report-model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ContentStage } from '../../test/support/content.ts';

let stage: ContentStage;
beforeAll(() => {
  stage = new ContentStage();
  stage.write(
    'orders.csv',
    [
      'Region,City,Category,Ordered,Customer,Sales',
      'East,Bonn,Chairs,2023-03-01,ann,10',
      'East,Bonn,Desks,2024-01-03,ann,20',
      'East,Aalen,Chairs,2024-03-09,bob,5',
      'West,Kiel,Chairs,2023-05-10,cid,90',
      'West,Kiel,Desks,2024-02-11,ann,1',
      ',Ulm,Desks,2024-03-10,dan,50',
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
    { name: 'Customers', expression: 'count_distinct(Customer)' },
    { name: 'Average', expression: 'sum(Sales) / count()' },
  ],
};

const pivot = {
  type: 'pivot' as const,
  rows: ['Region', 'City'],
  columns: ['Ordered by year', 'Category'],
  metrics: ['Customers', 'Average'],
};

async function compute(part: object = {}, sort?: Omit<TileSort, 'tile'>): Promise<PivotTile> {
  const sorts = sort ? [{ tile: '0.0.0', ...sort }] : [];
  const [tile] = await stage.tilesOf(dataset, [{ ...pivot, ...part }], {
    view: { filters: [], drills: [], sorts },
  });
  return tile as PivotTile;
}

const rowsOf = ({ totals }: PivotTile) => totals!.rows.map(({ keys }) => keys.join('/'));

describe('a pivot', () => {
  it('has subtotals of its groups that are no sums of what they contain', async () => {
    const { subtotals } = await compute();
    expect(subtotals!.map(({ rows, columns }) => [rows, columns])).toEqual([
      [0, 1],
      [1, 0],
      [1, 1],
      [1, 2],
      [2, 1],
    ]);
    const find = (rows: number, columns: number) =>
      subtotals!.find((each) => each.rows === rows && each.columns === columns)!.groups;
    expect(find(1, 0)).toEqual([
      { keys: ['East'], values: [2, 35 / 3] },
      { keys: ['West'], values: [2, 45.5] },
      { keys: [null], values: [1, 50] },
    ]);
    expect(find(0, 1)).toEqual([
      { keys: ['2023-01-01'], values: [2, 50] },
      { keys: ['2024-01-01'], values: [3, 19] },
    ]);
    expect(find(1, 1)[0]).toEqual({ keys: ['East', '2023-01-01'], values: [1, 10] });
  });

  it('has no subtotals if its author does not want them, or it has one row and one column', async () => {
    expect(await compute({ subtotals: false })).not.toHaveProperty('subtotals');
    expect(await compute({ totals: false })).not.toHaveProperty('subtotals');
    const flat = { rows: ['Region'], columns: ['Category'] };
    expect(await compute(flat)).not.toHaveProperty('subtotals');
    const only = await compute({ totals: false, subtotals: true });
    expect(only).not.toHaveProperty('totals');
    expect(only.subtotals).toHaveLength(3);
  });

  it.each<[string, Omit<TileSort, 'tile'>, string[]]>([
    [
      'the total, highest first',
      { column: 3, descending: true },
      ['/Ulm', 'West/Kiel', 'East/Bonn', 'East/Aalen'],
    ],
    [
      'the total, lowest first',
      { column: 3, descending: false },
      ['East/Aalen', 'East/Bonn', 'West/Kiel', '/Ulm'],
    ],
    [
      'a year, with rows without a value last',
      { column: 3, descending: false, keys: ['2023-01-01'] },
      ['East/Bonn', 'East/Aalen', 'West/Kiel', '/Ulm'],
    ],
    [
      'a category of a year',
      { column: 3, descending: true, keys: ['2024-01-01', 'Desks'] },
      ['/Ulm', 'East/Bonn', 'East/Aalen', 'West/Kiel'],
    ],
    [
      'the first names, with blanks last',
      { column: 0, descending: true },
      ['West/Kiel', 'East/Aalen', 'East/Bonn', '/Ulm'],
    ],
    [
      'the second names inside the first',
      { column: 1, descending: true },
      ['East/Bonn', 'East/Aalen', 'West/Kiel', '/Ulm'],
    ],
  ])('is sorted by %s', async (_name, sort, rows) => {
    const tile = await compute({}, sort);
    expect(rowsOf(tile)).toEqual(rows);
    expect(tile.sort).toEqual(sort);
    const inCells = [...new Set(tile.groups.map(({ keys }) => keys.slice(0, 2).join('/')))];
    expect(inCells).toEqual(rows);
  });

  it('is sorted before its rows are limited', async () => {
    stage.write(
      'rows.csv',
      `Row,Column,N\n${Array.from({ length: 600 }, (_, row) => `${row},a,${row}`).join('\n')}\n`,
    );
    const [tile] = await stage.tilesOf(
      { source: { file: 'rows.csv' }, metrics: [{ name: 'N', expression: 'sum(N)' }] },
      [{ type: 'pivot', rows: ['Row'], columns: ['Column'], metrics: ['N'] }],
      {
        view: {
          filters: [],
          drills: [],
          sorts: [{ tile: '0.0.0', column: 1, descending: true, keys: ['a'] }],
        },
      },
    );
    const { groups, groupCount, shownCount } = tile as PivotTile;
    expect([groups[0]!.keys[0], groupCount, shownCount]).toEqual([599, 600, 500]);
  });

  it('marks the periods that the data does not complete', async () => {
    expect((await compute()).incompleteKeys).toEqual([{ dimension: 2, key: '2024-01-01' }]);
    expect(await compute({ columns: ['Category'] })).not.toHaveProperty('incompleteKeys');
  });

  it('refuses a sort by a column that it cannot have', async () => {
    for (const sort of [
      { column: 4, descending: true },
      { column: 2, descending: true, keys: ['2024-01-01', 'Desks', 'more'] },
    ])
      await expect(compute({}, sort)).rejects.toThrow('has no column');
  });
});

describe('a search in a table', () => {
  const table = {
    type: 'table' as const,
    dimensions: ['Region', 'City', 'Ordered by month'],
    metrics: ['Customers'],
    totals: true,
  };
  const search = async (text: string) => {
    const [tile, other] = await stage.tilesOf(
      dataset,
      [table, { type: 'table', dimensions: ['City'] }],
      {
        view: { filters: [], sorts: [], drills: [], searches: [{ tile: '0.0.0', text }] },
      },
    );
    expect((other as TableTile).groupCount).toBe(4);
    return tile as TableTile;
  };

  it('finds texts of any dimension in any letter case, with their total', async () => {
    const tile = await search('EAST');
    expect(tile.isSearchable).toBe(true);
    expect(tile.groups.map(({ keys }) => keys[1])).toEqual(['Aalen', 'Bonn', 'Bonn']);
    expect([tile.groupCount, tile.totals]).toEqual([3, [2]]);
    expect((await search('ul')).groups.map(({ keys }) => keys[1])).toEqual(['Ulm']);
  });

  it('finds nothing for a text that no row contains', async () => {
    expect(await search("' OR 1=1 --")).toMatchObject({ groups: [], groupCount: 0 });
  });

  it('looks at all rows, also at those beyond the limit, and its export has what it finds', async () => {
    stage.write(
      'names.csv',
      `Name\n${Array.from({ length: 1_500 }, (_, index) => `n${index}x`).join('\n')}\n`,
    );
    const names = { source: { file: 'names.csv' }, metrics: [] };
    const tiles = [{ type: 'table' as const, dimensions: ['Name'], sort: 'Name' }];
    const view = {
      filters: [],
      sorts: [],
      drills: [],
      searches: [{ tile: '0.0.0', text: '99X' }],
    };
    const [tile] = await stage.tilesOf(names, tiles, { view });
    expect((tile as TableTile).groupCount).toBe(15);
    expect(await stage.export(names, tiles, { view })).toHaveLength(16);
  });

  it('is refused for a tile that is no table', async () => {
    const view = {
      filters: [],
      sorts: [],
      drills: [],
      searches: [{ tile: '0.0.0', text: 'a' }],
    };
    await expect(stage.compute(dataset, [pivot], { view })).rejects.toThrow('is not a table');
  });
});
