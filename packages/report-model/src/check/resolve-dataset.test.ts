import { describe, expect, it } from 'vitest';

import type { FieldType } from '../files/dataset.ts';
import { parseDatasetFile } from '../files/parse-files.ts';
import type { Issue } from '../issues/issue.ts';
import { checkCrossProducts, checkLookUps } from './check-predicate.ts';
import { resolveDataset, resolveInSteps } from './resolve-dataset.ts';

const columns = new Map<string, FieldType>([
  ['Region', 'text'],
  ['Zip', 'text'],
  ['Order ID', 'text'],
  ['Order Date', 'date'],
  ['Shipped', 'datetime'],
  ['Sales', 'decimal'],
  ['Profit', 'number'],
  ['Quantity', 'integer'],
  ['Returned', 'boolean'],
]);

const file = { name: 'Orders', source: { file: 'orders.csv' } };

function resolve(
  properties: object,
): Partial<ReturnType<typeof resolveDataset>> & { issues: Issue[] } {
  const { value, issues } = parseDatasetFile({ ...file, ...properties });
  return value ? resolveDataset(value, columns) : { issues };
}

/** Place and message of each issue. */
const show = (issues: Issue[]) =>
  issues.map(({ path, span, message }) => [
    path.join('.') + (span ? ` ${span.start}-${span.end}` : ''),
    message,
  ]);

const field = (name: string, rest: object) => ({ fields: [{ name, ...rest }] });
const metric = (name: string, expression: string, rest: object = {}) => ({
  metrics: [{ name, expression, ...rest }],
});
const role = (rows: unknown) => ({ roles: [{ name: 'West', rows }] });

