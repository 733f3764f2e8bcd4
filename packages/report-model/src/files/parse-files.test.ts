import { expect, it } from 'vitest';

import type { Issue } from '../issues/issue.ts';
import { parseDatasetFile, parseReportFile } from './parse-files.ts';

const show = ({ issues }: { issues: Issue[] }) =>
  issues.map(({ path, message }) => [path.join('.'), message]);

const dataset = (properties: unknown) =>
  show(parseDatasetFile({ name: 'Orders', source: { file: 'a.csv' }, ...(properties as object) }));

const operators = 'in, notIn, equals, between, before, after, isNull, matches, and, or, not';

it.each([
  ['al', '', 'unknown value "al"; did you mean "all"?'],
  [null, '', 'write all, or a condition such as { field: Region, in: [West] }'],
  [{}, '', `a condition needs one of ${operators}`],
  [{ field: 'R' }, '', `a condition needs one of ${operators}`],
  [{ in: ['x'] }, '', 'the condition has no field; add one, such as field: Region'],
  [
    { field: 'R', in: ['x'], equals: 'y' },
    '',
    'a condition has in and equals, but it can have only one of them',
  ],
  [{ field: 'R', inn: ['x'] }, '.inn', 'unknown property "inn"; did you mean "in"?'],
  [{ field: 'R', in: [] }, '.in', 'the list is empty; add at least one value'],
  [
    { field: 'R', in: 'West' },
    '.in',
    'write a list such as [West, East], { viewer: … } or { lookup: …, key: …, value: … }',
  ],
  [{ field: 'R', in: ['x', null] }, '.in.1', 'write text, a number, true or false'],
  [
    { field: 'R', in: { viewer: 'mail' } },
    '.in.viewer',
    'unknown value "mail"; did you mean "email"?',
  ],
  [
    { field: 'R', notIn: { lookup: 'Managers', key: 'y', value: 'z' } },
    '.notIn.lookup',
    'write a slug of lower-case letters, digits and single hyphens, such as region-sales',
  ],
  [{ field: 'R', in: { lookup: 'x', key: 'y' } }, '.in.value', 'value is missing'],
  [
    { field: 'R', in: { lookup: 'x', key: 'y', valu: 'z' } },
    '.in.valu',
    'unknown property "valu"; did you mean "value"?',
  ],
  [
    { field: 'R', equals: { viewer: 'email', x: 1 } },
    '.equals.x',
    'unknown property "x"; write viewer',
  ],
  [{ field: 'R', equals: ['x'] }, '.equals', 'write a value or { viewer: … }'],
  [{ field: 'R', between: 5 }, '.between', 'between must be a list of two values, but is 5'],
  [{ field: 'R', between: [1] }, '.between', 'between must have at least 2 entries'],
  [{ field: 'R', isNull: 'yes' }, '.isNull', 'isNull must be true or false, but is text'],
  [{ field: 12, isNull: true }, '.field', 'field must be text, but is 12; quote it'],
  [
    { field: 'R', in: ['x'], split: '' },
    '.split',
    'split is empty; write the text between two values, such as ";"',
  ],
  [{ field: 'R', in: ['x'], split: 5 }, '.split', 'split must be text, but is 5; quote it'],
  [
    { field: 'R', isNull: true, split: ';' },
    '.split',
    'split goes with in, notIn and equals only; remove it',
  ],
  [
    { and: [{ field: 'R', isNull: true }], split: ';' },
    '.split',
    'split goes with in, notIn and equals only; remove it',
  ],
  [{ matches: { lookup: 'x', key: 'y' } }, '.matches.fields', 'fields is missing'],
  [
    { matches: { lookup: 'x', key: 'y', fields: {} } },
    '.matches.fields',
    'fields is empty; write pairs such as { Country: country, Product: product }',
  ],
  [
    { matches: { lookup: 'x', key: 'y', fields: { R: 1 } } },
    '.matches.fields.R',
    'R must be text, but is 1; quote it',
  ],
  [
    { matches: { lookup: 'x', key: 'y', fields: JSON.parse('{"R": "r", "__proto__": "s"}') } },
    '.matches.fields',
    'rename the field __proto__',
  ],
  [
    { matches: { lookup: 'x', key: 'y', fields: { R: 'r' }, through: 'z' } },
    '.matches.through',
    'unknown property "through"; write one of lookup, key, viewer, fields, split',
  ],
  [
    { matches: { lookup: 'x', key: 'y', fields: { R: 'r' } }, field: 'R' },
    '.field',
    'matches has the fields in its own fields; remove this one',
  ],
  [
    { matches: { lookup: 'x', key: 'y', fields: { R: 'r' } }, or: [{ field: 'R', in: ['x'] }] },
    '',
    'a condition has matches and or, but it can have only one of them',
  ],
  [{ and: [] }, '.and', 'and has no conditions; add one, or write rows: all for every row'],
  [{ or: [] }, '.or', 'or has no conditions; add one, or write rows: all for every row'],
  [{ or: 'x' }, '.or', 'or must be a list, but is text'],
  [
    { not: [{ field: 'R', isNull: true }] },
    '.not',
    'not must be a mapping (key: value), but is a list',
  ],
  [
    { field: 'R', and: [{ field: 'x', isNull: true }] },
    '.field',
    'and, or and not take no field; remove it',
  ],
  [
    { and: [{ not: { or: [{ field: 'R', isNul: true }] } }] },
    '.and.0.not.or.0.isNul',
    'unknown property "isNul"; did you mean "isNull"?',
  ],
])('the rows %j have one issue at %j: %s', (rows, place, message) => {
  expect(dataset({ roles: [{ name: 'West', rows }] })).toEqual([
    [`roles.0.rows${place}`, `West: ${message}`],
  ]);
});

