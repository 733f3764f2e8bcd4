import { expect, it } from 'vitest';

import { disarmFormula, formatCsvRow } from './csv.ts';

it('a CSV row is quoted by RFC 4180', () => {
  expect(formatCsvRow(['a', '1', 'b,c', 'd"e', 'f\r\ng'])).toBe('a,1,"b,c","d""e","f\r\ng"\r\n');
});

it('text is never a formula', () => {
  for (const text of [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '＝1',
    '＋1',
    '－1',
    '＠A1',
    '\t=1',
    '\r=1',
    '\n=1',
  ])
    expect(disarmFormula(text)).toBe(`'${text}`);
  expect(disarmFormula('a=1')).toBe('a=1');
});
