import { expect, it } from 'vitest';

import { parseExpression } from '../expression/parse-expression.ts';
import type { FormatOptions } from '../files/format.ts';
import { inheritFormat } from './inherit-format.ts';

const euros: FormatOptions = {
  style: 'currency',
  notation: 'compact',
  currency: 'EUR',
  maximumFractionDigits: 0,
};
const percent: FormatOptions = { style: 'percent', notation: 'standard' };
const formats: Record<string, FormatOptions> = {
  Cost: euros,
  Price: euros,
  Fee: { ...euros, currency: 'USD' },
  Discount: percent,
};
const smallEuros = { style: 'currency', notation: 'standard', currency: 'EUR' };

it.each([
  ['sum(Cost)', euros],
  ['quantile(Cost, 0.9)', euros],
  ['avg(Discount)', percent],
  ["sum(case when Region = 'West' then Cost end)", euros],
  ['sum(Cost) / count()', smallEuros],
  ["max(case when Region = 'West' then Cost end) / count_distinct(Visit)", smallEuros],
])('%s has the format of its field', (text, expected) => {
  expect(inheritFormat(parseExpression(text), (name) => formats[name])).toEqual(expected);
});

it.each([
  'count(Cost)',
  'count_distinct(Cost)',
  'count()',
  'sum(Visits)',
  'count() / sum(Cost)',
  'avg(Discount) / count()',
  'sum(Cost) / sum(Visits)',
  'sum(Cost) / sum(Price)',
  'sum(Cost) / 1000',
  'sum(Cost) * 2',
  'sum(Price * Amount)',
  'sum(Price) - sum(Fee)',
  'sum(coalesce(Cost, Fee))',
  "sum(case when Region = 'West' then Cost else Fee end)",
  "sum(case when Region = 'West' then Cost when Region = 'East' then Fee end)",
  "sum(case when Region = 'West' then Cost * 2 end)",
  'Cost',
  '-sum(Cost)',
])('%s has no format of a field, since its unit is not certain', (text) => {
  expect(inheritFormat(parseExpression(text), (name) => formats[name])).toBeUndefined();
});
