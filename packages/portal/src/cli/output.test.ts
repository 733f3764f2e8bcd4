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

it('shows as escapes what a terminal would act on', () => {
  const attack = '\u001b[31mred\n999  root  deleteOrganization\u202e';
  expect(table(['NAME'], [[attack]], 'None.')).toBe(
    'NAME\n\\u{1b}[31mred\\u{a}999  root  deleteOrganization\\u{202e}',
  );
});
