import type {
  ChartTile,
  KpiTile,
  TableTile,
  ReaderFilter,
  ReaderView,
} from '@portal-embed/report-model';
import { afterAll, describe, expect, it } from 'vitest';

import { ContentStage } from '../../test/support/content.ts';
import { readerView } from '../../test/support/reader-view.ts';
import { filterBy, salesCsv, salesDataset } from '../../test/support/sales.ts';

const stage = new ContentStage();
afterAll(() => stage.close());
stage.write('sales.csv', salesCsv);

const report = {
  filters: [{ field: 'Ordered', default: 'last 2 months' }, { field: 'Sales' }, { field: 'Large' }],
  pages: [
    {
      name: 'P',
      rows: [
        {
          tiles: [
            { type: 'kpi' as const, metric: 'Sales' },
            { type: 'column' as const, x: 'Ordered by year', y: 'Sales' },
            {
              type: 'table' as const,
              dimensions: ['Region'],
              metrics: ['Sales', 'Average'],
              totals: true,
            },
          ],
        },
      ],
    },
    {
      name: 'Q',
      rows: [{ tiles: [{ type: 'donut' as const, metric: 'Sales', color: 'Category' }] }],
    },
  ],
};
const always = { field: 'Ordered', values: [] };

const compute = (view: Partial<ReaderView>, request = {}) =>
  stage.compute(salesDataset, report, { view: { ...readerView(), ...view }, ...request });
const sumOf = async (...filters: ReaderFilter[]) =>
  ((await compute({ filters })).page.rows[0]![0] as KpiTile).value;

it('the fields of the filters have their type, their format and their default', async () => {
  expect((await compute({})).filterFields).toEqual([
    { name: 'Ordered', type: 'date', default: ['last 2 months'] },
    { name: 'Sales', type: 'integer' },
    { name: 'Large', type: 'boolean' },
  ]);
});

describe('a filter of the reader', () => {
  it.each<[string, ReaderFilter[], number | null]>([
    ['that replaces a default without values', [always], 630],
    ['with one value', [always, { field: 'Region', values: ['West'] }], 30],
    ['with several values', [always, { field: 'Region', values: ['West', 'North'] }], 190],
    ['with a value and blank', [always, { field: 'Region', values: ['North', null] }], 480],
    ['with blank', [always, { field: 'Region', values: [null] }], 320],
    ['with a boolean', [always, { field: 'Large', values: [true] }], 480],
    ['with a range of numbers', [always, { field: 'Sales', values: ['20..80'] }], 140],
    ['with a range of dates', [{ field: 'Ordered', values: ['2023-02-01..2023-02-28'] }], 60],
    ['with a relative date', [{ field: 'Ordered', values: ['previous year'] }], 150],
    ['with a day', [{ field: 'Ordered', values: ['2023-02-03'], grain: 'day' }], 20],
    ['with a month', [{ field: 'Ordered', values: ['2023-02-01'], grain: 'month' }], 60],
    [
      'with two quarters',
      [{ field: 'Ordered', values: ['2023-04-01', '2024-01-01'], grain: 'quarter' }],
      560,
    ],
    [
      'with months of any year',
      [{ field: 'Ordered', values: [2, 5], grain: 'month of year' }],
      460,
    ],
    ['with a day of the week', [{ field: 'Ordered', values: [1], grain: 'day of week' }], 280],
    ['with a field of another page', [always, { field: 'Category', values: ['Lamps'] }], 320],
  ])('%s narrows every number', async (_case, filters, expected) => {
    expect(await sumOf(...filters)).toBe(expected);
  });

  it('on an hour has its times until the next hour', async () => {
    const times = ['09:59:59.999999', '10:00:00', '10:59:59.999999', '11:00:00'];
    stage.write('hours.csv', `At\n${times.map((time) => `2024-01-03 ${time}\n`).join('')}`);
    const hours = {
      source: { file: 'hours.csv' },
      metrics: [{ name: 'Rows', expression: 'count()' }],
    };
    const tiles = [{ type: 'line' as const, x: 'At by hour', y: 'Rows' }];
    const filter: ReaderFilter = { field: 'At', values: ['2024-01-03T10:00:00'], grain: 'hour' };
    const { rowCount } = await stage.compute(hours, tiles, { view: readerView(filter) });
    expect(rowCount).toBe(2);
  });

  it.each([[['North', null]], [[null]]])('is described with its values %j', async (values) => {
    const filter = { field: 'Region', values };
    expect((await compute({ filters: [filter] })).readerFilters).toContainEqual({
      ...filter,
      type: 'text',
    });
  });

  it('on another field keeps the default', async () => {
    expect(await sumOf({ field: 'Region', values: ['North', 'West'] })).toBe(160);
  });

  it('narrows a filter of the host and never widens it', async () => {
    const view = readerView({ field: 'Region', values: ['West', 'East'] }, always);
    const computed = await stage.compute(salesDataset, report, {
      view,
      ...filterBy('Region', 'East', 'North'),
    });
    expect(computed.rowCount).toBe(2);
  });

  it('narrows the rows of the roles and never widens them', async () => {
    const visibleRows = [{ field: 'Region', in: ['West'] }];
    const view = readerView({ field: 'Region', values: ['West', 'East', null] }, always);
    const computed = await stage.compute(salesDataset, report, { view, visibleRows });
    expect(computed.rowCount).toBe(2);
  });

  it.each<[string, ReaderFilter[], string]>([
    ['an unknown field', [{ field: 'Planet', values: ['Mars'] }], 'does not show a field "Planet"'],
    [
      'a field that is not shown',
      [{ field: 'Profit', values: [1] }],
      'does not show a field "Profit"',
    ],
    ['a metric', [{ field: 'Average', values: [1] }], 'does not show a field "Average"'],
    [
      'a value of another type',
      [{ field: 'Sales', values: ['many'] }],
      '"many" is not a value of the field "Sales"',
    ],
    [
      'a relative date of a number',
      [{ field: 'Sales', values: ['last 2 days'] }],
      'is not a value',
    ],
    [
      'a grain of a text',
      [{ field: 'Region', values: ['West'], grain: 'month' }],
      'cannot be filtered by month',
    ],
    [
      'a period of a period',
      [{ field: 'Ordered', values: ['last 2 days'], grain: 'month' }],
      '"last 2 days" is not a value',
    ],
    [
      'a month that no year has',
      [{ field: 'Ordered', values: [13], grain: 'month of year' }],
      '"13" is not a month of year',
    ],
    [
      'an hour of a date',
      [{ field: 'Ordered', values: [1], grain: 'hour of day' }],
      'cannot be filtered by hour of day',
    ],
    ['a field that already has one', [always, always], 'The field "Ordered" has two filters'],
    ['an unknown tile', [{ ...always, tile: '9.9.9' }], 'has no tile "9.9.9"'],
  ])('on %s is refused', async (_case, filters, problem) => {
    await expect(compute({ filters })).rejects.toThrow(problem);
  });
});