it.each([
  [
    field('Regoin', { description: 'x' }),
    'fields.0.name',
    'Regoin: unknown column "Regoin"; did you mean "Region"?',
  ],
  [
    field('Margin', {}),
    'fields.0.name',
    'Margin: unknown column "Margin"; write the name of a column, or add an expression',
  ],
  [
    field('Margin', { expression: 'Profit / Sals' }),
    'fields.0.expression 9-13',
    'Margin: unknown field "Sals"; did you mean "Sales"?',
  ],
  [
    field('Margin', { expression: 'sum(Profit)' }),
    'fields.0.expression 0-11',
    'Margin: sum is an aggregate; use it in a metric, not in a field',
  ],
  [
    field('sales', { expression: 'Sales * 2' }),
    'fields.0.name',
    'sales: the name differs from "Sales" only in letter case; rename this field',
  ],
  [
    field('Twice', { expression: 'Twice + 1' }),
    'fields.0.expression 0-5',
    'Twice: circular reference Twice → Twice; remove one of the references',
  ],
  [
    field('Quantity', { type: 'date' }),
    'fields.0.type',
    'Quantity: the column has the type integer, which cannot be read as date; remove "type: date"',
  ],
  [
    field('Profit', { type: 'integer' }),
    'fields.0.type',
    'Profit: the column has the type number, which cannot be read as integer; remove "type: integer"',
  ],
  [
    field('Region', { format: 'percent' }),
    'fields.0.format',
    'Region: only numbers can have a format, but the field is text; remove the format',
  ],
  [
    { fields: [{ name: 'Region' }, { name: 'Region' }] },
    'fields.1.name',
    'Region: another field has this name; rename one of them',
  ],
  [
    metric('Sales', 'sum(Sals)'),
    'metrics.0.expression 4-8',
    'Sales: unknown field "Sals"; did you mean "Sales"?',
  ],
  [
    metric('Sales', 'Sales'),
    'metrics.0.expression 0-5',
    'Sales: "Sales" is a field; aggregate it, such as sum(Sales)',
  ],
  [
    metric('Orders', '"Order ID"'),
    'metrics.0.expression 0-10',
    'Orders: "Order ID" is a field; aggregate it, such as count_distinct("Order ID")',
  ],
  [
    metric('Half', 'Half / 2'),
    'metrics.0.expression 0-4',
    'Half: circular reference Half → Half; remove one of the references',
  ],
  [
    metric('Goal', '1000'),
    'metrics.0.expression',
    'Goal: the expression has no aggregate; add one, such as sum(…) or count()',
  ],
  [
    metric('Last', 'max("Order Date")'),
    'metrics.0.expression',
    'Last: the expression gives a date, but a metric must be a number; use an aggregate such as count(…)',
  ],
  [
    {
      metrics: [
        { name: 'A', expression: 'count()' },
        { name: 'B', expression: 'sum(A)' },
      ],
    },
    'metrics.1.expression 4-5',
    'B: "A" is a metric; write a field instead',
  ],
  [
    {
      metrics: [
        { name: 'Total', expression: 'count()' },
        { name: 'B', expression: 'Totl / 2' },
      ],
    },
    'metrics.1.expression 0-4',
    'B: unknown metric "Totl"; did you mean "Total"?',
  ],
  [
    {
      metrics: [
        { name: 'A', expression: 'count()' },
        { name: 'A', expression: 'count()' },
      ],
    },
    'metrics.1.name',
    'A: another metric has this name; rename one of them',
  ],
  [{ time: 'Order Dat' }, 'time', 'unknown field "Order Dat"; did you mean "Order Date"?'],
  [
    { time: 'Region' },
    'time',
    'time must be a date, but "Region" is text; write another field, or give this one "type: date"',
  ],
  [
    { timeZone: 'Europe/Berln' },
    'timeZone',
    'unknown time zone "Europe/Berln"; did you mean "Europe/Berlin"?',
  ],
  [
    { timeZone: '+01:00' },
    'timeZone',
    'unknown time zone "+01:00"; write an IANA name, such as Europe/Berlin',
  ],
  [
    { rowAccess: 'everyone', ...role('all') },
    'rowAccess',
    'rowAccess: everyone shows all rows to every reader, so the roles have no effect; remove rowAccess or the roles',
  ],
  [
    {
      roles: [
        { name: 'West', rows: 'all' },
        { name: 'West', rows: 'all' },
      ],
    },
    'roles.1.name',
    'West: another role has this name; rename one of them',
  ],
  [
    role({ field: 'Regoin', in: ['West'] }),
    'roles.0.rows.field',
    'West: unknown field "Regoin"; did you mean "Region"?',
  ],
  [
    role({ field: 'Zip', in: ['01234', 12] }),
    'roles.0.rows.in.1',
    'West: "Zip" is text, but YAML reads 12 as a number; quote it: "12"',
  ],
  [
    role({ field: 'Zip', notIn: [true] }),
    'roles.0.rows.notIn.0',
    'West: "Zip" is text, but YAML reads true as a boolean; quote it: "true"',
  ],
  [
    role({ field: 'Zip', equals: 12 }),
    'roles.0.rows.equals',
    'West: "Zip" is text, but YAML reads 12 as a number; quote it: "12"',
  ],
  [
    role({ field: 'Quantity', equals: 'many' }),
    'roles.0.rows.equals',
    'West: "Quantity" is a whole number, but "many" is not; write a value such as 12',
  ],
  [
    role({ field: 'Quantity', equals: 1.5 }),
    'roles.0.rows.equals',
    'West: "Quantity" is a whole number, but 1.5 is not; write a value such as 12',
  ],
  [
    role({ field: 'Quantity', equals: 9007199254740992 }),
    'roles.0.rows.equals',
    'West: "Quantity" has exact numbers, but YAML rounds a number of this size; put the value in quotes',
  ],
  [
    role({ field: 'Quantity', equals: '9223372036854775808' }),
    'roles.0.rows.equals',
    'West: "Quantity" is a whole number, but "9223372036854775808" is not; write a value such as 12',
  ],
  [
    role({ field: 'Profit', after: Infinity }),
    'roles.0.rows.after',
    'West: write text, a number, true or false',
  ],
  [
    role({ field: 'Order Date', after: '31.12.2024' }),
    'roles.0.rows.after',
    'West: "Order Date" is a date, but "31.12.2024" is not; write a value such as "2024-12-31"',
  ],
  [
    role({ field: 'Order Date', before: '2023-02-29' }),
    'roles.0.rows.before',
    'West: "Order Date" is a date, but "2023-02-29" is not; write a value such as "2024-12-31"',
  ],
  [
    role({ field: 'Order Date', equals: 2024 }),
    'roles.0.rows.equals',
    'West: "Order Date" is a date, but 2024 is not; write a value such as "2024-12-31"',
  ],
  [
    role({ field: 'Shipped', equals: '2024-12-31T25:00' }),
    'roles.0.rows.equals',
    'West: "Shipped" is a datetime, but "2024-12-31T25:00" is not; write a value such as "2024-12-31 18:30"',
  ],
  [
    role({ field: 'Returned', equals: 'yes' }),
    'roles.0.rows.equals',
    'West: "Returned" is a boolean, but "yes" is not; write a value such as true',
  ],
  [
    role({ field: 'Returned', after: true }),
    'roles.0.rows.after',
    'West: "Returned" is a boolean, and booleans have no order; use equals',
  ],
  [
    role({ field: 'Quantity', between: [5, 1] }),
    'roles.0.rows.between',
    'West: "Quantity" is never between 5 and 1; swap the values',
  ],
  [
    role({ field: 'Order Date', between: ['2024-01-01', 'x'] }),
    'roles.0.rows.between.1',
    'West: "Order Date" is a date, but "x" is not; write a value such as "2024-12-31"',
  ],
  [
    role({ field: 'Quantity', in: { viewer: 'email' } }),
    'roles.0.rows.in',
    'West: "Quantity" is a number, but the reader\'s email is text; use a text field',
  ],
  [
    role({ field: 'Region', equals: { viewer: 'groups' } }),
    'roles.0.rows.equals',
    'West: "Region" cannot equal several values, and a reader can have several groups; write in: { viewer: groups }',
  ],
  [
    role({ and: [{ not: { or: [{ field: 'Sals', isNull: true }] } }] }),
    'roles.0.rows.and.0.not.or.0.field',
    'West: unknown field "Sals"; did you mean "Sales"?',
  ],
])('%j has one issue at %s: %s', (properties, place, message) => {
  expect(show(resolve(properties).issues)).toEqual([[place, message]]);
});

