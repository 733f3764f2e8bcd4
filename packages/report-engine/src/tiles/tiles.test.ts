import type { Group, Key, Value } from '@portal-embed/report-model';
import { afterAll, describe, expect, it } from 'vitest';

import { ContentStage } from '../../test/support/content.ts';
import { filterBy, salesCsv, salesDataset } from '../../test/support/sales.ts';

const stage = new ContentStage();
afterAll(() => stage.close());
stage.write('sales.csv', salesCsv);

type Tiles = Extract<Parameters<ContentStage['compute']>[1], unknown[]>;

/** Computes one tile. */
async function compute(tile: Tiles[number], request?: Parameters<ContentStage['compute']>[2]) {
  const [computed] = await stage.tilesOf(salesDataset, [tile], request);
  return computed;
}

/** The keys and values of a tile's groups, and what the others are. */
const flatten = (groups: Group[]): (Key | Value | object)[][] =>
  groups.map(({ keys, values, ...others }) => [
    ...keys,
    ...values,
    ...(Object.keys(others).length > 0 ? [others] : []),
  ]);

async function computeGroups(
  tile: Tiles[number],
  request?: Parameters<ContentStage['compute']>[2],
) {
  const computed = await compute(tile, request);
  if (!computed || !('groups' in computed)) throw new Error(JSON.stringify(computed));
  return flatten(computed.groups);
}

it.each([{ description: 'Without returns' }, {}])(
  'a tile has its description: %j',
  async (part) => {
    const computed = await compute({ type: 'kpi', metric: 'Sales', ...part });
    expect(computed).toMatchObject({ title: 'Sales', ...part });
    expect('description' in computed!).toBe('description' in part);
  },
);

it.each([
  [
    'month of year',
    [
      [2, 380, {}],
      [1, 170, {}],
      [null, 80, { other: 1 }],
    ],
  ],
  [
    'day of week',
    [
      [6, 320, {}],
      [1, 280, {}],
      [null, 30, { other: 2 }],
    ],
  ],
  [
    'month',
    [
      ['2024-02-01', 320, {}],
      ['2024-01-01', 160, {}],
      [null, 150, { other: 3 }],
    ],
  ],
] as const)('a donut by %s has its other groups in one', async (grain, expected) => {
  const groups = await computeGroups({
    type: 'donut',
    metric: 'Sales',
    color: `Ordered by ${grain}`,
    limit: 2,
  });
  expect(groups.map(([key, value, others = {}]) => [key, value, others])).toEqual(expected);
});

it('a text tile has its text beside its title', async () => {
  const tile = { type: 'text', title: 'Note', text: 'Orders of **all** years.' } as const;
  expect(await compute(tile)).toEqual({ ...tile, id: '0.0.0', width: 12 });
});