const folder = 'write a path inside the data folder, such as sales/orders.csv';
const metric = (properties: object) => ({
  metrics: [{ name: 'Sales', expression: 'sum(Sales)', ...properties }],
});

it.each([
  [{ source: undefined }, 'source', 'source is missing'],
  [{ source: 'a.csv' }, 'source', 'source must be a mapping (key: value), but is text'],
  [{ source: {} }, 'source', 'a source needs one of file, files, connection'],
  [{ source: { fil: 'a.csv' } }, 'source.fil', 'unknown property "fil"; did you mean "file"?'],
  [
    { source: { file: 'a.csv', files: '*.csv' } },
    'source',
    'a source has file and files, but it can have only one of them',
  ],
  [{ source: { file: '../a.csv' } }, 'source.file', `the path leaves the data folder; ${folder}`],
  [
    { source: { file: 'a/../../b.csv' } },
    'source.file',
    `the path leaves the data folder; ${folder}`,
  ],
  [{ source: { file: '/etc/a.csv' } }, 'source.file', `the path is absolute or a URL; ${folder}`],
  [{ source: { file: '~/a.csv' } }, 'source.file', `the path is absolute or a URL; ${folder}`],
  [{ source: { file: 's3://b/a.csv' } }, 'source.file', `the path is absolute or a URL; ${folder}`],
  [{ source: { file: 'C:/a.csv' } }, 'source.file', `the path is absolute or a URL; ${folder}`],
  [{ source: { file: './a.csv' } }, 'source.file', `the path has an empty or "." part; ${folder}`],
  [{ source: { file: 'a//b.csv' } }, 'source.file', `the path has an empty or "." part; ${folder}`],
  [
    { source: { file: 'a\\b.csv' } },
    'source.file',
    `the path has a backslash or a control character; ${folder}`,
  ],
  [
    { source: { file: 'a\0.csv' } },
    'source.file',
    `the path has a backslash or a control character; ${folder}`,
  ],
  [
    { source: { files: 'a.csv' } },
    'source.files',
    'files takes a pattern, such as sales/*.parquet; for one file, write file: instead of files:',
  ],
  [
    { source: { file: 'a.xls' } },
    'source.file',
    'this kind of workbook is not supported; save it as .xlsx, or save its sheet as CSV, and write the name of that file',
  ],
  [
    { source: { file: 'a.json' } },
    'source.file',
    'the file is not a CSV file, workbook or Parquet file; its name must end in .csv, .tsv, .txt, .xlsx, .xlsm or .parquet',
  ],
  [
    { source: { file: 'a.xlsx', csv: {} } },
    'source.csv',
    'csv is only for CSV files; write the options of a workbook under xlsx',
  ],
  [{ source: { file: 'a.csv', xlsx: {} } }, 'source.xlsx', 'xlsx is only for workbooks; remove it'],
  [
    { source: { connection: 'w', table: 'a', xlsx: {} } },
    'source.xlsx',
    'xlsx is only for workbooks; remove it',
  ],
  [
    { source: { file: 'a.xlsx', xlsx: { sheets: 'Orders' } } },
    'source.xlsx.sheets',
    'unknown property "sheets"; did you mean "sheet"?',
  ],
  [
    { source: { files: 'a/*.xlsx', xlsx: { decimal: ',', thousands: ',' } } },
    'source.xlsx.thousands',
    'decimal and thousands are both ","; change one of them',
  ],
  [
    { source: { file: 'a.parquet', csv: {} } },
    'source.csv',
    'csv is only for CSV files; remove it',
  ],
  [{ source: { connection: 'w' } }, 'source', 'a connection needs one of table, sql'],
  [
    { source: { connection: 'w', table: 'a', sql: 'select 1' } },
    'source',
    'a connection has table and sql, but it can have only one of them',
  ],
  [
    { source: { connection: 'w', file: 'a.csv' } },
    'source',
    'a source has file and connection, but it can have only one of them',
  ],
  [{ source: { table: 'a' } }, 'source', 'a source needs one of file, files, connection'],
  [
    { source: { file: 'a.csv', table: 'a' } },
    'source.table',
    'table needs a connection; write connection: NAME',
  ],
  [
    { source: { connection: 'w', table: 'a', csv: {} } },
    'source.csv',
    'csv is only for CSV files; remove it',
  ],
  [
    { source: { connection: 'w', table: '"Orders"' } },
    'source.table',
    'names are exact; write the table without quotes',
  ],
  [
    { source: { connection: 'w', table: 'a..b' } },
    'source.table',
    'write a table as NAME or SCHEMA.NAME; for other names, write sql',
  ],
  [
    { source: { connection: 'w', sql: 'select 1; ' } },
    'source.sql',
    'remove the semicolon at the end',
  ],
  [
    { source: { connection: 'w', table: 'a', freshness: 'soon' } },
    'source.freshness',
    'write a time such as 5 minutes or 1 hour',
  ],
  [
    { source: { file: 'a.csv', csv: { delimeter: ';' } } },
    'source.csv.delimeter',
    'unknown property "delimeter"; did you mean "delimiter"?',
  ],
  [
    { source: { file: 'a.csv', csv: { decimal: ',' } } },
    'source.csv.delimiter',
    'delimiter and decimal are both ","; change the delimiter, for example to ";"',
  ],
  [
    { source: { file: 'a.csv', csv: { thousands: '.' } } },
    'source.csv.thousands',
    'decimal and thousands are both "."; change one of them',
  ],
  [
    { source: { file: 'a.csv', csv: { encoding: 'utf8' } } },
    'source.csv.encoding',
    'unknown value "utf8"; did you mean "utf-8"?',
  ],
  [{ name: undefined }, 'name', 'name is missing'],
  [{ name: null }, 'name', 'name must be text, but is empty'],
  [{ name: 2024 }, 'name', 'name must be text, but is 2024; quote it'],
  [{ name: ' Orders' }, 'name', 'remove the spaces at the start and end'],
  [{ name: 'a\nb' }, 'name', 'remove line breaks and control characters'],
  [{ id: 'orders' }, 'id', 'id must be a UUID; correct it, or remove it'],
  [{ rowAcces: 'everyone' }, 'rowAcces', 'unknown property "rowAcces"; did you mean "rowAccess"?'],
  [{ rowAccess: 'all' }, 'rowAccess', 'unknown value "all"; write one of by-role, everyone'],
  [{ metrics: null }, 'metrics', 'metrics must be a list, but is empty'],
  [{ metrics: { a: 1 } }, 'metrics', 'metrics must be a list, but is a mapping (key: value)'],
  [
    { metrics: ['Sales'] },
    'metrics.0',
    'entry 1 of metrics must be a mapping (key: value), but is text',
  ],
  [metric({ expression: undefined }), 'metrics.0.expression', 'Sales: expression is missing'],
  [
    metric({ expression: 1 }),
    'metrics.0.expression',
    'Sales: expression must be text, but is 1; quote it',
  ],
  [metric({ expression: '' }), 'metrics.0.expression', 'Sales: expression is empty'],
  [
    metric({ expression: 'x'.repeat(4_001) }),
    'metrics.0.expression',
    'Sales: expression must have at most 4000 characters',
  ],
  [
    metric({ format: 'percnt' }),
    'metrics.0.format',
    'Sales: unknown value "percnt"; did you mean "percent"?',
  ],
  [
    metric({ format: 5 }),
    'metrics.0.format',
    'Sales: write integer, decimal, percent, or options such as { style: currency, currency: USD }',
  ],
  [
    metric({ format: { style: 'currency' } }),
    'metrics.0.format',
    'Sales: style: currency needs the property currency; add it',
  ],
  [
    metric({ format: { style: 'currency', currency: 'EURO' } }),
    'metrics.0.format.currency',
    'Sales: write an ISO 4217 currency code, such as USD',
  ],
  [
    metric({ format: { style: 'unit', unit: 'kilometr' } }),
    'metrics.0.format.unit',
    'Sales: unknown unit "kilometr"; did you mean "kilometer"?',
  ],
  [
    metric({ format: { minimumFractionDigits: 3, maximumFractionDigits: 1 } }),
    'metrics.0.format.maximumFractionDigits',
    'Sales: maximumFractionDigits must be at least minimumFractionDigits',
  ],
  [
    { fields: [{ name: 'Region', type: 'string' }] },
    'fields.0.type',
    'Region: unknown value "string"; write one of text, number, integer, decimal, date, datetime, boolean',
  ],
])('the dataset with %j has one issue at %s: %s', (properties, place, message) => {
  expect(dataset(properties)).toEqual([[place, message]]);
});