it('a cycle is reported once, and so is each expression that grows too large', () => {
  const cycle = {
    fields: [
      { name: 'A', expression: 'B + 1' },
      { name: 'B', expression: 'C + 1' },
      { name: 'C', expression: 'A + 1' },
      { name: 'D', expression: 'A + 1' },
    ],
  };
  expect(show(resolve(cycle).issues)).toEqual([
    [
      'fields.2.expression 0-1',
      'C: circular reference A → B → C → A; remove one of the references',
    ],
  ]);

  const doubled = Array.from({ length: 40 }, (_, index) => ({
    name: `M${index}`,
    expression: index === 0 ? 'count()' : `M${index - 1} + M${index - 1}`,
  }));
  expect(show(resolve({ metrics: doubled }).issues)).toEqual([
    [
      'metrics.11.expression 0-9',
      'M11: the expression is too large with the fields and metrics in it; simplify it',
    ],
  ]);

  const rounded = (times: number) =>
    metric('R', `sum(${'round('.repeat(times)}Sales${')'.repeat(times)})`);
  expect(show(resolve(rounded(5)).issues)).toEqual([]);
  expect(show(resolve(rounded(6)).issues)).toEqual([
    [
      'metrics.0.expression 0-52',
      'R: the expression is too large with the fields and metrics in it; simplify it',
    ],
  ]);

  const chain = Array.from({ length: 1_000 }, (_, index) => ({
    name: `M${index}`,
    expression: index === 999 ? 'count()' : `abs(M${index + 1})`,
  }));
  expect(show(resolve({ metrics: chain }).issues.slice(0, 1))).toEqual([
    [
      'metrics.59.expression 4-7',
      'M59: more than 60 fields or metrics refer to one another; shorten the chain',
    ],
  ]);
});

