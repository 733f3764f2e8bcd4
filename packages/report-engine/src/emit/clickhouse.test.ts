import {
  datasetSchema,
  resolveDataset,
  type FieldType,
  type TypedExpression,
} from '@portal-embed/report-model';
import { expect, it } from 'vitest';

import { allRows, chooseRows } from '../plan/compare.ts';
import { clickhouse } from './clickhouse.ts';
import { emitExpression } from './expression.ts';
import { Emitter } from './query.ts';
import { render, type Statement } from './sql.ts';

const emitter = new Emitter(clickhouse, {
  from: clickhouse.from({ table: 'orders' }),
  columns: new Map([['Id', { name: 'UInt64', isFinite: false }]]),
  timeZone: 'UTC',
});

it('a list that is split into parts is still a single condition', () => {
  // Two parts, because ClickHouse limits the length of a value.
  const ids = Array.from({ length: 3_000 }, (_, index) => String(10n ** 18n + BigInt(index)));
  const { text, values } = emitter.emit({
    rows: chooseRows(allRows, {
      kind: 'in',
      operand: { kind: 'column', name: 'Id', type: 'decimal' },
      values: ids,
    }),
    dimensions: [],
    metrics: [{ kind: 'call', function: 'count', type: 'integer', arguments: [] }],
    order: [],
  });
  const [, where = ''] = text.split(' WHERE ');
  expect(where.match(/ OR /g)).toHaveLength(2);
  expect(removeGroups(where)).not.toContain(' OR ');
  const parts = values.filter(Array.isArray);
  expect(parts.slice(0, 2).flat()).toEqual(ids);
  for (const part of parts) {
    expect(part.length).toBeGreaterThan(0);
    expect(JSON.stringify(part).length).toBeLessThanOrEqual(50_001);
  }
});

it('a statement without subtotals groups the rows of the table, so that each server groups its own', () => {
  const id = { kind: 'column', name: 'Id', type: 'integer' } as const;
  const { text } = emitter.emit({
    rows: allRows,
    dimensions: [{ expression: id }],
    metrics: [{ kind: 'call', function: 'sum', type: 'integer', arguments: [id] }],
    order: [],
  });
  expect(text).toContain('FROM `orders` AS s WHERE true GROUP BY k0)');
  expect(text.match(/(?<= AS )\w+/g)).toEqual(['k0', 'v0', 'n', 's']);
});

it.each([
  ['DateTime', 'UTC', 'toTimeZone(s.`At`, '],
  ['Nullable(DateTime64(6))', 'UTC', 'toTimeZone(s.`At`, '],
  ["DateTime64(9, 'UTC')", 'UTC', 'toDateTime64(s.`At`, 6, '],
  ['DateTime', 'Asia/Tokyo', 'addSeconds('],
])('a time of the type %s is read in microseconds in %s', (name, timeZone, read) => {
  const at = { kind: 'column', name: 'At', type: 'datetime' } as const;
  const bound = (value: string) => ({ type: 'datetime', value, isIncluded: true }) as const;
  const { text } = new Emitter(clickhouse, {
    from: clickhouse.from({ table: 'orders' }),
    columns: new Map([['At', { name, isFinite: false }]]),
    timeZone,
  }).emit({
    rows: chooseRows(allRows, {
      kind: 'range',
      operand: at,
      from: bound('2024-01-01'),
      to: bound('2024-01-31'),
    }),
    dimensions: [{ expression: at }],
    metrics: [],
    order: [],
  });
  expect(text).toContain(`SELECT ${read}`);
  // Only a time that is read as it is stored is compared once.
  const isStored = read.startsWith('toTimeZone');
  expect(text.match(/fromUnixTimestamp64Micro/g)).toHaveLength(isStored ? 2 : 4);
});

it.each<[string, FieldType]>([
  ['UInt32', 'integer'],
  ['Nullable(Int64)', 'integer'],
  ['UInt64', 'decimal'],
  ['Int128', 'decimal'],
  ['LowCardinality(Nullable(String))', 'text'],
  ['SimpleAggregateFunction(sum, Decimal(18, 2))', 'decimal'],
  ['BFloat16', 'number'],
  ['Date', 'date'],
  ['Date32', 'date'],
  ["DateTime64(3, 'UTC')", 'datetime'],
  ['Bool', 'boolean'],
  ['UUID', 'text'],
])('a column of type %s is read as %s', (sourceType, type) => {
  expect(clickhouse.fieldTypeOf(sourceType)).toBe(type);
});

