import { expect, it } from 'vitest';

import type { FieldType } from '../files/dataset.ts';
import { checkExpression, type ResolveName } from './check.ts';
import { functionNames, signatures } from './functions.ts';
import { parseExpression } from './parse-expression.ts';
import type { TypedExpression } from './tree.ts';

/** Columns that are named like their types. */
const field: ResolveName = (name) => ({ kind: 'column', name, type: name as FieldType });
const metric: ResolveName = () => 'unknown metric';

const check = (text: string, scope: { field: ResolveName; metric?: ResolveName } = { field }) => {
  const { expression, problems } = checkExpression(parseExpression(text), scope);
  return expression ?? problems.map(({ message }) => message).join();
};

/** The emitted tree as text, with the type of each literal and cast. */
function show(typed: TypedExpression | string): string {
  if (typeof typed === 'string') return typed;
  switch (typed.kind) {
    case 'literal':
      return `${typed.value}:${typed.type}`;
    case 'column':
      return typed.name;
    case 'cast':
      return `cast(${show(typed.operand)} as ${typed.type})`;
    case 'call':
      return `${typed.function}(${typed.arguments.map(show).join(', ')})`;
    case 'operation':
      return `(${[typed.operator, ...typed.operands.map(show)].join(' ')})`;
    case 'case':
    default: {
      const branches = typed.branches.map(({ when, value }) => `${show(when)} ${show(value)}`);
      return `case(${[...branches, typed.otherwise && show(typed.otherwise)].join(', ')})`;
    }
  }
}

it.each([
  ['integer + integer', 'number', '(+ cast(integer as number) cast(integer as number))'],
  ['number - decimal', 'number', '(- number cast(decimal as number))'],
  ['integer * 2', 'number', '(* cast(integer as number) 2:number)'],
  ['integer / 3', 'number', '(/ cast(integer as number) 3:number)'],
  ['integer % 3', 'number', '(% cast(integer as number) 3:number)'],
  ['-integer', 'number', '(negate cast(integer as number))'],
  ['-5', 'integer', '-5:integer'],
  ['-9223372036854775808', 'integer', '-9223372036854775808:integer'],
  ['9223372036854775808', 'decimal', '9223372036854775808:decimal'],
  ['007', 'integer', '7:integer'],
  ['1.50', 'decimal', '1.50:decimal'],
  ["text || 'a'", 'text', '(|| text a:text)'],
  ['text || null', 'text', '(|| text null:text)'],
  ["text = 'a'", 'boolean', '(= text a:text)'],
  ['integer = decimal', 'boolean', '(= integer decimal)'],
  ['integer = number', 'boolean', '(= cast(integer as number) number)'],
  ['number > 5', 'boolean', '(> number 5:number)'],
  ['integer >= 1.5', 'boolean', '(>= integer 1.5:decimal)'],
  ["date < '2024-02-29'", 'boolean', '(< date 2024-02-29:date)'],
  ["'2024-02-29' < date", 'boolean', '(< 2024-02-29:date date)'],
  ["datetime <= '2024-02-29 18:30'", 'boolean', '(<= datetime 2024-02-29 18:30:datetime)'],
  ['datetime <> date', 'boolean', '(<> datetime cast(date as datetime))'],
  ['boolean = true', 'boolean', '(= boolean true:boolean)'],
  ['boolean and not boolean or null', 'boolean', '(or (and boolean (not boolean)) null:boolean)'],
  ['text is null', 'boolean', '(is null text)'],
  ["text in ('a', null)", 'boolean', '(in text a:text null:text)'],
  ['number in (1, 2.5)', 'boolean', '(in number 1:number 2.5:number)'],
  [
    "date between '2024-01-01' and '2024-12-31'",
    'boolean',
    '(between date 2024-01-01:date 2024-12-31:date)',
  ],
  ['integer between 1 and 2', 'boolean', '(between integer 1:integer 2:integer)'],
  ['case when boolean then 1 else 2.5 end', 'decimal', 'case(boolean 1:decimal, 2.5:decimal)'],
  ['case when boolean then integer end', 'integer', 'case(boolean integer, )'],
  ['case when boolean then null else date end', 'date', 'case(boolean null:date, date)'],
  [
    'case when null then number else integer end',
    'number',
    'case(null:boolean number, cast(integer as number))',
  ],
  ['abs(integer)', 'integer', 'abs(integer)'],
  ['abs(decimal)', 'decimal', 'abs(decimal)'],
  ['abs(number)', 'number', 'abs(number)'],
  ['round(decimal)', 'number', 'round(cast(decimal as number))'],
  ['round(number, -3)', 'number', 'round(number, -3:integer)'],
  ['coalesce(decimal, 0)', 'decimal', 'coalesce(decimal, 0:decimal)'],
  ['coalesce(integer, 0.5)', 'decimal', 'coalesce(integer, 0.5:decimal)'],
  ['coalesce(null, null)', 'text', 'coalesce(null:text, null:text)'],
  ['case when boolean then integer else decimal end', 'decimal', 'case(boolean integer, decimal)'],
  ['coalesce(date, datetime)', 'datetime', 'coalesce(cast(date as datetime), datetime)'],
  ['coalesce(null, text)', 'text', 'coalesce(null:text, text)'],
  ['nullif(integer, 0)', 'integer', 'nullif(integer, 0:integer)'],
  ['lower(text)', 'text', 'lower(text)'],
  ['upper(text)', 'text', 'upper(text)'],
  ['length(text)', 'integer', 'length(text)'],
  ["concat(text, '-', text)", 'text', 'concat(text, -:text, text)'],
  ["contains(text, 'a')", 'boolean', 'contains(text, a:text)'],
  ["starts_with(text, 'a')", 'boolean', 'starts_with(text, a:text)'],
  ["ends_with(text, 'a')", 'boolean', 'ends_with(text, a:text)'],
  ['year(date)', 'integer', 'year(date)'],
  ['quarter(datetime)', 'integer', 'quarter(datetime)'],
  ['month(date)', 'integer', 'month(date)'],
  ["day('2024-02-29')", 'integer', 'day(2024-02-29:date)'],
  ['hour(datetime)', 'integer', 'hour(datetime)'],
  ["date_trunc('week', date)", 'date', 'date_trunc(week:text, date)'],
  ["date_trunc('hour', datetime)", 'datetime', 'date_trunc(hour:text, datetime)'],
  ["replace(text, 'a', '')", 'text', 'replace(text, a:text, :text)'],
  ["replace(text, text, 'b')", 'text', 'replace(text, text, b:text)'],
  ['trim(text)', 'text', 'trim(text)'],
  ['substring(text, 2)', 'text', 'substring(text, 2:integer)'],
  ['substring(text, integer, 3)', 'text', 'substring(text, cast(integer as number), 3:integer)'],
  ['left(text, 1000000000)', 'text', 'left(text, 1000000000:integer)'],
  [
    'right(text, length(text) - 1)',
    'text',
    'right(text, (- cast(length(text) as number) 1:number))',
  ],
  ['left(text, null)', 'text', 'left(text, null:number)'],
  ["split_part(text, '-', -1)", 'text', 'split_part(text, -:text, -1:integer)'],
  ['to_number(text)', 'number', 'to_number(text)'],
  ["to_number(text, ',', '.')", 'number', 'to_number(text, ,:text, .:text)'],
  ["to_date(text, '%d.%m.%y')", 'date', 'to_date(text, %d.%m.%y:text)'],
  ["to_date(text, '%Y-%m-%d %H')", 'datetime', 'to_date(text, %Y-%m-%d %H:text)'],
  ["to_date(text, '%Y-%m-%d %I%p')", 'datetime', 'to_date(text, %Y-%m-%d %I%p:text)'],
  ["date_diff('week', date, datetime)", 'integer', 'date_diff(week:text, date, datetime)'],
  [
    "date_diff('day', '2024-02-29', today())",
    'integer',
    'date_diff(day:text, 2024-02-29:date, today())',
  ],
  ['today()', 'date', 'today()'],
])('%s is %s', (text, type, tree) => {
  const typed = check(text);
  expect(typed).toMatchObject({ type });
  expect(show(typed)).toBe(tree);
});

