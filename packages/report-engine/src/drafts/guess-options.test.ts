import { expect, it } from 'vitest';

import { guessOptions } from './guess-options.ts';

const utf8 = (text: string) => Buffer.from(text);
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const lines = 'Name;City\nAnn;Zürich –😀';

it.each([
  ['commas', utf8('Name,City\nAnn,Bern\n'), {}],
  ['one column', utf8('Name\nAnn\n'), {}],
  ['semicolons', utf8(lines), { delimiter: ';' }],
  ['tabs and a CRLF', utf8('Name\tCity\r\nAnn;,Bern;,x\r\n'), { delimiter: '\t' }],
  ['vertical bars', utf8('Name|City'), { delimiter: '|' }],
  ['other delimiters in quotes', utf8('"a;b;c;d",e\n1,2\n'), {}],
  ['nothing', utf8(''), {}],
  ['little-endian UTF-16', utf16(lines), { delimiter: ';', encoding: 'utf-16' }],
  ['big-endian UTF-16', utf16(lines).swap16(), { delimiter: ';', encoding: 'utf-16' }],
  [
    'Latin letters',
    Buffer.from('Stra\xdfe,Ort\nM\xfchlweg 1,K\xf6ln\n', 'latin1'),
    { encoding: 'windows-1252' },
  ],
] as const)('a file with %s needs the options for it', (_, bytes, options) => {
  expect(guessOptions(bytes)).toEqual(options);
});

it.each([1, 2, 3])('a last character that lacks %i of its bytes is still UTF-8', (cut) => {
  expect(guessOptions(utf8(lines).subarray(0, -cut))).toEqual({ delimiter: ';' });
});
