import type {
  ChartTile,
  ComputedPage,
  FormatOptions,
  Group,
  Key,
  ScatterTile,
} from '@portal-embed/report-model';

import { byMonth, dollars, integer } from './samples.ts';

export const percent: FormatOptions = {
  style: 'percent',
  notation: 'standard',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
};
export const months = Array.from(
  { length: 24 },
  (_, index) => `${2016 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`,
);
export const wave = (index: number, size: number, shift = 0) =>
  Math.round(size * (1 + 0.4 * Math.sin((index + shift) / 1.9) + index / 40));
const categories = ['Technology', 'Furniture', 'Office Supplies'];
export const month = { name: 'Order Date by month', kind: 'time', grain: 'month' } as const;
const byCategoryAndMonth: Group[] = months.flatMap((key, index) =>
  categories.map((category, series) => ({
    keys: [key, category],
    values: [wave(index, 12_000 + 4_000 * series, 2 * series)],
  })),
);

const chart = (id: string, part: Partial<ChartTile>): ChartTile => ({ ...byMonth, id, ...part });
const color = { role: 'color', dimension: { name: 'Category', kind: 'category' } } as const;
const x = { role: 'x', dimension: month } as const;
const products = { role: 'x', dimension: { name: 'Product', kind: 'category' } } as const;
const names = [
  'Canon imageCLASS 2200 Advanced Copier',
  'Fellowes PB500 Electric Punch Plastic Comb Binding Machine',
  'HON 5400 Series Task Chairs for Big and Tall',
  'Cisco TelePresence System EX90',
  'GBC Ibimaster 500',
  'Martin Yale Chadless Opener',
  'Riverside Palais Royal Lawyers Bookcase',
];

/** A field with an order of its own. */
export const priority = {
  name: 'Priority',
  field: 'Priority',
  kind: 'category',
  order: ['low', 'mid', 'high', 'urgent'],
} as const;
const ticketsOf = (size: number) => [
  ...['urgent', 'mid', 'low', 'high'].map((key, index) => ({
    keys: [key],
    values: [size * (index + 2)],
  })),
  { keys: [null], values: [size], other: 3 },
];

