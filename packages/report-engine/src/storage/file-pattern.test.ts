import { expect, it } from 'vitest';

import { compilePattern } from './file-pattern.ts';

it.each([
  ['*.csv', ['.csv', 'a.csv', 'a.csv.csv', 'é\n.csv'], ['a.csv2', 'acsv']],
  ['sales-????.csv', ['sales-2024.csv', 'sales-🙂123.csv'], ['sales-24.csv', 'sales-20240.csv']],
  ['a*b*c', ['abc', 'a-b-c', 'abbcc', 'a-c-b-c'], ['acb', 'ab', 'xabc']],
  ['*a*', ['a', 'banana'], ['b', '']],
  ['a**', ['a', 'ab'], ['b']],
  ['a+(b)|c^$.csv', ['a+(b)|c^$.csv'], ['ab.csv', 'c.csv']],
  ['a\\d', ['a\\d'], ['a1']],
])('the pattern %s matches whole names', (pattern, matching, others) => {
  const expression = compilePattern(pattern);
  expect(matching.filter((name) => !expression.test(name))).toEqual([]);
  expect(others.filter((name) => expression.test(name))).toEqual([]);
});

it('a pattern of many stars is fast on a long name', () => {
  const pattern = `${'*a'.repeat(100)}*b.csv`;
  expect(compilePattern(pattern).test('a'.repeat(250))).toBe(false);
  expect(compilePattern(pattern).test(`${'a'.repeat(200)}b.csv`)).toBe(true);
});