it.each([
  ['doubles each letter', "'a', 'aa'", 7],
  ['doubles each letter in bytes', "'a', 'ä'", 7],
  ['keeps the number of bytes', "'ä', 'ae'", 58],
  ['shortens the text', "'West', ''", 58],
  ['writes ten characters for a text of a field', "Region, '0123456789'", 2],
  ['writes 400 characters for one', `'a', '${'b'.repeat(400)}'`, 1],
])('a replacement that %s can be nested, as far as the text stays bounded', (_, pair, most) => {
  const nest = (times: number) => {
    const expression = `${'replace('.repeat(times)}Region${`, ${pair})`.repeat(times)}`;
    return resolve({ fields: [{ name: 'F', expression }] }).issues.map(({ message }) => message);
  };
  expect(nest(most)).toEqual([]);
  expect(nest(most + (most === 58 ? 3 : 1))).toEqual([
    most === 58
      ? 'F: the expression has more than 60 levels; move a part of it into its own field or metric'
      : 'F: the expression is too large with the fields and metrics in it; simplify it',
  ]);
});

it('fields that replace in one another are bounded together', () => {
  const fields = Array.from({ length: 20 }, (_, index) => ({
    name: `F${index}`,
    expression: `replace(${index === 0 ? 'Region' : `F${index - 1}`}, 'a', 'aa')`,
  }));
  expect(show(resolve({ fields }).issues)[0]).toEqual([
    expect.stringContaining('fields.7.expression'),
    'F7: the expression is too large with the fields and metrics in it; simplify it',
  ]);
});

it('a valid dataset is resolved to columns, types and formats', () => {
  const { dataset, issues } = resolve({
    timeZone: 'Europe/Berlin',
    time: 'Order Date',
    fields: [
      { name: 'Region', expression: 'upper(Region)' },
      { name: 'Sales', format: { style: 'currency', currency: 'EUR' } },
      { name: 'Margin', expression: 'Profit / Sales', format: 'percent' },
      { name: 'Shipped', type: 'date', description: 'Day of shipping' },
      { name: 'Quantity', type: 'number' },
    ],
    metrics: [
      { name: 'Sales', expression: 'sum(Sales)' },
      { name: 'Orders', expression: 'count_distinct("Order ID")' },
      { name: 'Per order', expression: 'Sales / Orders' },
      { name: 'Margin', expression: 'avg(Margin)' },
    ],
    roles: [{ name: 'West', rows: { field: 'Region', in: ['WEST'] } }],
  });
  expect(issues).toEqual([]);
  expect([...(dataset?.fields.keys() ?? [])]).toEqual([...columns.keys(), 'Margin']);
  expect(dataset).toMatchObject({
    name: 'Orders',
    timeZone: 'Europe/Berlin',
    time: 'Order Date',
    rowAccess: 'by-role',
    roles: [{ name: 'West' }],
  });
  const column = (name: string) => ({ kind: 'column', name, type: columns.get(name) });
  expect(dataset?.fields.get('Region')).toEqual({
    name: 'Region',
    type: 'text',
    expression: { kind: 'call', type: 'text', function: 'upper', arguments: [column('Region')] },
  });
  expect(dataset?.fields.get('Shipped')).toEqual({
    name: 'Shipped',
    description: 'Day of shipping',
    type: 'date',
    expression: { kind: 'cast', type: 'date', operand: column('Shipped') },
  });
  expect(dataset?.fields.get('Quantity')?.expression).toMatchObject({ kind: 'cast' });
  const sum = { kind: 'call', type: 'decimal', function: 'sum', arguments: [column('Sales')] };
  expect(dataset?.metrics.get('Sales')).toMatchObject({
    type: 'decimal',
    format: { style: 'currency', currency: 'EUR' },
    expression: sum,
  });
  expect(dataset?.metrics.get('Per order')).toMatchObject({
    type: 'number',
    format: { maximumFractionDigits: 2 },
    expression: { operator: '/', operands: [{ kind: 'cast', operand: sum }, {}] },
  });
  expect(dataset?.metrics.get('Orders')?.format).toMatchObject({ maximumFractionDigits: 0 });
  expect(dataset?.metrics.get('Margin')?.format).toMatchObject({ style: 'percent' });
});

