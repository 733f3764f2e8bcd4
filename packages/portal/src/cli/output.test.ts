import { expect, it } from 'vitest';

import { csvRow, table } from './output.ts';

it('aligns the columns of a table and shows what is missing as a dash', () => {
  const rows = [
    ['acme', 12],
    ['globex', null],
  ];
  expect(table(['NAME', 'USERS'], rows, 'None.')).toBe('NAME    USERS\nacme    12\nglobex  -');
  expect(table(['NAME'], [], 'None.')).toBe('None.');
});

it('quotes CSV by RFC 4180', () => {
  expect(csvRow(['a', 1, 'b,c', 'd"e', 'f\r\ng'])).toBe('a,1,"b,c","d""e","f\r\ng"\r\n');
});

it('lets no cell of CSV be a formula', () => {
  for (const cell of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])
    expect(csvRow([cell])).toBe(`'${cell}\r\n`);
});
