import type {
  ComputedPage,
  FailedTile,
  FormatOptions,
  KpiTile,
  PivotTile,
  TableTile,
  TextTile,
} from '@portal-embed/report-model';

import type { TilesView } from '../requests/viewer.ts';
import { chartRows, month, months, percent, priority, wave } from './gallery-charts.ts';
import { dollars, integer, salesView, totalSales } from './samples.ts';

/** A page with every kind of tile, with awkward values. */

const speed: FormatOptions = {
  style: 'unit',
  unit: 'kilometer-per-hour',
  notation: 'standard',
  maximumFractionDigits: 1,
};
const cents: FormatOptions = { style: 'currency', currency: 'USD', notation: 'standard' };

const kpi = (place: number, part: Partial<KpiTile>): KpiTile => ({
  ...totalSales,
  id: `0.0.${place}`,
  width: 3,
  ...part,
});
const period = { from: '2017-12-01', to: '2018-01-01', isIncomplete: true };
const comparison = {
  label: 'previous year' as const,
  from: '2016-12-01',
  to: '2017-01-01',
  value: 645_122.4,
};
const sparkline = {
  dimension: month,
  points: months.map((key, index) => ({
    key,
    value: index === 9 || index === 10 ? null : wave(index, 30_000),
  })),
};

const kpis = [
  kpi(0, { period, comparison, sparkline }),
  kpi(1, {
    title: 'Margin',
    metric: { name: 'Margin', format: percent },
    value: 0.1247,
    period: { ...period, isIncomplete: false },
    comparison: { ...comparison, value: 0.1369 },
    target: { value: 0.15 },
  }),
  kpi(2, {
    title: 'Exact total of a ledger with very long numbers',
    metric: { name: 'Total', format: cents },
    value: '-9223372036854775807.25',
    comparison: { ...comparison, value: null },
  }),
  kpi(3, {
    title: 'Wind',
    metric: { name: 'Wind', format: speed },
    value: 23.4,
    target: { value: 20 },
  }),
];

/** A table and a pivot with each kind of highlight, and links. */
const highlightRow: ComputedPage['rows'][number] = [
  {
    id: '0.14.0',
    type: 'table',
    title: 'Highlighted accounts',
    width: 6,
    dimensions: [
      {
        name: 'Customer',
        field: 'Customer',
        kind: 'category',
        link: ['https://crm.acme.example/customers/', 0, '?priority=', 1],
      },
      { ...priority, link: ['https://crm.acme.example/priorities/', 1] },
    ],
    metrics: [
      { name: 'Profit', format: dollars, isAdditive: true, conditionalFormat: { type: 'bar' } },
      {
        name: 'Margin',
        format: percent,
        conditionalFormat: {
          type: 'thresholds',
          thresholds: [
            { below: 0, status: 'bad' },
            { below: 0.1, status: 'warning' },
            { atLeast: 0.2, status: 'good' },
          ],
        },
      },
      { name: 'Change', format: percent, conditionalFormat: { type: 'arrow' } },
      {
        name: 'Late',
        format: percent,
        better: 'lower',
        conditionalFormat: { type: 'scale' },
      },
    ],
    groupCount: 8,
    shownCount: 8,
    groups: Array.from({ length: 8 }, (_, index) => ({
      keys: [
        index === 4 ? null : `Customer ${index + 1} & Sons`,
        ['urgent', 'high', 'mid', 'low'][index % 4]!,
      ],
      values: [9_000 - 1_900 * index, 0.28 - index / 20, (index - 4) / 30, index / 60],
    })),
    sort: { column: 2, descending: true },
    pageSize: 10,
    totals: [18_800, 0.105, -0.02, 0.058],
  } satisfies TableTile,
  {
    id: '0.14.1',
    type: 'pivot',
    title: 'Margin by region and priority',
    width: 3,
    rows: [{ name: 'Region', field: 'Region', kind: 'category' }],
    columns: [priority],
    metrics: [{ name: 'Margin', format: percent, conditionalFormat: { type: 'scale' } }],
    groupCount: 3,
    shownCount: 3,
    groups: ['West', 'East', 'South'].flatMap((name, row) =>
      ['urgent', 'low', 'high', 'mid'].map((key, column) => ({
        keys: [name, key],
        values: [(row * 4 + column) / 40],
      })),
    ),
  } satisfies PivotTile,
  {
    ...kpi(0, {
      title: 'Late deliveries',
      metric: {
        name: 'Late',
        format: percent,
        better: 'lower',
        conditionalFormat: {
          type: 'thresholds',
          thresholds: [
            { atLeast: 0.1, status: 'bad' },
            { atLeast: 0.05, status: 'warning' },
          ],
        },
      },
      value: 0.064,
      comparison: { ...comparison, value: 0.041 },
      target: { value: 0.05 },
    }),
    id: '0.14.2',
  },
];

/** A group for each row and column, with the same values. */
const group = (rows: readonly string[][], columns: readonly string[][], values: number[]) =>
  rows.flatMap((row) => columns.map((column) => ({ keys: [...row, ...column], values })));