it('a column named like an object property is an ordinary field', () => {
  const odd = new Map<string, FieldType>([['constructor', 'number']]);
  const { value } = parseDatasetFile({ ...file, ...metric('Odd', 'sum(constructor)') });
  expect(value && resolveDataset(value, odd).issues).toEqual([]);
  const { issues } = value ? resolveDataset(value, columns) : { issues: [] };
  expect(show(issues)).toEqual([
    [
      'metrics.0.expression 4-15',
      `Odd: unknown field "constructor"; write one of ${[...columns.keys()].join(', ')}`,
    ],
  ]);
});

it('a hierarchy lists existing fields, each of them once', () => {
  const hierarchy = (name: string, ...fields: string[]) => ({ name, fields });
  const resolved = resolve({ hierarchies: [hierarchy('Places', 'Region', 'Zip')] });
  expect(resolved.dataset?.hierarchies).toEqual([hierarchy('Places', 'Region', 'Zip')]);
  const { issues } = resolve({
    ...metric('Total', 'sum(Sales)'),
    hierarchies: [
      hierarchy('Places', 'Regoin', 'Zip', 'Zip'),
      hierarchy('Places', 'Region', 'Total'),
    ],
  });
  expect(show(issues)).toEqual([
    ['hierarchies.1.name', 'Places: another hierarchy has this name; rename one of them'],
    ['hierarchies.0.fields.0', 'Places: unknown field "Regoin"; did you mean "Region"?'],
    ['hierarchies.0.fields.2', 'Places: "Zip" is listed twice; remove one'],
    ['hierarchies.1.fields.1', 'Places: "Total" is a metric; write a field instead'],
  ]);
});

it('a look-up needs an existing dataset and fields of matching types', () => {
  const other = resolve({}).draft;
  const datasets = new Map([
    ['region-managers', other],
    ['unread', undefined],
    ['broken', resolve(field('Zip', { expression: 'Zap' })).draft],
  ]);
  const check = (fieldName: string, lookup: object) => {
    const { draft } = resolve(role({ or: [{ field: fieldName, in: lookup }] }));
    return draft && show(checkLookUps(draft, datasets));
  };
  const fitting = { lookup: 'region-managers', key: 'Order ID', value: 'Region' };
  expect(check('Region', fitting)).toEqual([]);
  expect(check('Region', { ...fitting, lookup: 'unread' })).toEqual([]);
  expect(check('Region', { ...fitting, lookup: 'broken', value: 'Zip' })).toEqual([]);
  expect(check('Region', { ...fitting, lookup: 'broken', key: 'Key' })).toEqual([
    [
      'roles.0.rows.or.0.in.key',
      'West: unknown field in broken: "Key"; write one of Region, Order ID, Order Date, Shipped, Sales, Profit, Quantity, Returned',
    ],
  ]);
  expect(check('Region', { ...fitting, lookup: 'region-manager' })).toEqual([
    [
      'roles.0.rows.or.0.in.lookup',
      'West: unknown dataset "region-manager"; did you mean "region-managers"?',
    ],
  ]);
  expect(check('Region', { ...fitting, key: 'Order Date', value: 'Regoin' })).toEqual([
    [
      'roles.0.rows.or.0.in.key',
      'West: key must be text, but "Order Date" of region-managers is a date; write another field',
    ],
    [
      'roles.0.rows.or.0.in.value',
      'West: unknown field in region-managers: "Regoin"; did you mean "Region"?',
    ],
  ]);
  expect(check('Quantity', fitting)).toEqual([
    [
      'roles.0.rows.or.0.in.value',
      'West: value must be a number, but "Region" of region-managers is text; write another field',
    ],
  ]);
  expect(check('Quantity', { ...fitting, value: 'Sales' })).toEqual([]);
});