it.each([
  ['sum(integer)', 'integer', 'sum(integer)'],
  ['sum(decimal)', 'decimal', 'sum(decimal)'],
  ['sum(number)', 'number', 'sum(number)'],
  ['avg(integer)', 'number', 'avg(integer)'],
  ['min(date)', 'date', 'min(date)'],
  ['max(text)', 'text', 'max(text)'],
  ['count()', 'integer', 'count()'],
  ['count(boolean)', 'integer', 'count(boolean)'],
  ['count_distinct(text)', 'integer', 'count_distinct(text)'],
  ['median(decimal)', 'number', 'median(decimal)'],
  ['quantile(number, 0.9)', 'number', 'quantile(number, 0.9:decimal)'],
  [
    'sum(decimal) / nullif(count(), 0)',
    'number',
    '(/ cast(sum(decimal) as number) cast(nullif(count(), 0:integer) as number))',
  ],
  [
    "sum(case when text = 'West' then decimal end)",
    'decimal',
    'sum(case((= text West:text) decimal, ))',
  ],
])('%s is %s in a metric', (text, type, tree) => {
  const typed = check(text, { field, metric });
  expect(typed).toMatchObject({ type });
  expect(show(typed)).toBe(tree);
});

it('every function accepts the arguments that its usage shows', () => {
  const types = {
    value: 'integer',
    time: 'date',
    part: 'text',
    end: 'text',
    start: 'text',
    first: 'integer',
    count: 'integer',
  };
  const refused = functionNames.filter((name) => {
    const usage = signatures[name as keyof typeof signatures].usage
      .replace(/ or .*/, '')
      .replace(', …', '')
      .replace('digits', '2')
      .replaceAll(
        /\b(value|time|part|end|start|first|count)\b(?!\()/g,
        (word) => types[word as 'time'],
      );
    return typeof check(usage, { field, metric: field }) === 'string';
  });
  expect(refused).toEqual([]);
});

it('an aggregate in a field is refused', () => {
  expect(check('sum(integer)')).toBe('sum is an aggregate; use it in a metric, not in a field');
});

it('each mistake of an expression is reported', () => {
  const unknown: ResolveName = (name) => `no ${name}`;
  expect(check('sum(a) / sum(b)', { field: unknown, metric })).toBe('no a,no b');
});