describe('a time axis', () => {
  const line = { type: 'line', x: 'Ordered by month', y: ['Sales', 'Average', 'Margin'] } as const;
  const spread = { ...line, y: [...line.y] };

  it('months without rows are 0 for a sum and missing for a mean or a ratio', async () => {
    const groups = await computeGroups(spread);
    expect(groups).toHaveLength(14);
    expect(groups.slice(0, 5)).toEqual([
      ['2023-01-01', 10, 10, 0.1],
      ['2023-02-01', 60, 30, -2 / 60],
      ['2023-03-01', 0, null, null],
      ['2023-04-01', 0, null, null],
      ['2023-05-01', 80, 80, 0.1],
    ]);
  });

  it('each series has each period, the largest series first', async () => {
    const y = ['Sales'];
    expect(
      await computeGroups({ type: 'area', x: 'Ordered by year', y, color: 'Category' }),
    ).toEqual([
      ['2023-01-01', 'Lamps', 0],
      ['2023-01-01', 'Chairs', 50],
      ['2023-01-01', 'Desks', 100],
      ['2024-01-01', 'Lamps', 320],
      ['2024-01-01', 'Chairs', 160],
      ['2024-01-01', 'Desks', 0],
    ]);
  });

  it('the last period is marked while it is incomplete', async () => {
    const incomplete = { incompleteKey: '2024-02-01' };
    expect(await compute(spread)).toMatchObject(incomplete);
    const columns = { ...spread, type: 'column' } as const;
    expect(await compute({ ...columns, sort: '-x' })).toMatchObject(incomplete);
    expect(await compute({ ...columns, sort: '-y' })).toMatchObject(incomplete);
    const complete = filterBy('Ordered', '..2024-01-31');
    expect(await compute(spread, complete)).not.toHaveProperty('incompleteKey');
  });

  it('a chart by hour, weekday or month of year shows all of them', async () => {
    const tile = { type: 'column', x: 'Ordered by day of week', y: 'Sales' } as const;
    expect(await computeGroups(tile)).toEqual([
      [1, 280],
      [2, 10],
      [3, 0],
      [4, 0],
      [5, 20],
      [6, 320],
      [7, 0],
    ]);
  });

  it('a descending axis has its periods in descending order, also with series', async () => {
    const tile = { type: 'column', x: 'Ordered by year', y: 'Sales', sort: '-x' } as const;
    expect(await computeGroups(tile)).toEqual([
      ['2024-01-01', 480],
      ['2023-01-01', 150],
    ]);
    const withSeries = { ...tile, color: 'Category', y: ['Sales'] };
    expect((await computeGroups(withSeries)).map(([year]) => year)).toEqual([
      ...Array(3).fill('2024-01-01'),
      ...Array(3).fill('2023-01-01'),
    ]);
  });

  it('a descending axis has its categories in descending order, also with series', async () => {
    const tile = { type: 'column', x: 'Category', color: 'Region', y: ['Sales'] } as const;
    for (const sort of ['x', '-x'] as const) {
      const groups = await computeGroups({ ...tile, y: [...tile.y], sort });
      const names = ['Chairs', 'Desks', 'Lamps'];
      expect([...new Set(groups.map(([category]) => category))]).toEqual(
        sort === 'x' ? names : names.toReversed(),
      );
    }
  });

  it('the smallest groups can come first, while the largest series do', async () => {
    const tile = { type: 'bar', x: 'Region', color: 'Category', sort: 'y', limit: 2 } as const;
    expect(await computeGroups({ ...tile, y: ['Sales'] })).toEqual([
      ['West', 'Chairs', 10],
      ['West', 'Desks', 20],
      ['East', 'Chairs', 40],
      ['East', 'Desks', 80],
      [null, 'Lamps', 320, { other: 2 }],
      [null, 'Chairs', 160, { other: 2 }],
    ]);
  });
});

describe('groups beyond the limit', () => {
  it('are combined into one, computed from their rows', async () => {
    const tile = { type: 'column', x: 'Region', y: ['Customers', 'Middle'], limit: 2 } as const;
    expect(await compute({ ...tile, y: [...tile.y] })).toMatchObject({
      groupCount: 4,
      shownCount: 2,
      groups: [
        { keys: ['East'], values: [2, 60] },
        { keys: ['North'], values: [1, 160] },
        { keys: [null], values: [2, 20], other: 2 },
      ],
    });
  });

  it('rows without a value have their own group', async () => {
    expect(
      await computeGroups({ type: 'donut', metric: 'Sales', color: 'Region', limit: 2 }),
    ).toEqual([
      [null, 320],
      ['North', 160],
      [null, 150, { other: 2 }],
    ]);
  });

  it('are combined into one for each color', async () => {
    const tile = { type: 'bar', x: 'Region', y: 'Sales', color: 'Category', limit: 1 } as const;
    expect(await computeGroups(tile)).toEqual([
      [null, 'Lamps', 320],
      [null, 'Chairs', 210, { other: 3 }],
      [null, 'Desks', 100, { other: 3 }],
    ]);
  });

  it('colors beyond the tenth are combined into one', async () => {
    const rows = Array.from({ length: 12 }, (_, index) => `${index % 2},c${index},${index + 1}\n`);
    stage.write('colors.csv', `X,Color,Sales\n${rows.join('')}`);
    const metrics = [{ name: 'Sales', expression: 'sum(Sales)' }];
    const [tile] = await stage.tilesOf({ source: { file: 'colors.csv' }, metrics }, [
      { type: 'bar', x: 'X', y: 'Sales', color: 'Color' },
    ]);
    const groups = tile && 'groups' in tile ? flatten(tile.groups) : [];
    expect(groups).toHaveLength(12);
    expect(groups.filter((group) => typeof group.at(-1) === 'object')).toEqual([
      [0, null, 1, { otherColors: 2 }],
      [1, null, 2, { otherColors: 2 }],
    ]);
  });
});

