import type { Row } from './rows.ts';

/** A value of a metric, or a key. */
export type Cell = string | number | null;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The metrics over at least one row, and over none. */
export const metrics = {
  Sales: { of: (rows: readonly Row[]) => sum(rows.map(({ Cents }) => Cents)) / 100, empty: 0 },
  Orders: { of: (rows: readonly Row[]) => rows.length, empty: 0 },
  Score: { of: averageScore, empty: null },
  Products: {
    of: (rows: readonly Row[]) => new Set(rows.map(({ Product }) => Product)).size,
    empty: 0,
  },
} as const;
export type MetricName = keyof typeof metrics;

function averageScore(rows: readonly Row[]): Cell {
  const scores = rows.flatMap(({ Score }) => Score ?? []);
  return scores.length === 0 ? null : sum(scores) / scores.length;
}

const month = ({ Ordered }: Row) => `${Ordered.slice(0, 7)}-01`;
const year = ({ Ordered }: Row) => `${Ordered.slice(0, 4)}-01-01`;
const dayOfWeek = ({ Ordered }: Row) => ((new Date(Ordered).getUTCDay() + 6) % 7) + 1;

/** The dimensions of the tiles. */
export const dimensions = {
  Region: ({ Region }: Row) => Region,
  Group: ({ Group }: Row) => Group,
  Product: ({ Product }: Row) => Product,
  'Ordered by month': month,
  'Ordered by year': year,
  'Ordered by day of week': dayOfWeek,
} as const satisfies Record<string, (row: Row) => Cell>;
export type DimensionName = keyof typeof dimensions;

/** What a tile groups by and measures. */
export interface Grouped {
  id: string;
  /** A pivot has its rows, then its columns. */
  by: readonly DimensionName[];
  /** How many of `by` are the rows of a pivot. Default: no pivot. */
  rowCount?: number;
  values: readonly MetricName[];
}

export const kpi = '0.0.0';
export const donut = '0.2.1';
export const drilled = '0.1.1';

/** The tiles with groups, by their positions in the report below. */
export const tiles: readonly Grouped[] = [
  { id: '0.0.1', by: ['Ordered by month', 'Group'], values: ['Sales'] },
  { id: '0.0.2', by: ['Ordered by month'], values: ['Orders', 'Score'] },
  { id: '0.1.0', by: ['Product'], values: ['Sales', 'Products'] },
  { id: drilled, by: ['Group'], values: ['Sales'] },
  { id: '0.1.2', by: ['Ordered by day of week', 'Region'], values: ['Orders'] },
  { id: '0.2.0', by: ['Product', 'Group'], values: ['Sales', 'Score', 'Orders'] },
  { id: donut, by: ['Group'], values: ['Orders'] },
  { id: '0.3.0', by: ['Product', 'Region'], values: ['Sales', 'Score', 'Products'] },
  { id: '0.3.1', by: ['Region', 'Ordered by year'], rowCount: 1, values: ['Sales', 'Orders'] },
  { id: '0.3.2', by: ['Ordered by month', 'Region'], values: ['Sales'] },
  {
    id: '0.4.0',
    by: ['Group', 'Product', 'Ordered by year', 'Region'],
    rowCount: 2,
    values: ['Score', 'Products'],
  },
];

export const report = `name: Orders
workspace: Sales
dataset: orders
filters:
  - field: Region
  - field: Ordered
  - field: Quantity
pages:
  - name: Overview
    rows:
      - tiles:
          - { type: kpi, metric: Sales, compare: previous year, sparkline: month, target: Orders }
          - { type: line, x: Ordered by month, y: Sales, color: Group }
          - { type: line, x: Ordered by month, y: [Orders, Score] }
      - tiles:
          - { type: column, x: Product, y: [Sales, Products], limit: 4 }
          - { type: bar, x: Group, y: Sales }
          - { type: column, x: Ordered by day of week, y: Orders, color: Region }
      - tiles:
          - { type: scatter, point: Product, x: Sales, y: Score, size: Orders, color: Group }
          - { type: donut, metric: Orders, color: Group }
      - tiles:
          - { type: table, dimensions: [Product, Region], metrics: [Sales, Score, Products], totals: true }
          - { type: pivot, rows: [Region], columns: [Ordered by year], metrics: [Sales, Orders] }
          - { type: area, title: Sales of regions, x: Ordered by month, y: Sales, facet: Region }
          - { type: text, text: No numbers }
      - tiles:
          - { type: pivot, rows: [Group, Product], columns: [Ordered by year, Region], metrics: [Score, Products] }
  - name: Details
    rows:
      - tiles:
          - { type: bar, title: Orders, x: Group, y: Orders }
`;

export const dataset = `name: Orders
source: { file: numbers.csv }
time: Ordered
metrics:
  - { name: Sales, expression: sum(Sales) }
  - { name: Orders, expression: count() }
  - { name: Score, expression: avg(Score) }
  - { name: Products, expression: count_distinct(Product) }
hierarchies:
  - { name: Products, fields: [Group, Product] }
roles:
  - { name: West, rows: { field: Region, in: [West] } }
  - { name: East, rows: { field: Region, in: [East] } }
  - { name: Own, rows: { field: Owner, equals: { viewer: email } } }
  - { name: Everything, rows: all }
`;