it.each([null, 'text', 5, [], true])('the file %j is refused', (value) => {
  const { issues } = parseDatasetFile(value);
  expect(issues).toHaveLength(1);
  expect(issues[0]?.message).toMatch(/^the file must be a mapping \(key: value\), but is /);
});

it('a file that is nested too deeply is refused', () => {
  let rows: object = { field: 'Region', isNull: true };
  for (let level = 0; level < 100_000; level += 1) rows = { not: rows };
  const [issue, ...others] = parseDatasetFile({ roles: [{ name: 'West', rows }] }).issues;
  expect(others).toEqual([]);
  expect(issue?.message).toBe('this is nested more than 60 levels deep; use fewer levels');
  expect(issue?.path).toHaveLength(60);
});

it('the name of a single file may contain the characters of a pattern', () => {
  for (const file of ['sales[1].csv', 'a{b}.csv', 'what?.csv', '*.csv'])
    expect(dataset({ source: { file } })).toEqual([]);
});

it('a file with quoted decimal commas may have commas between its values', () => {
  const csv = { delimiter: ',', decimal: ',' };
  expect(dataset({ source: { file: 'a.csv', csv } })).toEqual([]);
});

it('omitted properties have their defaults', () => {
  const { value, issues } = parseDatasetFile({
    name: 'Orders',
    source: { file: 'orders.csv', csv: { delimiter: ';', decimal: ',' } },
    metrics: [{ name: 'Share', expression: 'sum(a) / count()', format: 'percent' }],
    roles: [
      { name: 'Own', rows: { field: 'R', in: { lookup: 'managers', key: 'email', value: 'r' } } },
    ],
  });
  expect(issues).toEqual([]);
  expect(value).toMatchObject({
    source: { file: 'orders.csv', csv: { delimiter: ';', decimal: ',' } },
    rowAccess: 'by-role',
    fields: [],
    metrics: [{ format: { style: 'percent' } }],
    roles: [{ rows: { in: { viewer: 'email' } } }],
  });
});

it('parsing a stored definition again does not change it', () => {
  const { value } = parseDatasetFile({
    name: 'Orders',
    source: { file: 'orders.csv', csv: {} },
    metrics: [{ name: 'Share', expression: 'sum(a) / count()', format: 'percent' }],
    roles: [
      { name: 'Own', rows: { field: 'R', in: { lookup: 'managers', key: 'email', value: 'r' } } },
    ],
  });
  expect(parseDatasetFile(structuredClone(value))).toEqual({ value, issues: [] });

  const tiles = [
    { type: 'kpi', metric: 'Sales' },
    { type: 'line', x: 'Region', y: 'Sales' },
    { type: 'table', metrics: ['Sales'] },
  ];
  const stored = parseReportFile({
    name: 'Sales',
    workspace: 'Sales',
    dataset: 'orders',
    pages: [{ name: 'Overview', rows: [{ tiles }] }],
  }).value;
  expect(stored?.pages[0]?.rows[0]?.tiles[1]).toMatchObject({ y: ['Sales'], limit: 50 });
  expect(parseReportFile(structuredClone(stored))).toEqual({ value: stored, issues: [] });
});