describe('a KPI', () => {
  it('of an incomplete period is compared with the same part of the previous one', async () => {
    const tile = { type: 'kpi', metric: 'Sales', compare: 'previous year' } as const;
    expect(await compute(tile)).toMatchObject({
      value: 480,
      period: { from: '2024-01-01', to: '2025-01-01', isIncomplete: true },
      comparison: { label: 'previous year', from: '2023-01-01', to: '2023-02-11', value: 30 },
    });
  });

  it('compares periods up to the end of the filter on the time', async () => {
    const tile = { type: 'kpi', metric: 'Sales', compare: 'previous month' } as const;
    expect(await compute(tile, filterBy('Ordered', '..2023-02-28'))).toMatchObject({
      value: 60,
      period: { from: '2023-02-01', to: '2023-03-01', isIncomplete: false },
      comparison: { from: '2023-01-01', to: '2023-02-01', value: 10 },
    });
  });

  /** The report's own filter on the time has these values. */
  async function computeByDefault(
    tile: Parameters<typeof compute>[0],
    values: readonly string[],
    dataset: Parameters<typeof stage.compute>[0] = salesDataset,
    field = 'Ordered',
    request?: Parameters<typeof compute>[1],
  ) {
    const pages = [{ name: 'Page', rows: [{ tiles: [tile] }] }];
    const computed = await stage.compute(
      dataset,
      { filters: [{ field, default: [...values] }], pages },
      request,
    );
    return computed.page.rows[0]?.[0];
  }

  const year = { type: 'kpi', metric: 'Sales', compare: 'previous year' } as const;
  const month = { type: 'kpi', metric: 'Sales', compare: 'previous month' } as const;

  it.each([
    ['a range', year, ['2024-01-01..2024-12-31'], 480, 30],
    ['an open range', year, ['2024-02-01..'], 320, 20],
    ['a range that begins in an earlier period', year, ['2023-02-01..'], 480, 30],
    ['a part of the period', year, ['2023-02-15..2023-05-31'], 120, null],
    ['days', year, ['2024-02-03', '2024-02-10'], 320, 20],
    ['ranges', year, ['2024-01-01..2024-01-31', '2024-02-04..2024-02-29'], 480, 10],
    ['the last days of a short month', month, ['2023-02-10..2023-02-28'], 40, 10],
    ['all times that can be written', year, ['0001-01-01..9999-12-31'], 480, 30],
  ] as const)(
    'is compared with the earlier period if the default of a filter on the time is %s',
    async (_, tile, values, value, earlier) => {
      expect(await computeByDefault(tile, values)).toMatchObject({
        value,
        comparison: { value: earlier },
      });
    },
  );

  it('is compared with the earlier period if the default is relative', async () => {
    expect(await computeByDefault(year, ['last 2 months'])).toMatchObject({
      value: 480,
      comparison: { value: 30 },
    });
  });

  it('a filter of the request on the time applies to the earlier period as it is', async () => {
    expect(await compute(year, filterBy('Ordered', '2024-01-01..2024-12-31'))).toMatchObject({
      value: 480,
      comparison: { value: null },
    });
    expect(await compute(year, filterBy('Ordered', '2023-02-01..'))).toMatchObject({
      value: 480,
      comparison: { value: 20 },
    });
  });

  it('roles and filters on other fields apply to the earlier period, and roles are not shifted', async () => {
    const request = { filters: [[{ key: 'Category', value: 'Chairs' }]] };
    const computeBy = (given: typeof request & Parameters<typeof compute>[1]) =>
      computeByDefault(year, ['2024-01-01..'], salesDataset, 'Ordered', given);
    expect(await computeBy(request)).toMatchObject({ value: 160, comparison: { value: 10 } });
    const rows = { field: 'Ordered', after: '2023-01-31' };
    expect(await computeBy({ ...request, visibleRows: [rows] })).toMatchObject({
      value: 160,
      comparison: { value: null },
    });
  });

  it('the periods of a KPI are as long as the filter on the time allows', async () => {
    expect(await compute(year, filterBy('Ordered', '2023-04-01..2023-06-30'))).toMatchObject({
      period: { from: '2023-04-01', to: '2023-07-01', isIncomplete: false },
      comparison: { from: '2022-04-01', to: '2022-07-01' },
    });
    expect(await compute(year, filterBy('Ordered', '2024-02-01..'))).toMatchObject({
      period: { from: '2024-02-01', to: '2025-01-01', isIncomplete: true },
      comparison: { from: '2023-02-01', to: '2023-02-11' },
    });
  });

  it('without a time before the end of the data has no periods', async () => {
    const computed = await compute(year, filterBy('Ordered', '2024-03-01..'));
    expect(computed).toMatchObject({ value: null });
    expect(computed).not.toHaveProperty('comparison');
  });

  it('the time of day in a filter is kept in the earlier period', async () => {
    stage.write(
      'times.csv',
      'At,N\n2024-03-30T08:00:00,1\n2024-03-30T10:00:00,2\n2024-03-31T09:00:00,4\n2024-03-31T10:30:00,8\n',
    );
    const dataset = {
      source: { file: 'times.csv' },
      time: 'At',
      metrics: [{ name: 'Sum', expression: 'sum(N)' }],
    };
    const day = { type: 'kpi', metric: 'Sum', compare: 'previous day' } as const;
    const values = ['2024-03-31T09:00:00..2024-03-31T10:00:00'];
    expect(await computeByDefault(day, values, dataset, 'At')).toMatchObject({
      value: 4,
      comparison: { value: 2 },
    });
  });

  it('an incomplete day is compared with the same hours of the previous day', async () => {
    stage.write(
      'hours.csv',
      'At,N\n2024-03-30T08:00:00,1\n2024-03-30T09:30:00,2\n2024-03-30T10:00:00,4\n2024-03-31T09:10:00,8\n',
    );
    const dataset = {
      source: { file: 'hours.csv' },
      time: 'At',
      metrics: [{ name: 'Sum', expression: 'sum(N)' }],
    };
    const day = { type: 'kpi', metric: 'Sum', compare: 'previous day' } as const;
    const [tile] = await stage.tilesOf(dataset, [day]);
    expect(tile).toMatchObject({ value: 8, comparison: { value: 3 } });
  });

  it('a filter on a whole month is moved to the whole earlier month', async () => {
    stage.write('months.csv', 'At,N\n2024-03-31,1\n2024-04-01,4\n2024-04-30,2\n');
    const dataset = {
      source: { file: 'months.csv' },
      time: 'At',
      metrics: [{ name: 'Sum', expression: 'sum(N)' }],
    };
    const tile = { type: 'kpi', metric: 'Sum', compare: 'previous month' } as const;
    const values = ['2024-04-01..2024-04-30'];
    expect(await computeByDefault(tile, values, dataset, 'At')).toMatchObject({
      value: 6,
      comparison: { value: 1 },
    });
  });

  it('a filter on another date field is not moved to the earlier period', async () => {
    stage.write(
      'shipped.csv',
      'At,Shipped,N\n2024-03-04,2024-03-06,4\n2024-03-05,2024-04-02,1\n2024-04-10,2024-04-12,2\n',
    );
    const dataset = {
      source: { file: 'shipped.csv' },
      time: 'At',
      metrics: [{ name: 'Sum', expression: 'sum(N)' }],
    };
    const tile = { type: 'kpi', metric: 'Sum', compare: 'previous month' } as const;
    const values = ['2024-04-01..2024-04-30'];
    expect(await computeByDefault(tile, values, dataset, 'Shipped')).toMatchObject({
      value: 2,
      comparison: { value: 1 },
    });
  });

  it('can have a sparkline and a target', async () => {
    const tile = { type: 'kpi', metric: 'Average', sparkline: 'year', target: 'Middle' } as const;
    expect(await compute(tile)).toMatchObject({
      value: 105,
      sparkline: {
        dimension: { name: 'Ordered', kind: 'time', grain: 'year' },
        points: [
          { key: '2023-01-01', value: 37.5 },
          { key: '2024-01-01', value: 240 },
        ],
      },
      target: { value: 60 },
    });
    expect(await compute({ type: 'kpi', metric: 'Sales', target: 500 })).toMatchObject({
      target: { value: 500 },
    });
  });
});

