import { datasetSchema, formatSchema } from '@portal-embed/report-model';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';

import { ContentStage, storeDataset } from '../test/support/content.ts';
import { filterBy, salesCsv, salesDataset } from '../test/support/sales.ts';
import { readDataset, type DatasetContent } from './content.ts';

const stage = new ContentStage();
afterAll(() => stage.close());
stage.write('sales.csv', salesCsv);

it('only the requested page is computed, and the result names all pages', async () => {
  const page = (name: string) => ({
    name,
    rows: [{ tiles: [{ type: 'text' as const, text: name }] }],
  });
  const report = { pages: [page('One'), page('Two')] };
  expect(await stage.compute(salesDataset, report, { page: 1 })).toMatchObject({
    pages: ['One', 'Two'],
    page: { name: 'Two', index: 1, rows: [[{ text: 'Two' }]] },
    dataAsOf: '2024-02-10',
    timeZone: 'UTC',
  });
  expect(await stage.compute(salesDataset, report, { page: 2 })).toMatchObject({
    page: { index: 0 },
  });
});

it('a field has the format that its column shows, unless it declares another one', async () => {
  const columns = [
    { name: 'Share', type: 'number' as const, format: formatSchema.parse('percent') },
    { name: 'Margin', type: 'number' as const, format: formatSchema.parse('percent') },
    { name: 'Sales', type: 'number' as const },
  ];
  const definition = datasetSchema.parse({
    name: 'A',
    source: { file: 'a.csv' },
    fields: [{ name: 'Margin', format: 'decimal' }],
    metrics: ['Share', 'Margin', 'Sales'].map((name) => ({ name, expression: `avg(${name})` })),
  });
  const source = { definition, files: [], columns } satisfies DatasetContent;
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  const { metrics } = await readDataset(
    { name: 'A', source, timeZone: 'UTC' },
    types,
    async () => {},
  );
  expect([...metrics.values()].map(({ format }) => format.style)).toEqual([
    'percent',
    'decimal',
    'decimal',
  ]);
});

it('a data time in the future is capped at the current time in the time zone of the dataset', async () => {
  const { now } = stage;
  onTestFinished(() => void (stage.now = now));
  stage.now = new Date('2024-01-01T20:00:00Z');
  stage.write('plans.csv', 'At\n2024-01-01 09:00:00\n2030-01-01 10:00:00\n');
  const source = { file: 'plans.csv' };
  const plans = { source, time: 'At', timeZone: 'Asia/Tokyo', rowAccess: 'everyone' as const };
  const { dataAsOf } = await stage.compute(plans, [{ type: 'text', text: 'A' }]);
  expect(dataAsOf).toBe('2024-01-02T05:00:00');
});

describe('filters of a report', () => {
  const report = {
    filters: [{ field: 'Ordered', default: 'last 2 months' }, { field: 'Region' }],
    pages: [{ name: 'P', rows: [{ tiles: [{ type: 'kpi' as const, metric: 'Sales' }] }] }],
  };

  it('a relative default becomes a range of periods up to that of the newest row', async () => {
    expect(await stage.compute(salesDataset, report)).toMatchObject({
      rowCount: 2,
      readerFilters: [{ field: 'Ordered', type: 'date', values: ['2024-01-01..2024-02-29'] }],
      filterFields: [
        { name: 'Ordered', type: 'date', default: ['last 2 months'] },
        { name: 'Region', type: 'text' },
      ],
    });
  });

  it('another filter on the field replaces the default', async () => {
    const computed = await stage.compute(
      salesDataset,
      report,
      filterBy('orders/ordered', '2023-01-10'),
    );
    expect(computed).toMatchObject({ rowCount: 1, readerFilters: [] });
  });
});

