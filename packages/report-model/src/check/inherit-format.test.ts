import { expect, it } from 'vitest';

import { parseExpression } from '../expression/parse-expression.ts';
import type { FormatOptions } from '../files/format.ts';
import { inheritFormat } from './inherit-format.ts';

const currency = (code: string): FormatOptions => ({
  style: 'currency',
  notation: 'standard',
  currency: code,
});
const formats: Record<string, FormatOptions> = {
  Cost: currency('EUR'),
  Price: currency('EUR'),
  Fee: currency('USD'),
  Discount: { style: 'percent', notation: 'standard' },
};

it.each([
  ['sum(Cost)', 'EUR'],
  ['avg(Discount)', 'percent'],
  ['count(Cost)', undefined],
  ['count_distinct(Cost)', undefined],
  ['count()', undefined],
  ['sum(Visits)', undefined],
  ['round(sum(Cost), 0)', 'EUR'],
  ['sum(coalesce(Cost, 0))', 'EUR'],
  ["sum(case when Region = 'West' then Cost end)", 'EUR'],
  ["sum(case when Region = 'West' then Cost when Region = 'East' then Price end)", 'EUR'],
  ["sum(case when Region = 'West' then Cost when Region = 'East' then Fee end)", undefined],
  ['sum(Cost) / sum(Visits)', 'EUR'],
  ['sum(Cost) / count()', 'EUR'],
  ['sum(Cost) / sum(Price)', undefined],
  ['sum(Visits) / sum(Cost)', undefined],
  ['sum(Price * Amount)', 'EUR'],
  ['2 * sum(Cost)', 'EUR'],
  ['sum(Price * Cost)', undefined],
  ['sum(Price) - sum(Cost)', 'EUR'],
  ['sum(Price) + sum(Fee)', undefined],
  ['sum(Price) + 1', undefined],
  ['-sum(Cost)', 'EUR'],
  ['avg(Discount) / 2', undefined],
  ['Cost / Visits', 'EUR'],
])('%s has the format %s', (text, expected) => {
  const found = inheritFormat(parseExpression(text), (name) => formats[name]);
  expect(found?.currency ?? found?.style).toBe(expected);
});