/** Charts of every type, with awkward values. */
export const chartRows: ComputedPage['rows'] = [
  [
    chart('0.1.0', {
      title: 'Sales over time',
      width: 8,
      groups: months.map((key, index) => ({
        keys: [key],
        values: [index === 6 || index === 8 ? null : wave(index, 40_000)],
      })),
      incompleteKey: months.at(-1)!,
    }),
    chart('0.1.1', {
      title: 'Sales by segment',
      type: 'donut',
      width: 4,
      dimensions: [{ role: 'color', dimension: { name: 'Segment', kind: 'category' } }],
      groupCount: 21,
      shownCount: 4,
      groups: [
        ...['Consumer', 'Corporate', 'Home Office', null].map((key, index) => ({
          keys: [key],
          values: [500_000 / (index + 1)],
        })),
        { keys: [null], values: [90_000], other: 17 },
      ],
    }),
  ],
  [
    chart('0.2.0', {
      title: 'Sales by category over time',
      dimensions: [x, color],
      groups: byCategoryAndMonth,
    }),
    chart('0.2.1', {
      title: 'Stacked area of the same',
      type: 'area',
      dimensions: [x, color],
      groups: byCategoryAndMonth,
      incompleteKey: months.at(-1)!,
    }),
  ],
  [
    chart('0.3.0', {
      title: 'Stacked columns',
      type: 'column',
      width: 4,
      dimensions: [x, color],
      groups: byCategoryAndMonth,
      stack: 'stacked',
      incompleteKey: months.at(-1)!,
    }),
    chart('0.3.1', {
      title: 'Grouped columns by weekday',
      type: 'column',
      width: 4,
      dimensions: [
        { role: 'x', dimension: { name: 'Day', kind: 'number', grain: 'day of week' } },
        color,
      ],
      metrics: [{ name: 'Orders', format: integer }],
      groups: [1, 2, 3, 4, 5, 6, 7].flatMap((day) =>
        categories.map((category, index) => ({
          keys: [day, category] as Key[],
          values: [index - 1 + (day % 3)],
        })),
      ),
      stack: 'grouped',
    }),
    chart('0.3.2', {
      title: 'Shares of categories in each quarter',
      type: 'column',
      width: 4,
      dimensions: [
        { role: 'x', dimension: { name: 'Quarter', kind: 'time', grain: 'quarter' } },
        color,
      ],
      groups: ['2017-01-01', '2017-04-01', '2017-07-01', '2017-10-01'].flatMap((key, quarter) =>
        categories.map((category, index) => ({
          keys: [key, category],
          values: [wave(quarter, 10_000, index * 3)],
        })),
      ),
      stack: 'percent',
    }),
  ],
  [
    chart('0.4.0', {
      title: 'Best products',
      description: 'By sales since the beginning',
      type: 'bar',
      dimensions: [products],
      groupCount: 5_000,
      shownCount: 7,
      groups: [
        ...names.map((name, index) => ({ keys: [name], values: [61_599 / (index + 1)] })),
        { keys: [null], values: [130_000], other: 4_993 },
      ],
    }),
    chart('0.4.1', {
      title: 'Profit of products',
      type: 'column',
      dimensions: [products],
      metrics: [{ name: 'Profit', format: dollars }],
      groups: names.map((name, index) => ({ keys: [name], values: [9_000 - index * 2_400] })),
    }),
  ],
  [
    chart('0.10.0', {
      title: 'Sales of 50 products',
      type: 'bar',
      dimensions: [products],
      groupCount: 50,
      shownCount: 50,
      groups: Array.from({ length: 50 }, (_, index) => ({
        keys: [`Product ${index + 1}`],
        values: [60_000 - index * 1_700],
      })),
    }),
    chart('0.10.1', { title: 'Sales of the last two years' }),
  ],
  [
    chart('0.5.0', {
      title: 'Stacked bars by region',
      type: 'bar',
      width: 6,
      dimensions: [{ role: 'x', dimension: { name: 'Region', kind: 'category' } }, color],
      groups: ['West', 'East', 'Central', 'South', ''].flatMap((region, index) =>
        categories.map((category, series) => ({
          keys: [region, category],
          values: [wave(index, 200_000, series)],
        })),
      ),
      stack: 'stacked',
    }),
    chart('0.5.1', {
      title: 'Grouped bars by region',
      type: 'bar',
      width: 6,
      dimensions: [{ role: 'x', dimension: { name: 'Region', kind: 'category' } }],
      metrics: [
        { name: 'Sales', format: dollars },
        { name: 'Profit', format: dollars },
      ],
      groups: ['West', 'East', 'Central'].map((region, index) => ({
        keys: [region],
        values: [wave(index, 200_000), 40_000 - 30_000 * index],
      })),
      stack: 'grouped',
    }),
  ],
  [
    {
      id: '0.6.0',
      type: 'scatter',
      title: 'Sales and profit of states',
      width: 7,
      dimensions: [
        { role: 'point', dimension: { name: 'State', kind: 'category' } },
        { role: 'color', dimension: { name: 'Region', kind: 'category' } },
      ],
      metrics: [
        { name: 'Sales', format: dollars },
        { name: 'Profit', format: dollars },
        { name: 'Orders', format: integer },
      ],
      groupCount: 49,
      shownCount: 40,
      groups: Array.from({ length: 40 }, (_, index) => ({
        keys: [`State ${index + 1}`, ['West', 'East', 'Central', 'South'][index % 4]!],
        values: [
          2_000 + ((index * 7_919) % 97) * 1_700,
          index === 7 ? null : ((index * 104_729) % 89) * 700 - 12_000,
          ((index * 31) % 50) * 12,
        ],
      })),
    } satisfies ScatterTile,
    chart('0.6.1', {
      title: 'Two units',
      width: 5,
      metrics: [
        { name: 'Sales', format: dollars },
        { name: 'Margin', format: percent },
      ],
      groups: months.map((key, index) => ({
        keys: [key],
        values: [wave(index, 40_000), 0.1 + 0.05 * Math.sin(index)],
      })),
    }),
  ],
  [
    chart('0.7.0', {
      title: 'Small multiples',
      type: 'column',
      width: 12,
      dimensions: [
        { role: 'x', dimension: { name: 'Year', kind: 'time', grain: 'year' } },
        color,
        { role: 'facet', dimension: { name: 'Region', kind: 'category' } },
      ],
      groups: ['West', 'East', 'Central', 'South'].flatMap((region, facet) =>
        ['2014-01-01', '2015-01-01', '2016-01-01', '2017-01-01'].flatMap((key, year) =>
          categories.map((category, index) => ({
            keys: [key, category, region],
            values: [wave(year, 20_000 + 5_000 * facet, index)],
          })),
        ),
      ),
    }),
  ],
  [
    chart('0.13.0', {
      title: 'Result by month and priority',
      type: 'column',
      width: 8,
      dimensions: [x, { role: 'color', dimension: priority }],
      metrics: [{ name: 'Result', format: dollars }],
      groups: months.slice(0, 8).flatMap((key, index) =>
        ['urgent', 'mid', 'high', 'low'].map((name, series) => ({
          keys: [key, name],
          values: [wave(index, 9_000, series) * (series === index % 4 ? -1 : 1)],
        })),
      ),
    }),
    chart('0.13.1', {
      title: 'Tickets by priority',
      type: 'donut',
      width: 4,
      dimensions: [
        {
          role: 'color',
          dimension: { ...priority, colors: { urgent: '#ff0000', low: '#ffff00' } },
        },
      ],
      metrics: [{ name: 'Tickets', format: integer, isAdditive: true }],
      groups: ticketsOf(40),
    }),
  ],
];
