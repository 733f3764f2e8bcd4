import type { FieldType } from '@portal-embed/report-model';
import { describe, expect, it } from 'vitest';

import { readMetric, takesField, writeMetric } from './metric-expression.ts';

const types: Record<string, FieldType> = {
  Sales: 'decimal',
  Region: 'text',
  'Order Date': 'date',
  Paid: 'boolean',
};
const typeOf = (field: string) => types[field];

describe('an expression that a form shows', () => {
  it.each([
    'count()',
    'count(Region)',
    'count_distinct(Region)',
    'sum(Sales)',
    "sum(case when Region in ('West', 'O''Neill') then Sales end)",
    'median(case when Sales > -1.5 and Sales <= 100 then Sales end)',
    "count(case when Region <> 'West' and Region is not null then 1 end)",
    'max(case when Paid = true then Sales end)',
    `avg(case when "Order Date" >= '2024-01-01' and Region not in ('East') then Sales end)`,
    'min(case when Region is null then Sales end)',
    'sum(Sales) / count()',
    "sum(Sales) / sum(case when Region = 'West' then Sales end)",
  ])('%s is written as it was read', (text) => {
    expect(writeMetric(readMetric(text)!, typeOf)).toBe(text);
  });

  it.each([
    'sum(Sales) / count() / 2',
    'sum(Sales) / 2',
    '1 / sum(Sales)',
    'sum(Sales) - count()',
    'sum(Sales * 2)',
    "sum(case when Region = 'West' then Sales else 0 end)",
    "sum(case when Region = 'West' or Paid then Sales end)",
    "sum(case when lower(Region) = 'west' then Sales end)",
    'sum(case when Sales > Sales then Sales end)',
    "sum(case when not (Region = 'West') then Sales end)",
    'sum(case when Region = null then Sales end)',
    'sum(case when Sales then 1 end)',
    'quantile(Sales, 0.9)',
    'sum()',
    'lower(Region)',
    'Sales',
    'sum(',
    '',
  ])('%s is left to typing', (text) => {
    expect(readMetric(text)).toBeUndefined();
  });
});

describe('choices that are not complete have no expression', () => {
  const value = { function: 'sum', field: 'Sales', filters: [] } as const;
  it.each([
    { value: { ...value, field: '' } },
    { value: { ...value, filters: [{ field: '', operator: 'in', values: ['x'] }] } },
    { value: { ...value, filters: [{ field: 'Region', operator: 'in', values: [] }] } },
    { value: { ...value, filters: [{ field: 'Region', operator: '=', values: [] }] } },
    { value, divisor: { ...value, field: '' } },
    { value: { ...value, field: '' }, divisor: value },
  ] as const)('%j', (given) => {
    expect(writeMetric(given, typeOf)).toBeUndefined();
  });
});

it('values that do not look like numbers are quoted, so that the check can explain them', () => {
  const filters = [{ field: 'Sales', operator: '>', values: ["1'; drop"] }] as const;
  expect(writeMetric({ value: { function: 'count', field: '', filters } }, typeOf)).toBe(
    "count(case when Sales > '1''; drop' then 1 end)",
  );
});

it('sums take numbers, counts any field', () => {
  expect([takesField('sum', 'text'), takesField('sum', 'integer')]).toEqual([false, true]);
  expect([takesField('count', 'date'), takesField('count_distinct', 'text')]).toEqual([true, true]);
});