describe('ranges', () => {
  it.each([
    ['Ordered', ['2023-02-03..2023-05-01'], 3],
    ['Ordered', ['2023-05-01..'], 3],
    ['Ordered', ['..2023-02-03'], 2],
    ['Ordered', ['..2023-01-10', '2024-02-10'], 2],
    ['Ordered', ['2024-01-01..2023-01-01'], 0],
    ['Ordered', ['soon..2024-01-01'], 0],
    ['Ordered', ['..'], 0],
    ['Sales', ['20..80'], 3],
    ['Sales', ['20.5..'], 4],
    ['Sales', ['..20.5'], 2],
    ['Sales', ['-1e30..1e30'], 6],
    ['Sales', ['0.00000000000000000001..'], 6],
    ['Sales', ['..-1'], 0],
    ['Profit', ['-4..-4'], 1],
    ['Region', ['East..West'], 0],
  ])('%s %j selects %i rows', async (key, values, expected) => {
    const computed = await stage.compute(
      salesDataset,
      [{ type: 'text', text: 'x' }],
      filterBy(key, ...values),
    );
    expect(computed.rowCount).toBe(expected);
  });

  it('a range of times includes the whole last day', async () => {
    stage.write('times.csv', 'At\n2024-01-01 00:00:00\n2024-01-02 23:59:59\n2024-01-03 00:00:00\n');
    const times = { source: { file: 'times.csv' } };
    const text = [{ type: 'text' as const, text: 'x' }];
    for (const [value, rows] of [
      ['2024-01-01..2024-01-02', 2],
      ['2024-01-01..2024-01-02T23:00', 1],
      ['2024-01-02..', 2],
    ] as const)
      expect((await stage.compute(times, text, filterBy('At', value))).rowCount).toBe(rows);
  });
});

describe('exact numbers', () => {
  it('sums of integers and decimals are exact, as text where a double is not', async () => {
    stage.write('big.csv', 'N\n9007199254740993\n9223372036854775807\n9223372036854775807\n');
    const metrics = [
      { name: 'Sum', expression: 'sum(N)' },
      { name: 'Min', expression: 'min(N)' },
      { name: 'Count', expression: 'count()' },
    ];
    const [tile] = await stage.tilesOf({ source: { file: 'big.csv' }, metrics }, [
      { type: 'table', metrics: ['Sum', 'Min', 'Count'] },
    ]);
    expect(tile).toMatchObject({
      groups: [{ values: ['18455751272964292607', '9007199254740993', 3] }],
    });
  });
});

describe('files', () => {
  const read = (files: string[]) =>
    stage.compute(salesDataset, [{ type: 'text', text: 'x' }], {
      dataset: storeDataset(salesDataset, files),
    });

  it('a dataset may have several files', async () => {
    stage.write(
      'more.csv',
      'Region,Category,Ordered,Sales,Profit,Customer\nWest,,2024-05-01,1,1,eve\n',
    );
    expect(await read(['sales.parquet', 'more.parquet'])).toMatchObject({ rowCount: 7 });
  });

  it.each([
    '../acme/sales.parquet',
    '/etc/passwd',
    'a/../sales.parquet',
    './sales.parquet',
    'a//b.parquet',
  ])('a file must be below the folder of its organization: %s', async (name) => {
    await expect(read([name])).rejects.toThrow('is not below the folder of its organization');
  });

  it('a file of another organization is not found', async () => {
    const others = { organizationId: 'globex' };
    await expect(
      stage.compute(salesDataset, [{ type: 'text', text: 'x' }], others),
    ).rejects.toThrow('ENOENT');
  });

  it('a report that no longer fits its dataset fails with the missing metric', async () => {
    const tiles = [{ type: 'kpi' as const, metric: 'Returns' }];
    await expect(stage.compute(salesDataset, tiles)).rejects.toThrow(
      /^The report no longer fits its data: .*Returns/,
    );
  });

  it('a dataset that no longer fits its files fails with the missing column', async () => {
    const tiles = [{ type: 'text' as const, text: 'x' }];
    await expect(stage.compute({ ...salesDataset, time: 'Shipped' }, tiles)).rejects.toThrow(
      'The dataset "Orders" no longer fits its data: ',
    );
  });
});

it('a text that is not a value of its declared type is blank', async () => {
  stage.write('codes.csv', 'Code,Sales\n1,10\nx,20\n');
  const codes = {
    source: { file: 'codes.csv' },
    fields: [{ name: 'Code', type: 'integer' as const }],
    metrics: [
      { name: 'Sales', expression: 'sum(Sales)' },
      { name: 'Codes', expression: 'sum(Code)' },
    ],
  };
  const tiles = await stage.tilesOf(codes, [
    { type: 'kpi', metric: 'Codes' },
    { type: 'kpi', metric: 'Sales' },
  ]);
  expect(tiles).toMatchObject([{ value: 1 }, { value: 30 }]);
});
