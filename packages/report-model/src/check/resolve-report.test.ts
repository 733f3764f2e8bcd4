import { expect, it } from 'vitest';

import type { FieldType } from '../files/dataset.ts';
import { parseDatasetFile, parseReportFile } from '../files/parse-files.ts';
import { maxIssues } from '../issues/issue.ts';
import { checkTexts } from './markdown.ts';
import { resolveDataset } from './resolve-dataset.ts';
import { resolveReport } from './resolve-report.ts';

const columns = new Map<string, FieldType>([
  ['Region', 'text'],
  ['Category', 'text'],
  ['Order Date', 'date'],
  ['Shipped', 'datetime'],
  ['Sales', 'decimal'],
  ['Quantity', 'integer'],
  ['Returned', 'boolean'],
  ['Review by month', 'text'],
]);

function makeDataset(properties: object = { time: 'Order Date' }) {
  const { value } = parseDatasetFile({
    name: 'Orders',
    source: { file: 'orders.csv' },
    metrics: [
      { name: 'Sales', expression: 'sum(Sales)' },
      { name: 'Orders', expression: 'count()' },
    ],
    ...properties,
  });
  const { dataset } = value ? resolveDataset(value, columns) : {};
  if (!dataset) throw new Error('The dataset has issues.');
  return dataset;
}

const dataset = makeDataset();
const head = { name: 'Sales', workspace: 'Sales', dataset: 'orders' };
const kpi = { type: 'kpi', metric: 'Sales' };

function resolve(properties: object, of = dataset) {
  const page = { name: 'Overview', rows: [{ tiles: [kpi] }] };
  const { value, issues } = parseReportFile({ ...head, pages: [page], ...properties });
  if (!value) return { issues };
  const resolved = resolveReport(value, of);
  return { ...resolved, issues: [...resolved.issues, ...[...checkTexts(value)].flat()] };
}

const withTile = (tile: object) => ({ pages: [{ name: 'Overview', rows: [{ tiles: [tile] }] }] });

const show = ({ issues }: ReturnType<typeof resolve>) =>
  issues.map(({ path, message }) => [path.join('.').replace('pages.0.rows.0.', ''), message]);

it.each([
  [{ ...kpi, metric: 'Sals' }, 'metric', 'kpi: unknown metric "Sals"; did you mean "Sales"?'],
  [{ ...kpi, target: 'Goal' }, 'target', 'kpi: unknown metric "Goal"; write one of Sales, Orders'],
  [
    { ...kpi, metric: 'Quantity' },
    'metric',
    'kpi: "Quantity" is a field; write a metric instead, or add one to the dataset',
  ],
  [
    { type: 'line', x: 'Order Dat by month', y: 'Sales' },
    'x',
    'line: unknown field "Order Dat"; did you mean "Order Date"?',
  ],
  [
    { type: 'line', x: 'Order Date by moth', y: 'Sales' },
    'x',
    'line: unknown grain "moth"; did you mean "month"?',
  ],
  [
    { type: 'line', x: 'Order Date by century', y: 'Sales' },
    'x',
    'line: unknown grain "century"; write one of year, quarter, month, week, day, hour, month of year, day of week, hour of day',
  ],
  [
    { type: 'line', x: 'Region by month', y: 'Sales' },
    'x',
    'line: "by month" needs a date, but "Region" is text; remove "by month", or give the field "type: date"',
  ],
  [
    { type: 'line', x: 'Order Date by hour of day', y: 'Sales' },
    'x',
    'line: "Order Date" is a date without a time; instead of "by hour of day", write a grain such as "by day"',
  ],
  [
    { type: 'bar', x: 'Orders', y: 'Sales' },
    'x',
    'bar: "Orders" is a metric; write a field instead',
  ],
  [
    { type: 'area', x: 'Region', y: ['Sales', 'Orders'], color: 'Category' },
    'color',
    'area: several metrics already have a color each; remove color, or keep one metric in y',
  ],
  [
    { type: 'column', x: 'Region', y: ['Sales', 'Sales'] },
    'y.1',
    'column: "Sales" is listed twice; remove one',
  ],
  [
    { type: 'column', x: 'Region', y: ['Sales', 'Order'], title: 'Both' },
    'y.1',
    'Both: unknown metric "Order"; did you mean "Orders"?',
  ],
  [
    { type: 'column', x: 'Region', y: 'Sales', facet: 'Categry' },
    'facet',
    'column: unknown field "Categry"; did you mean "Category"?',
  ],
  [
    { type: 'scatter', point: 'Region', x: 'Sales', y: 'Orders', size: 'Size' },
    'size',
    'scatter: unknown metric "Size"; write one of Sales, Orders',
  ],
  [
    { type: 'scatter', point: 'Regions', x: 'Sales', y: 'Orders' },
    'point',
    'scatter: unknown field "Regions"; did you mean "Region"?',
  ],
  [
    { type: 'donut', metric: 'Sales', color: 'Colour' },
    'color',
    'donut: unknown field "Colour"; write one of Region, Category, Order Date, Shipped, Sales, Quantity, Returned, Review by month',
  ],
  [{ type: 'table' }, '', 'table: the table is empty; add dimensions or metrics'],
  [
    { type: 'table', dimensions: ['Region'], metrics: ['Sales'], sort: '-Sale' },
    'sort',
    'table: unknown column "Sale"; did you mean "Sales"?',
  ],
  [
    { type: 'table', dimensions: ['Region', 'Region'] },
    'dimensions.1',
    'table: "Region" is listed twice; remove one',
  ],
  [
    { type: 'pivot', rows: ['Region'], columns: ['Region'], metrics: ['Sales'] },
    'columns.0',
    'pivot: "Region" is in rows and in columns; remove one',
  ],
  [
    { type: 'text', text: 'Hello <b>you</b>' },
    'text',
    'text: HTML is not supported; write Markdown instead of "<b>"',
  ],
  [
    { type: 'text', text: 'An ![image](https://images.example/a.png)' },
    'text',
    'text: images are not supported; remove "![image](https://images.example/a.png)"',
  ],
  [
    { type: 'text', text: '[Home](javascript:alert(1))' },
    'text',
    'text: the link "[Home](javascript:alert(1))" has an unsupported address; begin it with https://, http:// or mailto:',
  ],
  [
    { type: 'text', text: '[Home][1]\n\n[1]: data:text/html,1' },
    'text',
    'text: the link "[Home][1]" has an unsupported address; begin it with https://, http:// or mailto:',
  ],
  [
    { type: 'text', text: '>'.repeat(10_000) },
    'text',
    'text: the text is nested too deeply; use fewer levels',
  ],
])('the tile %j has an issue at %s', (tile, place, message) => {
  const path = place === '' ? 'tiles.0' : `tiles.0.${place}`;
  const subject = 'title' in tile ? '' : 'Overview, ';
  const [first] = show(resolve(withTile(tile)));
  expect(first).toEqual([path, `${subject}${message}`]);
});