describe('a look-up', () => {
  const other = resolve({}).draft;
  const datasets = new Map([['access', other]]);
  const check = (rows: object) => {
    const { draft, issues } = resolve(role(rows));
    return show([
      ...issues,
      ...(draft ? [...checkLookUps(draft, datasets), ...checkCrossProducts(draft)] : []),
    ]);
  };
  const keys = { lookup: 'access', key: 'Zip' };
  const matches = (fields: object, more: object = {}) => ({
    matches: { ...keys, fields, ...more },
  });

  it.each([
    matches({ Region: 'Region', 'Order Date': 'Shipped' }),
    matches({ Quantity: 'Region' }, { split: ';' }),
    { field: 'Quantity', in: { ...keys, value: 'Region', split: ';' } },
    { field: 'Quantity', in: { ...keys, value: 'Quantity', split: ';' } },
    { field: 'Region', in: { ...keys, value: 'Zip', through: 'Order ID' }, split: ';' },
    { or: [{ field: 'Region', equals: { viewer: 'email' }, split: ', ' }] },
  ])('%j has no issue', (rows) => {
    expect(check(rows)).toEqual([]);
  });

  it.each([
    [
      matches({ Regoin: 'Region' }),
      'matches.fields.Regoin',
      'unknown field "Regoin"; did you mean "Region"?',
    ],
    [
      matches({ Region: 'Quantity' }),
      'matches.fields.Region',
      '"Region" must be text, but "Quantity" of access is a number; write another field',
    ],
    [
      matches({ Region: 'Regoin' }),
      'matches.fields.Region',
      'unknown field in access: "Regoin"; did you mean "Region"?',
    ],
    [
      matches({ Region: 'Region' }, { key: 'Order Date' }),
      'matches.key',
      'key must be text, but "Order Date" of access is a date; write another field',
    ],
    [
      matches({ Region: 'Region' }, { lookup: 'acces' }),
      'matches.lookup',
      'unknown dataset "acces"; did you mean "access"?',
    ],
    [
      { field: 'Quantity', in: { ...keys, value: 'Shipped', split: ';' } },
      'in.value',
      'value must be a number or text, but "Shipped" of access is a datetime; write another field',
    ],
    [
      { field: 'Quantity', in: [1], split: ';' },
      'split',
      '"Quantity" is a number, and only text can be split; remove split, or give the field "type: text"',
    ],
    [
      { field: 'Region', notIn: ['West', 'East;North'], split: ';' },
      'notIn.1',
      '"Region" is split at ";", so no part of it is "East;North"; write one part',
    ],
    [
      { field: 'Region', equals: '', split: ';' },
      'equals',
      '"Region" is split at ";", so no part of it is ""; write one part',
    ],
    [
      { field: 'Region', in: { ...keys, value: 'Region', through: 'Quantity' } },
      'in.through',
      'through must be text, but "Quantity" of access is a number; write another field',
    ],
    [
      { field: 'Region', in: { ...keys, value: 'Region', through: 'Zip' } },
      'in.through',
      "through and key are the same field; for through, write the field that contains the manager's key",
    ],
    [
      { field: 'Region', in: { ...keys, value: 'Region', through: 'Region' } },
      'in.through',
      "through and value are the same field; for through, write the field that contains the manager's key",
    ],
  ])('%j has an issue at %s: %s', (rows, place, message) => {
    expect(check(rows)).toEqual([[`roles.0.rows.${place}`, `West: ${message}`]]);
  });

  const byRegion = { field: 'Region', in: { ...keys, value: 'Region' } };
  const byOrder = { field: 'Order ID', in: { ...keys, value: 'Order ID' } };

  it.each([
    [{ and: [byRegion, byOrder] }, 'and.1'],
    [{ and: [byRegion, { field: 'Sales', after: 5 }, { and: [byOrder] }] }, 'and.2.and.0'],
    [{ not: { and: [byRegion, byOrder] } }, 'not.and.1'],
    [
      { or: [byRegion, { and: [{ or: [{ and: [byRegion, byOrder] }] }] }] },
      'or.1.and.0.or.0.and.1',
    ],
  ])('of the same rows under one and is refused: %j', (rows, place) => {
    expect(check(rows)).toEqual([
      [
        `roles.0.rows.${place}.in`,
        'West: two look-ups in access under one and allow every "Region" with every "Order ID"; to allow those of one row only, write matches: { lookup: access, key: Zip, fields: { Region: Region, Order ID: Order ID } }',
      ],
    ]);
  });

  it.each([
    { or: [byRegion, byOrder] },
    { and: [byRegion, { or: [byOrder, { field: 'Sales', after: 5 }] }] },
    { and: [byRegion, { field: 'Order ID', notIn: byOrder.in }] },
    { and: [byRegion, { field: 'Order ID', in: { ...byOrder.in, viewer: 'department' } }] },
    { and: [byRegion, { field: 'Order ID', in: { ...byOrder.in, key: 'Region' } }] },
    { and: [byRegion, { field: 'Order ID', in: { ...byOrder.in, through: 'Region' } }] },
    { and: [byRegion, { field: 'Zip', in: byRegion.in }] },
  ])('of other rows or of the same value has no issue: %j', (rows) => {
    expect(check(rows)).toEqual([]);
  });
});