describe('tables', () => {
  it('a table is sorted and has totals of all rows', async () => {
    const tile = {
      type: 'table' as const,
      dimensions: ['Region', 'Large'],
      metrics: ['Sales', 'Customers'],
      sort: '-Sales',
      totals: true,
    };
    expect(await compute(tile)).toMatchObject({
      dimensions: [
        { name: 'Region', kind: 'category' },
        { name: 'Large', kind: 'category' },
      ],
      groups: [
        { keys: [null, true], values: [320, 1] },
        { keys: ['North', true], values: [160, 1] },
        { keys: ['East', false], values: [120, 2] },
        { keys: ['West', false], values: [30, 1] },
      ],
      totals: [630, 4],
      sort: { column: 2, descending: true },
      groupCount: 4,
    });
  });

  it('a pivot table has totals of rows, of columns and of all', async () => {
    const tile = {
      type: 'pivot' as const,
      rows: ['Region'],
      columns: ['Ordered by year'],
      metrics: ['Customers'],
    };
    expect(await compute(tile)).toMatchObject({
      groups: [
        { keys: ['East', '2023-01-01'], values: [2] },
        { keys: ['North', '2024-01-01'], values: [1] },
        { keys: ['West', '2023-01-01'], values: [1] },
        { keys: [null, '2024-01-01'], values: [1] },
      ],
      totals: {
        rows: [{ values: [2] }, { values: [1] }, { values: [1] }, { values: [1] }],
        columns: [
          { keys: ['2023-01-01'], values: [3] },
          { keys: ['2024-01-01'], values: [2] },
        ],
        all: [4],
      },
    });
  });
});

