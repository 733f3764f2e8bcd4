import fs from 'node:fs';

import {
  aggregates,
  checkCrossProducts,
  checkLookUps,
  grains,
  parseDatasetFile,
  parseReportFile,
  resolveDataset,
  resolveReport,
  rowFunctions,
} from '@portal-embed/report-model';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const page = ['content-files', 'data-sources', 'roles-and-expressions', 'report-files']
  .map((name) => fs.readFileSync(new URL(`guides/${name}.md`, import.meta.url), 'utf8'))
  .join('\n');
const blocks = [...page.matchAll(/^```yaml\n([^]*?)^```/gm)].map(([, text]) => parse(text));

const columns = new Map(
  Object.entries({
    'Order ID': 'text',
    'Order Date': 'date',
    'Shipped At': 'datetime',
    Region: 'text',
    Category: 'text',
    Company: 'text',
    Owner: 'text',
    Zip: 'text',
    Sales: 'decimal',
    Profit: 'number',
    Discount: 'number',
    Quantity: 'integer',
    Returned: 'boolean',
  }),
);
const lookUpColumns = new Map([
  ['email', 'text'],
  ['department', 'text'],
  ['region', 'text'],
  ['regions', 'text'],
  ['category', 'text'],
  ['manager', 'text'],
]);

const [wholeDataset, wholeReport] = [
  blocks.find((block) => block.source && block.name),
  blocks.find((block) => block.pages),
];
const example = {
  ...wholeDataset,
  metrics: [...wholeDataset.metrics, { name: 'Profit', expression: 'sum(Profit)' }],
};

const readSchema = (name) => {
  const url = import.meta.resolve(`@portal-embed/report-model/schemas/${name}.schema.json`);
  return JSON.parse(fs.readFileSync(new URL(url), 'utf8'));
};
const ajv = new Ajv2020({ allowUnionTypes: true, formats: { uuid: true } });
// For the editor of reports.
ajv.addKeyword('names');
const isDataset = ajv.compile(readSchema('dataset'));
const isReport = ajv.compile(readSchema('report'));

function check(file) {
  const { value, issues } = parseDatasetFile(file);
  return value ? resolveDataset(value, columns) : { issues };
}

function checkReport(file) {
  const { value, issues } = parseReportFile(file);
  expect(isReport(file)).toBe(issues.length === 0);
  return value ? resolveReport(value, check(example).dataset).issues : issues;
}

const isTiles = (block) => Array.isArray(block);
const isReportPart = (block) => block.filters !== undefined && !block.pages;
const isDatasetPart = (block) => !isTiles(block) && !isReportPart(block) && block !== wholeReport;

it.each(blocks.filter(isDatasetPart))('the example %j of a dataset has no issue', (part) => {
  const { draft, issues } = check({ ...example, ...part });
  expect(issues).toEqual([]);
  expect(isDataset({ ...example, ...part })).toBe(true);
  const managers = parseDatasetFile({ name: 'Managers', source: { file: 'managers.csv' } }).value;
  const other = resolveDataset(managers, lookUpColumns).draft;
  const datasets = new Map(['region-managers', 'employees'].map((slug) => [slug, other]));
  expect([...checkLookUps(draft, datasets), ...checkCrossProducts(draft)]).toEqual([]);
});

it.each(blocks.filter(isReportPart))('the example %j of a report has no issue', (part) => {
  expect(checkReport({ ...wholeReport, ...part })).toEqual([]);
});

it('the whole report has no issue', () => {
  expect(checkReport(wholeReport)).toEqual([]);
});

it.each(blocks.filter(isTiles).flat())('the example %j of a tile has no issue', (tile) => {
  const pages = [{ name: 'Page', rows: [{ tiles: [tile] }] }];
  expect(checkReport({ ...wholeReport, pages })).toEqual([]);
});