it('the ends of a range of integers are compared as numbers, not as texts', () => {
  const mistakes = (...between: (number | string)[]) =>
    show(resolve(role({ field: 'Quantity', between })).issues).map(([, message]) => message);
  for (const ends of [
    [9, 10],
    [-10, -9],
    ['9', '10'],
    ['9007199254740992', '9007199254740993'],
  ])
    expect(mistakes(...ends)).toEqual([]);
  for (const ends of [
    [10, 9],
    [-9, -10],
    ['10', '9'],
    ['9007199254740993', '9007199254740992'],
  ])
    expect(mistakes(...ends)).toEqual([
      `West: "Quantity" is never between ${ends[0]} and ${ends[1]}; swap the values`,
    ]);
});

it.each([
  [
    field('Sales', { order: ['1'] }),
    'fields.0.order',
    'Sales: only text, true and false can have order, but the field is a number; remove order, or give the field "type: text"',
  ],
  [
    field('Order Date', { colors: { '2024-01-01': 'red' } }),
    'fields.0.colors',
    'Order Date: only text, true and false can have colors, but the field is a date; remove colors, or give the field "type: text"',
  ],
  [
    field('Region', { order: ['West', true] }),
    'fields.0.order.1',
    'Region: true is not text; put it in quotes',
  ],
  [
    field('Returned', { order: ['yes'] }),
    'fields.0.order.0',
    'Returned: "yes" is not true or false; write true or false',
  ],
  [
    field('Returned', { colors: { yes: 'red' } }),
    'fields.0.colors.yes',
    'Returned: "yes" is not true or false; write true or false',
  ],
])('%j cannot be ordered or colored', (properties, path, message) => {
  expect(show(resolve(properties).issues)).toEqual([[path, message]]);
});

it('the order of a column’s type applies unless the field has one', () => {
  const orders = new Map([
    ['Region', ['West', 'East']],
    ['Zip', ['2', '1']],
  ]);
  const { value } = parseDatasetFile({
    ...file,
    fields: [
      { name: 'Zip', order: ['1', '2'] },
      { name: 'Order ID', expression: 'Region' },
    ],
  });
  const step = resolveInSteps(value!, columns, [], orders);
  let result = step.next();
  while (!result.done) result = step.next();
  const { fields } = result.value.dataset!;
  const orderOf = (name: string) => fields.get(name)?.order;
  expect(['Region', 'Zip', 'Order ID'].map(orderOf)).toEqual([
    ['West', 'East'],
    ['1', '2'],
    undefined,
  ]);
});