describe('the selected marks of a tile', () => {
  const selected: ReaderFilter = {
    field: 'Ordered',
    values: ['2024-01-01'],
    grain: 'year',
    tile: '0.0.1',
  };

  it('narrow the other tiles of its page', async () => {
    const { page, rowCount } = await compute({ filters: [always, selected] });
    const [kpi, chart] = page.rows[0] as [KpiTile, ChartTile];
    expect([rowCount, kpi.value, chart.groups.map(({ values }) => values[0])]).toEqual([
      2,
      480,
      [150, 480],
    ]);
  });

  it('leave other pages as they are', async () => {
    expect((await compute({ filters: [always, selected] }, { page: 1 })).rowCount).toBe(6);
  });
});

describe('a chart of dates', () => {
  const drill = async (...path: string[]) => {
    const { page } = await compute({ filters: [always], drills: [{ tile: '0.0.1', path }] });
    return page.rows[0]![1] as ChartTile;
  };

  it.each([
    [[], 'year', ['2023-01-01', '2024-01-01'], [150, 480]],
    [['2023-01-01'], 'quarter', ['2023-01-01', '2023-04-01'], [70, 80]],
    [['2023-01-01', '2023-01-01'], 'month', ['2023-01-01', '2023-02-01'], [10, 60]],
  ])('drilled to %j has the level %s', async (path, grain, keys, values) => {
    const chart = await drill(...path);
    expect(chart.dimensions[0]!.dimension).toMatchObject({ field: 'Ordered', grain });
    expect(chart.groups.map((group) => group.keys[0])).toEqual(keys);
    expect(chart.groups.map((group) => group.values[0])).toEqual(values);
  });

  it('names the levels above and below', async () => {
    expect((await drill('2023-01-01')).drill).toMatchObject({
      path: [{ dimension: { grain: 'year' }, key: '2023-01-01' }],
      next: { grain: 'month' },
    });
  });

  it('has no level below days', async () => {
    await expect(drill('2023-01-01', '2023-01-01', '2023-01-01', '2023-01-10')).rejects.toThrow(
      'has no level 5',
    );
  });

  it('leaves the other tiles as they are', async () => {
    const { page } = await compute({
      filters: [always],
      drills: [{ tile: '0.0.1', path: ['2023-01-01'] }],
    });
    expect((page.rows[0]![0] as KpiTile).value).toBe(630);
  });
});

