import { expect, it } from 'vitest';

import { parseReportFile } from './parse-files.ts';

const report = (properties: unknown) =>
  parseReportFile({
    name: 'Sales',
    workspace: 'Sales',
    dataset: 'orders',
    pages: [{ name: 'Overview', rows: [{ tiles: [{ type: 'kpi', metric: 'Sales' }] }] }],
    ...(properties as object),
  }).issues.map(({ path, message }) => [path.join('.'), message]);

const types = 'kpi, line, area, column, bar, scatter, donut, table, pivot, text';

it.each([
  ['kpi', '', `the tile has no type; write one of ${types}`],
  [{ x: 'a' }, '.type', `the tile has no type; write one of ${types}`],
  [{ type: 'ling' }, '.type', 'unknown type of tile "ling"; did you mean "line"?'],
  [{ type: 'treemap' }, '.type', `unknown type of tile "treemap"; write one of ${types}`],
  [{ type: 'line', x: 'a' }, '.y', 'y is missing'],
  [{ type: 'kpi', metrik: 'm' }, '.metrik', 'unknown property "metrik"; did you mean "metric"?'],
  [{ type: 'line', x: 'a', y: 5 }, '.y', 'write the name of a metric, or a list of names'],
  [{ type: 'line', x: 'a', y: [] }, '.y', 'y is empty'],
  [
    { type: 'line', x: 'a', y: 'b', widht: 3 },
    '.widht',
    'unknown property "widht"; did you mean "width"?',
  ],
  [{ type: 'line', x: 'a', y: 'b', width: 13 }, '.width', 'width must be at most 12'],
  [
    { type: 'line', x: 'a', y: 'b', width: 1.5 },
    '.width',
    'width must be a whole number, but is 1.5',
  ],
  [
    { type: 'column', x: 'a', y: 'b', stack: 'stack' },
    '.stack',
    'unknown value "stack"; write one of stacked, grouped, percent',
  ],
  [
    { type: 'area', x: 'a', y: 'b', stack: 'grouped' },
    '.stack',
    'unknown value "grouped"; write one of stacked, percent',
  ],
  [
    { type: 'line', x: 'a', y: 'b', stack: 'stacked' },
    '.stack',
    'unknown property "stack"; write one of type, title, description, width, x, y, color, facet, limit',
  ],
  [{ type: 'kpi', metric: 'm', target: true }, '.target', 'write a number or the name of a metric'],
  [
    { type: 'kpi', metric: 'm', sparkline: 'moth' },
    '.sparkline',
    'unknown value "moth"; did you mean "month"?',
  ],
  [{ type: 'pivot', rows: ['a'], columns: [], metrics: ['m'] }, '.columns', 'columns is empty'],
  [{ type: 'table', pageSize: 0 }, '.pageSize', 'pageSize must be at least 1'],
  [{ type: 'donut', metric: 'm', color: 'c', limit: 13 }, '.limit', 'limit must be at most 12'],
  [{ type: 'text', text: '' }, '.text', 'text is empty'],
])('the tile %j has one issue at %j: %s', (tile, place, message) => {
  const issues = report({ pages: [{ name: 'Overview', rows: [{ tiles: [tile] }] }] });
  const hasType = typeof tile === 'object' && 'type' in tile;
  const subject = hasType ? `Overview, ${tile.type}` : 'Overview';
  expect(issues).toEqual([[`pages.0.rows.0.tiles.0${place}`, `${subject}: ${message}`]]);
});

it.each([
  [{ pages: undefined }, [['pages', 'pages is missing']]],
  [{ pages: [] }, [['pages', 'pages is empty']]],
  [
    { dataset: 'orders.yaml' },
    [
      [
        'dataset',
        'write a slug of lower-case letters, digits and single hyphens, such as region-sales',
      ],
    ],
  ],
  [
    { filters: [{ field: 'Year', default: 2024 }] },
    [['filters.0.default', 'write text in quotes, or a list of texts']],
  ],
  [
    { filters: ['Region'] },
    [['filters.0', 'entry 1 of filters must be a mapping (key: value), but is text']],
  ],
  [
    { pages: [{ name: 'P', tiles: [] }] },
    [
      ['pages.0.rows', 'P: rows is missing'],
      ['pages.0.tiles', 'P: unknown property "tiles"; write one of name, rows'],
    ],
  ],
])('the report with %j has these issues: %j', (properties, issues) => {
  expect(report(properties)).toEqual(issues);
});