const bindTexts = ({ text, values }: Statement) =>
  text.replace(/\{p(\d+):[^}]*\}/g, (_, index) => JSON.stringify(values[Number(index)]));

const day = 86_400_000_000;
const [january, february] = [1_704_067_200_000_000, 1_706_745_600_000_000];
const time = (micros: number) => `fromUnixTimestamp64Micro(toInt64("${micros}"), 'UTC')`;
const bound = (value: string, isIncluded: boolean) =>
  ({ type: 'datetime', value, isIncluded }) as const;

it.each([
  [
    'a time as it is stored',
    ['DateTime', 'datetime', 'UTC'],
    { kind: 'range', from: bound('2024-01-01', false), to: bound('2024-02-01 00:00:00.5', true) },
    `(s.\`C\` > ${time(january)} AND s.\`C\` <= ${time(february + 500_000)})`,
  ],
  [
    'a time of another zone with a margin of a day',
    ['DateTime', 'datetime', 'Asia/Tokyo'],
    { kind: 'range', from: bound('2024-01-01', false), to: bound('2024-02-01', false) },
    `s.\`C\` >= ${time(january - day)} AND s.\`C\` <= ${time(february + day)} AND addSeconds(`,
  ],
  [
    'listed times with a margin of a day',
    ['DateTime', 'datetime', 'UTC'],
    { kind: 'in', values: ['2024-02-01', '2024-01-01'] },
    `(s.\`C\` >= ${time(january - day)} AND s.\`C\` <= ${time(february + day)}) AND (toTimeZone(`,
  ],
  [
    'a time beyond the range of ClickHouse only as it is read',
    ['DateTime', 'datetime', 'UTC'],
    { kind: 'range', from: bound('2270-01-01', true) },
    "(toTimeZone(s.`C`, 'UTC') >= ",
  ],
  [
    'a text',
    ['String', 'text', 'UTC'],
    { kind: 'in', values: ['a', 'B'] },
    '((s.`C` IN ["a","B"]))',
  ],
  [
    'a text without letter case',
    ['String', 'text', 'UTC'],
    { kind: 'in', values: ['a', 'B'], ignoreCase: true },
    '((lowerUTF8(s.`C`) IN (SELECT lowerUTF8(arrayJoin(["a","B"])))))',
  ],
  [
    'a large whole number also as it is stored',
    ['UInt64', 'decimal', 'UTC'],
    { kind: 'in', values: ['1', '2'] },
    '((s.`C` IN (SELECT toUInt64(arrayJoin(["1","2"])))) AND (toDecimal256(s.`C`, 0) IN ',
  ],
  [
    'a fraction only as a decimal',
    ['UInt64', 'decimal', 'UTC'],
    { kind: 'in', values: ['1', '2.5'] },
    '((toDecimal256(s.`C`, 0) IN (SELECT toDecimal256(arrayJoin(["1","2.5"]), 38))))',
  ],
  [
    'a large whole number in a range only as a decimal',
    ['UInt64', 'decimal', 'UTC'],
    { kind: 'range', from: { type: 'decimal', value: '1.5', isIncluded: true } },
    '(toDecimal256(s.`C`, 0) >= toDecimal256("1.5", 1))',
  ],
  [
    'a double that is neither NaN nor infinite',
    ['Nullable(Float64)', 'number', 'UTC'],
    { kind: 'range', from: { type: 'number', value: '1', isIncluded: true } },
    'if(isFinite(s.`C`), ',
  ],
  [
    'another type as a text',
    ['UUID', 'text', 'UTC'],
    { kind: 'in', values: ['a'] },
    '((toString(s.`C`) IN ["a"]))',
  ],
  [
    'a day',
    ['Date', 'date', 'UTC'],
    { kind: 'in', values: ['2024-01-02'] },
    `((s.\`C\` IN (SELECT addDays(toDate32('1970-01-01'), toInt32(arrayJoin(["19724"]))))))`,
  ],
] as const)('a condition compares %s', (_, [name, type, timeZone], condition, where) => {
  const statement = new Emitter(clickhouse, {
    from: clickhouse.from({ table: 'orders' }),
    columns: new Map([['C', { name, isFinite: false }]]),
    timeZone,
  }).emit({
    rows: chooseRows(allRows, { ...condition, operand: { kind: 'column', name: 'C', type } }),
    dimensions: [],
    metrics: [],
    order: [],
  });
  expect(bindTexts(statement).split(' WHERE ')[1]).toContain(where);
});