it.each([
  [
    { filters: [{ field: 'Regoin' }] },
    'filters.0.field',
    'unknown field "Regoin"; did you mean "Region"?',
  ],
  [
    { filters: [{ field: 'Region' }, { field: 'Region' }] },
    'filters.1.field',
    'Region: another filter has this field; remove one',
  ],
  [
    { filters: [{ field: 'Order Date', default: 'last 12 moons' }] },
    'filters.0.default',
    'Order Date: the default "last 12 moons" is not a date; write "2024-12-31", "2024-01-01..2024-06-30" or "last 12 months"',
  ],
  [
    { filters: [{ field: 'Order Date', default: '2024-12-31..2024-01-01' }] },
    'filters.0.default',
    'Order Date: the default "2024-12-31..2024-01-01" is an empty range; swap its ends',
  ],
  [
    { filters: [{ field: 'Quantity', default: ['1', 'many'] }] },
    'filters.0.default.1',
    'Quantity: the default "many" is not a number; write "12" or "10..20"',
  ],
  [
    { filters: [{ field: 'Returned', default: 'yes' }] },
    'filters.0.default',
    'Returned: the default "yes" is not a boolean; write "true" or "false"',
  ],
  [
    {
      pages: [
        { name: 'A', rows: [{ tiles: [kpi] }] },
        { name: 'A', rows: [{ tiles: [kpi] }] },
      ],
    },
    'pages.1.name',
    'A: another page has this name; rename one of them',
  ],
  [
    {
      pages: [
        {
          name: 'A',
          rows: [
            {
              tiles: [
                { ...kpi, width: 8 },
                { ...kpi, width: 5 },
              ],
            },
          ],
        },
      ],
    },
    'tiles',
    'A: the tiles of this row need more than 12 columns; reduce a width, or start another row',
  ],
  [
    { pages: [{ name: 'A', rows: [{ tiles: [{ ...kpi, width: 12 }, kpi] }] }] },
    'tiles',
    'A: the tiles of this row need more than 12 columns; reduce a width, or start another row',
  ],
])('%j has an issue at %s', (properties, place, message) => {
  expect(show(resolve(properties))).toEqual([[place, message]]);
});