describe('a chart by a field of a hierarchy', () => {
  const drill = async (...path: string[]) => {
    const drills = [{ tile: '1.0.0', path }];
    const { page } = await compute({ filters: [always], drills }, { page: 1 });
    return page.rows[0]![0] as ChartTile;
  };

  it('is drilled to the next field', async () => {
    const chart = await drill('Chairs');
    expect(chart.groups).toEqual([
      { keys: ['cy'], values: [160] },
      { keys: ['bob'], values: [40] },
      { keys: ['ann'], values: [10] },
    ]);
    expect(chart.drill).toEqual({
      path: [
        { dimension: { name: 'Category', field: 'Category', kind: 'category' }, key: 'Chairs' },
      ],
    });
    expect((await drill()).drill).toMatchObject({ path: [], next: { name: 'Customer' } });
  });

  it('has no level below the last field', async () => {
    await expect(drill('Chairs', 'cy')).rejects.toThrow('has no level 3');
  });
});

describe('a table', () => {
  const sortBy = async (column: number, descending: boolean) => {
    const sorts = [{ tile: '0.0.2', column, descending }];
    return (await compute({ filters: [always], sorts })).page.rows[0]![2] as TableTile;
  };

  it.each([
    [0, false, ['East', 'North', 'West', null]],
    [1, true, [null, 'North', 'East', 'West']],
    [2, false, ['West', 'East', 'North', null]],
  ])('sorted by column %i, descending: %s, keeps its total', async (column, descending, keys) => {
    const table = await sortBy(column, descending);
    expect(table.groups.map((group) => group.keys[0])).toEqual(keys);
    expect(table.sort).toEqual({ column, descending });
    expect(table.totals?.[0]).toBe(630);
  });

  it('is not sorted by a column that it lacks', async () => {
    await expect(sortBy(3, false)).rejects.toThrow('has no column 3');
  });
});

it('a comparison keeps the months of any year', async () => {
  const kpi = { type: 'kpi' as const, metric: 'Sales', compare: 'previous year' as const };
  const view = readerView({ field: 'Ordered', values: [1], grain: 'month of year' });
  const [tile] = await stage.tilesOf(
    salesDataset,
    { filters: report.filters, pages: [{ name: 'P', rows: [{ tiles: [kpi] }] }] },
    { view },
  );
  expect(tile).toMatchObject({ value: 160, comparison: { value: 10 } });
});

it('a comparison moves the dates of the reader to the previous period', async () => {
  const kpi = { type: 'kpi' as const, metric: 'Sales', compare: 'previous year' as const };
  const view = readerView({ field: 'Ordered', values: ['2024-01-01..2024-01-31'] });
  const [tile] = await stage.tilesOf(
    salesDataset,
    { filters: report.filters, pages: [{ name: 'P', rows: [{ tiles: [kpi] }] }] },
    { view },
  );
  expect(tile).toMatchObject({ value: 160, comparison: { value: 10 } });
});

it('a comparison does not move the dates of the host', async () => {
  const kpi = { type: 'kpi' as const, metric: 'Sales', compare: 'previous year' as const };
  const [tile] = await stage.tilesOf(
    salesDataset,
    [kpi],
    filterBy('Ordered', '2024-01-01..2024-01-31'),
  );
  expect(tile).toMatchObject({
    value: 160,
    period: { from: '2024-01-01', to: '2024-02-01' },
    comparison: { value: null },
  });
});

it('a KPI with a comparison uses the last period if a range of the reader is open-ended', async () => {
  const kpi = { type: 'kpi' as const, metric: 'Sales', compare: 'previous year' as const };
  const view = readerView({ field: 'Ordered', values: ['..2023-01-31', '2024-02-01..'] });
  const [tile] = await stage.tilesOf(
    salesDataset,
    { filters: report.filters, pages: [{ name: 'P', rows: [{ tiles: [kpi] }] }] },
    { view },
  );
  expect(tile).toMatchObject({ value: 320, period: { from: '2024-01-01', to: '2025-01-01' } });
});