/** The code in the first column of the tables whose header starts so. */
const readTables = (header) =>
  [...page.matchAll(new RegExp(`^\\| ${header}[^]*?\n\n`, 'gm'))].flatMap(([table]) =>
    table
      .split('\n')
      .slice(2)
      .flatMap((row) => row.replace(/(?<!\\) \| .*/, '').match(/`[^`]+`/g) ?? [])
      .map((code) => code.slice(1, -1).replaceAll('\\|', '|')),
  );

const rowExpressions = [
  ...readTables('operators'),
  ...readTables('function of one row'),
  ...[...page.matchAll(/^case .*$/gm)].map(([text]) => text),
];
const metricExpressions = [
  ...readTables('aggregate'),
  ...[...page.matchAll(/`(sum\(.*?\))`/g)].map(([, text]) => text),
];

it.each(rowExpressions)('the expression %s has no issue', (expression) => {
  expect(check({ ...example, fields: [{ name: 'Example', expression }] }).issues).toEqual([]);
});

it.each(metricExpressions)('the metric %s has no issue', (expression) => {
  const metrics = [...example.metrics, { name: 'Example', expression }];
  expect(check({ ...example, metrics }).issues).toEqual([]);
});

it.each(readTables('format'))('the format %s has no issue', (text) => {
  const metrics = [{ name: 'Example', expression: 'count()', format: parse(text) }];
  expect(check({ ...example, metrics }).issues).toEqual([]);
});

/** The names of all properties in a JSON Schema. */
function listProperties(schema) {
  if (typeof schema !== 'object' || schema === null) return [];
  const inner = Object.values(schema).flatMap(listProperties);
  // A map has no properties.
  return schema.type === 'object' ? Object.keys(schema.properties ?? {}).concat(inner) : inner;
}

it.each(['dataset', 'report'])('every property of a %s is described', (name) => {
  const properties = new Set(listProperties(readSchema(name)));
  expect(properties.size).toBeGreaterThan(20);
  const inline = page.replaceAll(/^```[^]*?^```/gm, '').matchAll(/`([^`]+)`/g);
  const code = [...[...inline].map(([, text]) => text), ...page.match(/^```yaml\n[^]*?^```/gm)];
  const missing = [...properties].filter(
    (property) => !code.some((text) => new RegExp(`(?<!\\w)${property}(?!\\w)`).test(text)),
  );
  expect(missing).toEqual([]);
});

it.each([
  { sources: {} },
  { source: {} },
  { source: { file: 'a.csv', files: '*.csv' } },
  { roles: [{ name: 'West', rows: 'al' }] },
  { roles: [{ name: 'West', rows: { field: 'Region' } }] },
  { roles: [{ name: 'West', rows: { field: 'Region', in: [] } }] },
  { roles: [{ name: 'West', rows: { field: 'Region', in: ['West'], isNull: true } }] },
  { roles: [{ name: 'West', rows: { and: [] } }] },
  { metrics: [{ name: 'Sales' }] },
  { hierarchies: [{ name: 'Places', fields: ['Region'] }] },
])('an editor marks the mistake in %j', (part) => {
  expect(isDataset({ ...example, ...part })).toBe(false);
  expect(parseDatasetFile({ ...example, ...part }).issues).not.toEqual([]);
});

it('every function, grain and type of tile has an example', () => {
  const expressions = [...rowExpressions, ...metricExpressions].join();
  const functions = [...rowFunctions, ...aggregates];
  expect(functions.filter((name) => !expressions.includes(`${name}(`))).toEqual([]);
  expect(grains.filter((grain) => !page.includes(`\`${grain}\``))).toEqual([]);
  const types = new Set(blocks.filter(isTiles).flatMap((tiles) => tiles.map(({ type }) => type)));
  expect(types.size).toBe(10);
});

it('the limits of lists in a report and a dataset are those of the schemas', () => {
  const report = readSchema('report').properties;
  const { properties: pageOf } = report.pages.items;
  const dataset = readSchema('dataset').properties;
  const limits = new Map(
    [...page.matchAll(/^\| (.+?) +\| ([\d,]+) +\|$/gm)].map(([, name, limit]) => [
      name,
      Number(limit.replaceAll(',', '')),
    ]),
  );
  for (const [name, { maxItems }] of [
    ['`fields` of a dataset', dataset.fields],
    ['`metrics` or `roles` of a dataset', dataset.metrics],
    ['`metrics` or `roles` of a dataset', dataset.roles],
    ['`hierarchies` of a dataset', dataset.hierarchies],
    ['`pages` of a report', report.pages],
    ['`rows` of a page', pageOf.rows],
    ['`tiles` of a row', pageOf.rows.items.properties.tiles],
    ['`filters` of a report', report.filters],
  ])
    expect([name, limits.get(name)]).toEqual([name, maxItems]);
});