it('a table of very many rows shows the first thousand, and counts all', async () => {
  stage.write('many.csv', `N\n${Array.from({ length: 1_200 }, (_, index) => index).join('\n')}\n`);
  const dataset = {
    source: { file: 'many.csv' },
    metrics: [{ name: 'Rows', expression: 'count()' }],
  };
  const tile = { type: 'table' as const, dimensions: ['N'], metrics: ['Rows'] };
  const [computed] = await stage.tilesOf(dataset, [tile]);
  expect(computed).toMatchObject({ groupCount: 1_200, shownCount: 1_000 });
  expect((computed as { groups: Group[] }).groups).toHaveLength(1_000);
});

it('a pivot of too many cells leaves out the row that would be incomplete', async () => {
  const cells = Array.from(
    { length: 102 * 99 },
    (_, index) => `r${Math.floor(index / 99)},c${index % 99}`,
  );
  stage.write('cells.csv', `Row,Column\n${cells.join('\n')}\n`);
  const [pivot] = await stage.tilesOf(
    {
      source: { file: 'cells.csv' },
      rowAccess: 'everyone',
      metrics: [{ name: 'N', expression: 'count()' }],
    },
    [{ type: 'pivot', rows: ['Row'], columns: ['Column'], metrics: ['N'] }],
  );
  if (pivot?.type !== 'pivot' || 'failure' in pivot) throw new Error(JSON.stringify(pivot));
  expect([pivot.groupCount, pivot.shownCount, pivot.groups.length]).toEqual([102, 101, 9_999]);
});

it('a scatter plot has a point for each value', async () => {
  const tile = { type: 'scatter', point: 'Customer', x: 'Sales', y: 'Average', limit: 2 } as const;
  expect(await compute(tile)).toMatchObject({
    dimensions: [{ role: 'point', dimension: { name: 'Customer' } }],
    groups: [
      { keys: ['dee'], values: [320, 320] },
      { keys: ['cy'], values: [240, 120] },
    ],
    groupCount: 4,
    shownCount: 2,
  });
});

it('a scatter plot has the color and the small multiple of each point', async () => {
  const tile = {
    type: 'scatter',
    point: 'Customer',
    color: 'Region',
    facet: 'Category',
    x: 'Sales',
    y: 'Average',
    limit: 1,
  } as const;
  expect(await compute(tile)).toMatchObject({
    dimensions: [
      { role: 'point', dimension: { name: 'Customer' } },
      { role: 'color', dimension: { name: 'Region' } },
      { role: 'facet', dimension: { name: 'Category' } },
    ],
    groups: [{ keys: ['dee', null, 'Lamps'] }],
  });
});

it('a tile with too many marks fails with a reason, and the other tiles are computed', async () => {
  const rows = ['1900-01-01', '2000-01-01'].map((day) => `${day} 00:00:00\n`);
  stage.write('hours.csv', `At\n${rows.join('')}`);
  const hours = {
    source: { file: 'hours.csv' },
    metrics: [{ name: 'Rows', expression: 'count()' }],
  };
  const tiles = await stage.tilesOf(hours, [
    { type: 'line', x: 'At by hour', y: 'Rows' },
    { type: 'kpi', metric: 'Rows' },
  ]);
  expect(tiles).toMatchObject([
    {
      failure: { code: 'too_many_periods', limit: 10_000 },
    },
    { value: 2 },
  ]);
});

it('a chart of 10,000 hours is computed, and one of more fails with a reason', async () => {
  const computeHours = async (count: number) => {
    const file = `${count}-hours.csv`;
    const times = Array.from({ length: count }, (_, hour) =>
      new Date(Date.UTC(2000, 0, 1, hour)).toISOString().slice(0, 19),
    );
    stage.write(file, `At\n${times.join('\n')}\n`);
    const dataset = { source: { file }, metrics: [{ name: 'Rows', expression: 'count()' }] };
    return (await stage.tilesOf(dataset, [{ type: 'line', x: 'At by hour', y: 'Rows' }]))[0];
  };
  expect(await computeHours(10_000)).toMatchObject({ groupCount: 10_000 });
  expect(await computeHours(10_001)).toMatchObject({
    failure: { code: 'too_many_marks', limit: 10_000 },
  });
});
