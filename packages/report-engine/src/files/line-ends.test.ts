import fs from 'node:fs';

import { expect, it } from 'vitest';

import { createConverter } from '../../test/support/convert-csv.ts';

const { folder, convert } = createConverter();

const rows = [
  ['West', '10'],
  ['East', '20'],
  ['North', '30'],
];

it.each([
  ['CRLF, LF, CRLF', ['\r\n', '\n', '\r\n', '\n']],
  ['LF, CRLF', ['\n', '\r\n', '\n', '\r\n']],
  ['LF, CR', ['\n', '\r', '\n', '\n']],
  ['CRLF, CR', ['\r\n', '\r', '\r\n', '\r']],
  ['CR only', ['\r', '\r', '\r', '\r']],
  ['CRLF, nothing at the end', ['\r\n', '\n', '\r\n', '']],
])('rows that end in %s are read', async (_, ends) => {
  const lines = [['Region', 'Sales'], ...rows].map((cells) => cells.join(','));
  const text = lines.map((line, index) => line + ends[index]).join('');
  const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');
  expect((await convert(text)).rows).toEqual(rows);
  expect((await convert(`\uFEFF${text}`)).rows).toEqual(rows);
  expect((await convert(utf16, { encoding: 'utf-16' })).rows).toEqual(rows);
  expect(fs.readdirSync(folder()).filter((name) => /utf8|lines/.test(name))).toEqual([]);
});

it('line ends within quotes stay when those of the rows differ', async () => {
  const csv = 'Text,Size\r\n"a\r\nb","1"\n"say ""x""\r",2\r\n5" pipe,3\n"",4\r\n';
  expect((await convert(csv)).rows).toEqual([
    ['a\r\nb', '1'],
    ['say "x"\r', '2'],
    ['5" pipe', '3'],
    [null, '4'],
  ]);
});

it('mixed line ends are found across the parts in which a file is read', async () => {
  const block = `${'x'.repeat(65_535 - 3)},1`;
  const csv = `a,b\n${block}\r\n${'y,2\r\n'.repeat(20_000)}z,3\n`;
  const { rows: read } = await convert(csv);
  expect(read).toHaveLength(20_002);
  expect(read.at(-1)).toEqual(['z', '3']);
});

it.each([
  ['x,y\n1,a\n\n\nfoo,b\n', 5],
  ['x,y\r\n1,a\r\n\r\nfoo,b\r\n', 4],
  ['x,y\r1,a\r\rfoo,b\r', 4],
  ['x,y\r\n1,a\n"2","a\r\nb\nc"\nfoo,b\n', 6],
  ['x,y\n"1","a ""b"",\nc"\nfoo,b\n', 4],
  ['x\n1\n\nfoo\n', 4],
  ['x\nfoo', 2],
])('the line of a wrong value in %j is %d', async (csv, line) => {
  await expect(convert(csv, {}, { x: 'integer' })).rejects.toThrow(`line ${line} has "foo"`);
});
