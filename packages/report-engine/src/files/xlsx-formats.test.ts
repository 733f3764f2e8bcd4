import { expect, it } from 'vitest';

import { readBuiltIn, readFormatCode } from './xlsx-formats.ts';

it.each([
  ['General', 'number'],
  ['0', 'number'],
  ['#,##0.00', 'number'],
  ['0.00E+00', 'number'],
  ['# ?/?', 'number'],
  ['@', 'number'],
  ['0" days"', 'number'],
  ['0 \\d\\a\\y\\s', 'number'],
  ['[Red]0;[Blue]-0', 'number'],
  ['[>=100]0;0.0', 'number'],
  ['_(* #,##0_);_(* \\(#,##0\\);_(* "-"_);_(@_)', 'number'],
  ['0%', 'percent'],
  ['0.0 %;[Red]-0.0 %', 'percent'],
  ['yyyy-mm-dd', 'date'],
  ['dd.mm.yyyy;@', 'date'],
  ['[$-407]d. mmmm yyyy;@', 'date'],
  ['m/d/yy', 'date'],
  ['mmm-yy', 'date'],
  ['mmmm', 'date'],
  ['[$-411]ggge"年"m"月"d"日"', 'date'],
  ['yyyy"Q"', 'date'],
  ['yyyy-mm-dd hh:mm:ss', 'datetime'],
  ['m/d/yyyy h:mm AM/PM', 'datetime'],
  ['h:mm', 'time'],
  ['h:mm:ss AM/PM', 'time'],
  ['mm:ss.0', 'time'],
  ['[h]:mm:ss', 'duration'],
  ['[mm]:ss', 'duration'],
  ['[$-F400]h:mm:ss\\ AM/PM', 'time'],
])('the format %s is that of a %s', (code, kind) => {
  expect(readFormatCode(code)).toEqual({ kind });
});

it.each([
  ['#,##0.00 "€"', '€', undefined],
  ['#,##0.00\\ [$€-407]', '€', 0x407],
  ['[$$-409]#,##0.00', '$', 0x409],
  ['[$$-en-CA]#,##0.00', '$', undefined],
  ['"$"#,##0', '$', undefined],
  ['_-* #,##0.00 "CHF"_-;-* #,##0.00 "CHF"_-', 'CHF', undefined],
  ['[$USD] #,##0.00', 'USD', undefined],
  ['[$kr-41D]#,##0', 'kr', 0x41d],
])('the format %s is that of amounts in %s', (code, sign, locale) => {
  expect(readFormatCode(code)).toEqual({ kind: 'currency', sign, ...(locale && { locale }) });
});

it.each([
  [0, 'number'],
  [4, 'number'],
  [9, 'percent'],
  [10, 'percent'],
  [14, 'date'],
  [22, 'datetime'],
  [21, 'time'],
  [46, 'duration'],
  [44, 'number'],
  [31, 'date'],
])('the format with the id %i is that of a %s', (id, kind) => {
  expect(readBuiltIn(id)).toEqual({ kind });
});

it('a code that is longer than those of Excel costs no time', () => {
  const start = performance.now();
  expect(readFormatCode('["'.repeat(50_000))).toEqual({ kind: 'number' });
  expect(performance.now() - start).toBeLessThan(1_000);
});
