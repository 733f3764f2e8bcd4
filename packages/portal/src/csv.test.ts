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
    '\ta',
    '\ra',
    '\na',
  ])
    expect(disarmFormula(text)).toBe(`'${text}`);
  expect(disarmFormula('\t=1')).toBe("'\t'=1");
  expect(disarmFormula('a=1')).toBe('a=1');
});

it('text is no formula either where a spreadsheet separates at semicolons or tabs', () => {
  expect(disarmFormula('a;=1+1;b')).toBe("a;'=1+1;b");
  expect(disarmFormula('a\t@SUM(A1)')).toBe("a\t'@SUM(A1)");
  expect(disarmFormula('a\n+1')).toBe("a\n'+1");
  // Excel drops the quotes of such a part.
  expect(disarmFormula('a;"=1+1')).toBe('a;"\'=1+1');
  expect(disarmFormula('a; b;c-1')).toBe('a; b;c-1');
});