it.each([
  ['avg(Sales)', 'if(count() = 0, NULL, avg(toFloat64(`Sales`)))'],
  ['count()', 'toInt64(count())'],
  ['count_distinct(Profit)', 'toInt64(uniqExact((`Profit` + 0)))'],
  ['count_distinct(Name)', 'toInt64(uniqExact(`Name`))'],
  ['median(Count)', 'if(count() = 0, NULL, quantileExactInclusive(0.5)(toFloat64(`Count`)))'],
  [
    'quantile(Sales, 0.9)',
    'if(count() = 0, NULL, quantileExactInclusive(0.9)(toFloat64(`Sales`)))',
  ],
  ['sum(Count)', 'if(count() = 0, NULL, sum(toInt128(`Count`)))'],
  ['sum(Sales)', 'if(count() = 0, NULL, sum(`Sales`))'],
  ['min(abs(Count))', 'if(count() = 0, NULL, min(toInt64(abs(`Count`))))'],
  ['max(abs(Sales))', 'if(count() = 0, NULL, max(abs(`Sales`)))'],
  ["count_distinct(contains(Name, 'a'))", 'toInt64(uniqExact((position(`Name`, "a") > 0)))'],
  ["count_distinct(starts_with(Name, 'a'))", 'toInt64(uniqExact(startsWith(`Name`, "a")))'],
  [
    "count_distinct(concat(Name, '!'))",
    "toInt64(uniqExact(concat(ifNull(`Name`, ''), ifNull(\"!\", ''))))",
  ],
  [
    "count_distinct(date_trunc('day', Day))",
    'toInt64(uniqExact(CAST(toDate32(`Day`) AS Nullable(Date32))))',
  ],
  [
    "count_distinct(date_trunc('week', At))",
    "toInt64(uniqExact(CAST(toMonday(toDate32(`At`)) AS Nullable(DateTime64(6, 'UTC')))))",
  ],
  [
    "count_distinct(date_trunc('hour', At))",
    "toInt64(uniqExact(CAST(toStartOfHour(toStartOfSecond(`At`)) AS Nullable(DateTime64(6, 'UTC')))))",
  ],
  ['max(Profit % 2)', 'if(count() = 0, NULL, max((`Profit` % nullif(toFloat64("2"), 0))))'],
  [
    'max(case when Open then 1.25 end)',
    'if(count() = 0, NULL, max(CASE WHEN `Open` THEN toDecimal256("1.25", 2) END))',
  ],
])('the metric %s is written for ClickHouse', (expression, text) => {
  const columns = new Map<string, FieldType>([
    ['At', 'datetime'],
    ['Day', 'date'],
    ['Name', 'text'],
    ['Sales', 'decimal'],
    ['Profit', 'number'],
    ['Count', 'integer'],
    ['Open', 'boolean'],
  ]);
  const file = { name: 'O', source: { file: 'o.csv' }, metrics: [{ name: 'M', expression }] };
  const { dataset, issues } = resolveDataset(datasetSchema.parse(file), columns);
  expect(issues).toEqual([]);
  const column = clickhouse.quote;
  const emitOfRow = (part: TypedExpression) => emitExpression(clickhouse, { column }, part);
  const metric = emitExpression(
    clickhouse,
    {
      column,
      aggregate: (call) =>
        clickhouse.aggregate[call.function](
          call.arguments.map(emitOfRow),
          call.arguments.map(({ type }) => type),
        ),
    },
    dataset!.metrics.get('M')!.expression,
  );
  expect(bindTexts(render(metric, clickhouse.placeholder))).toBe(text);
});

/** Replaces each outermost pair of parentheses. */
function removeGroups(text: string): string {
  let depth = 0;
  return text
    .split('')
    .filter((character) => {
      if (character === '(') depth += 1;
      const isOutside = depth === 0;
      if (character === ')') depth -= 1;
      return isOutside;
    })
    .join('');
}