it('comparisons, sparklines and relative dates need the time of the dataset', () => {
  const timeless = makeDataset({});
  const needed = 'needs a time in the dataset; add one there, such as "time: Order Date"';
  const tile = { ...kpi, compare: 'previous year', sparkline: 'month' };
  const filters = [{ field: 'Order Date', default: 'last 12 months' }];
  expect(show(resolve({ ...withTile(tile), filters }, timeless))).toEqual([
    ['filters.0.default', `Order Date: the default "last 12 months" ${needed}`],
    ['tiles.0.compare', `Overview, kpi: a comparison ${needed}`],
    ['tiles.0.sparkline', `Overview, kpi: a sparkline ${needed}`],
  ]);
  expect(show(resolve({ ...withTile(tile), filters }))).toEqual([]);
});

it('a valid report is resolved to dimensions, titles and widths', () => {
  const { report, issues } = resolve({
    description: 'All sales',
    filters: [
      { field: 'Region', default: ['West', 'a..b'] },
      { field: 'Quantity', default: '10..' },
      { field: 'Order Date', default: 'this year' },
      { field: 'Shipped' },
    ],
    pages: [
      {
        name: 'Overview',
        rows: [
          { tiles: [kpi, { ...kpi, width: 1 }, kpi, { type: 'text', text: '**Hello**' }] },
          {
            tiles: [
              { type: 'line', x: 'Shipped by hour of day', y: 'Sales', color: 'Region' },
              { type: 'bar', x: 'Review by month', y: ['Sales', 'Orders'], sort: '-y' },
            ],
          },
          {
            tiles: [
              {
                type: 'table',
                title: 'Details',
                dimensions: ['Order Date by month', 'Region'],
                metrics: ['Sales'],
                sort: '-Sales',
              },
              {
                type: 'pivot',
                rows: ['Region'],
                columns: ['Order Date by year'],
                metrics: ['Sales'],
              },
            ],
          },
        ],
      },
    ],
  });
  expect(issues).toEqual([]);
  expect(report).toMatchObject({ name: 'Sales', description: 'All sales' });
  expect(report?.filters).toEqual([
    { field: 'Region', type: 'text', default: ['West', 'a..b'] },
    { field: 'Quantity', type: 'integer', default: ['10..'] },
    { field: 'Order Date', type: 'date', default: ['this year'] },
    { field: 'Shipped', type: 'datetime' },
  ]);
  const [first, second, third] = report?.pages[0]?.rows ?? [];
  expect(first?.tiles.map(({ id, title, width }) => [id, title, width])).toEqual([
    ['0.0.0', 'Sales', 3],
    ['0.0.1', 'Sales', 1],
    ['0.0.2', 'Sales', 4],
    ['0.0.3', '', 4],
  ]);
  expect(second?.tiles).toMatchObject([
    {
      id: '0.1.0',
      title: 'Sales · Shipped by hour of day · Region',
      isTitleGenerated: true,
      width: 6,
      x: {
        name: 'Shipped by hour of day',
        field: 'Shipped',
        type: 'datetime',
        grain: 'hour of day',
      },
      y: ['Sales'],
      color: { name: 'Region', field: 'Region', type: 'text' },
      limit: 50,
    },
    { x: { name: 'Review by month', field: 'Review by month', type: 'text' }, sort: '-y' },
  ]);
  expect(third?.tiles).toMatchObject([
    {
      title: 'Details',
      dimensions: [{ field: 'Order Date', grain: 'month' }, { field: 'Region' }],
      sort: { column: 2, descending: true },
    },
    { rows: [{ field: 'Region' }], columns: [{ field: 'Order Date', grain: 'year' }] },
  ]);
});

it.each([
  [
    { dimensions: ['Region'], metrics: ['Sales'] },
    { column: 1, descending: true },
  ],
  [
    { dimensions: ['Order Date'], metrics: ['Sales'] },
    { column: 0, descending: false },
  ],
  [{ dimensions: ['Region'] }, { column: 0, descending: false }],
  [{ metrics: ['Sales'] }, { column: 0, descending: false }],
  [
    { dimensions: ['Sales'], metrics: ['Sales'], sort: 'Sales' },
    { column: 1, descending: false },
  ],
])('the table %j is sorted by %j', (table, sort) => {
  const { report } = resolve(withTile({ type: 'table', ...table }));
  expect(report?.pages[0]?.rows[0]?.tiles[0]).toMatchObject({ sort });
});