const regions = [['West'], ['East']];
const years = [['2016-01-01'], ['2017-01-01']];

export const gallery: ComputedPage['rows'] = [
  kpis,
  ...chartRows,
  [
    {
      id: '0.8.0',
      type: 'table',
      title: 'Customers',
      width: 7,
      dimensions: [
        { name: 'Customer', kind: 'category' },
        { name: 'Since', kind: 'time', grain: 'day' },
      ],
      metrics: [
        { name: 'Sales', format: dollars },
        { name: 'Margin', format: percent },
      ],
      groupCount: 793,
      shownCount: 60,
      groups: Array.from({ length: 60 }, (_, index) => ({
        keys: [index === 4 ? null : `Customer ${index + 1}`, '2014-03-02'],
        values: [9_000 - 150 * index, index % 7 === 0 ? null : 0.3 - index / 150],
      })),
      sort: { column: 2, descending: true },
      pageSize: 10,
      isSearchable: true,
      totals: [725_457.82, 0.1247],
    } satisfies TableTile,
    {
      id: '0.8.1',
      type: 'text',
      title: 'About this page',
      width: 5,
      text: [
        '# How to read it',
        '## At first',
        '### And then',
        'Sales are **net of discounts**, see the [handbook](https://example.com/handbook).',
        '- One row is one *order line*.',
        '- Amounts are in `USD`; AT&T, a < b, <b>no tag</b>.',
        '',
        '> Questions? [Write to us](mailto:data@example.com), but [not so](javascript:alert(1)).',
        '',
        '| Region | Manager |\n| --- | ---: |\n| West | Anna |',
      ].join('\n'),
    } satisfies TextTile,
  ],
  [
    {
      id: '0.9.0',
      type: 'pivot',
      title: 'Sales and orders by region and quarter',
      width: 8,
      rows: [
        { name: 'Region', kind: 'category' },
        { name: 'Segment', kind: 'category' },
      ],
      columns: [
        { name: 'Year', kind: 'time', grain: 'year' },
        { name: 'Category', kind: 'category' },
      ],
      metrics: [
        { name: 'Sales', format: dollars },
        { name: 'Orders', format: integer },
      ],
      groupCount: 4,
      shownCount: 4,
      ...pivotGroups(),
      incompleteKeys: [{ dimension: 2, key: '2017-01-01' }],
      sort: { column: 2, descending: true },
    } satisfies PivotTile,
    {
      id: '0.9.1',
      type: 'line',
      title: 'Delay by hour',
      width: 4,
      failure: { code: 'timeout' },
    } satisfies FailedTile,
  ],
  highlightRow,
];

function pivotGroups(): Pick<PivotTile, 'groups' | 'totals' | 'subtotals'> {
  const rows = ['West', 'East'].flatMap((region) =>
    ['Consumer', 'Corporate'].map((segment) => [region, segment]),
  );
  const columns = ['2016-01-01', '2017-01-01'].flatMap((year) =>
    ['Furniture', 'Technology'].map((category) => [year, category]),
  );
  return {
    groups: rows.flatMap((row, index) =>
      columns
        .filter((_, column) => column !== index)
        .map((column) => ({
          keys: [...row, ...column],
          values: [12_345 * (index + 1), 10 + index],
        })),
    ),
    totals: {
      rows: rows.map((keys, index) => ({ keys, values: [37_035 * (index + 1), 30 + index] })),
      columns: columns.map((keys) => ({ keys, values: [92_587, 34] })),
      all: [370_350, 126],
    },
    subtotals: [
      { rows: 0, columns: 1, groups: group([[]], years, [185_174, 60]) },
      { rows: 1, columns: 0, groups: group(regions, [[]], [185_175, 62]) },
      { rows: 1, columns: 1, groups: group(regions, years, [92_587, 31]) },
      { rows: 1, columns: 2, groups: group(regions, columns, [46_293, 15]) },
      { rows: 2, columns: 1, groups: group(rows, years, [24_690, 11]) },
    ],
  };
}

export const galleryView: TilesView = {
  ...salesView,
  filters: [
    { key: 'Orders/Region', value: 'West' },
    { key: 'Order Date', value: '2016-01-01..2017-12-31' },
  ],
  dataAsOf: '2017-12-30',
  roles: ['West', 'Own accounts'],
  pages: ['Overview', 'Products', 'Customers'],
  page: { index: 0, name: 'Overview', rows: gallery },
};

/** The gallery on its first page, and a chart, a table and a pivot on each other page. */
export function galleryPage(index: number): TilesView {
  if (index === 0) return galleryView;
  const kinds = new Set(['bar', 'table', 'pivot']);
  const tiles = gallery.flat().filter(({ type }) => kinds.delete(type));
  const rows = tiles.map((tile) => [{ ...tile, id: `${index}.${tile.id}`, width: 12 }]);
  return { ...galleryView, page: { index, name: galleryView.pages[index] ?? '', rows } };
}