it('a report does not repeat the mistakes of its dataset', () => {
  const { value } = parseDatasetFile({
    name: 'Orders',
    source: { file: 'orders.csv' },
    fields: [
      { name: 'Day', expression: 'Order Date' },
      { name: 'Region', expression: 'Regoin' },
    ],
    metrics: [
      { name: 'Sales', expression: 'sum(Sals)' },
      { name: 'Orders', expression: 'count()' },
    ],
  });
  const draft = value && resolveDataset(value, columns).draft;
  if (!draft) throw new Error('The file has issues.');
  const line = { type: 'line', x: 'Day by month', y: 'Sales', color: 'Region' };
  const filters = [{ field: 'Region' }];
  expect(resolve({ ...withTile(line), filters }, draft)).toEqual({ issues: [] });
  expect(show(resolve(withTile({ ...line, facet: 'Categry', y: 'Order' }), draft))).toEqual([
    ['tiles.0.y', 'Overview, line: unknown metric "Order"; did you mean "Orders"?'],
    ['tiles.0.facet', 'Overview, line: unknown field "Categry"; did you mean "Category"?'],
  ]);
});

it('mistakes beyond the first 200 are not searched for', () => {
  const name = (index: number) => `Unknown ${'x'.repeat(80)} ${index}`;
  const wideColumns = new Map(Array.from({ length: 2_000 }, (_, index) => [name(index), 'text']));
  const wide = parseDatasetFile({ name: 'Wide', source: { file: 'wide.csv' } }).value!;
  const { dataset: of } = resolveDataset(wide, wideColumns as Map<string, FieldType>);
  const tiles = Array.from({ length: 12 }, (_, index) => ({ type: 'kpi', metric: name(index) }));
  const rows = Array.from({ length: 30 }, () => ({ tiles }));
  const started = performance.now();
  const { issues } = resolve({ pages: [{ name: 'Overview', rows }] }, of);
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(issues).toHaveLength(maxIssues + 1);
  expect(issues.at(-1)!.message).toContain('has more mistakes');
});

it('a page cannot compute more than 50,000 nodes', () => {
  const sum = Array.from({ length: 500 }, () => 'Sales').join(', ');
  const of = makeDataset({ metrics: [{ name: 'Large', expression: `sum(coalesce(${sum}))` }] });
  const tiles = Array.from({ length: 10 }, () => ({ ...kpi, metric: 'Large' }));
  const page = (name: string, rows: number) => ({
    name,
    rows: Array.from({ length: rows }, () => ({ tiles })),
  });
  expect(resolve({ pages: [page('Small', 9)] }, of).issues).toEqual([]);
  expect(show(resolve({ pages: [page('Large', 10)] }, of))).toEqual([
    [
      'pages.0',
      'Large: the expressions of the tiles are too large together; move some tiles to another page',
    ],
  ]);
});

it('a default as long as a file is refused in linear time', () => {
  const filters = [{ field: 'Sales', default: `${'E'.repeat(250_000)}\nE` }];
  expect(resolve({ ...withTile(kpi), filters }).issues).not.toEqual([]);
});

it('conditional formats name metrics of their tile, and links its dimensions', () => {
  const tile = {
    type: 'table',
    dimensions: ['Region', 'Order Date by month'],
    metrics: ['Sales'],
  };
  const bar = { type: 'bar' };
  const issuesOf = (properties: object) =>
    resolve({
      pages: [{ name: 'P', rows: [{ tiles: [{ ...tile, title: 'T', ...properties }] }] }],
    }).issues.map(({ path, message }) => [path.slice(6).join('.'), message]);
  expect(
    issuesOf({
      conditionalFormat: { Sales: bar },
      links: {
        Region: 'https://acme.example/{Region}/{Order Date by month}',
        'Order Date by month': 'https://acme.example/',
      },
    }),
  ).toEqual([]);
  expect(issuesOf({ conditionalFormat: { Sale: bar, Orders: bar, Region: bar } })).toEqual([
    ['conditionalFormat.Sale', 'T: unknown metric "Sale"; did you mean "Sales"?'],
    [
      'conditionalFormat.Orders',
      'T: "Orders" is not in the metrics of this tile; add it there, or remove it here',
    ],
    ['conditionalFormat.Region', 'T: unknown metric "Region"; write Sales'],
  ]);
  expect(
    issuesOf({
      links: { Regoin: 'https://acme.example/', Region: 'https://a.example/{Category}' },
    }),
  ).toEqual([
    ['links.Regoin', 'T: unknown dimension "Regoin"; did you mean "Region"?'],
    [
      'links.Region',
      'T: "Category" is not in the dimensions of this table; add it there, so that each row has one value of it',
    ],
  ]);
});

it('the conditional formats of a pivot name its metrics', () => {
  const tile = { type: 'pivot', rows: ['Region'], columns: ['Category'], metrics: ['Sales'] };
  const { issues } = resolve({
    pages: [
      {
        name: 'P',
        rows: [{ tiles: [{ ...tile, conditionalFormat: { Saless: { type: 'scale' } } }] }],
      },
    ],
  });
  expect(issues.map(({ message }) => message)).toEqual([
    'P, pivot: unknown metric "Saless"; did you mean "Sales"?',
  ]);
});
