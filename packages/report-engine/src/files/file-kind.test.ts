import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

import { expect, it } from 'vitest';

import { createConverter } from '../../test/support/convert-csv.ts';

const { folder, run, convert, convertSheet } = createConverter();

const zip = (names: string) => Buffer.from(`PK\u0003\u0004\u0014\0\0\0${names}`, 'latin1');
const save = 'save it as .xlsx, or save its sheet as CSV, and use that file';

const encrypted = Buffer.concat([
  Buffer.from([0xd0, 0xcf, 0x11, 0xe0]),
  Buffer.alloc(2 ** 16 - 10),
  Buffer.from('EncryptedPackage', 'utf16le'),
]);

it.each([
  [
    'an XLSX workbook',
    zip('[Content_Types].xml xl/workbook.xml'),
    'the file is a workbook; rename it so that it ends in .xlsx',
  ],
  [
    'an ODS workbook',
    zip('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'),
    `the file is a workbook of LibreOffice; ${save}`,
  ],
  ['a binary workbook', zip('xl/workbook.bin'), `the file is a binary workbook; ${save}`],
  ['a zip archive', zip('orders.csv'), 'the file is a zip archive; extract it, and use a file in'],
  [
    'an old workbook',
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]),
    `the file is a workbook in the old Excel format (.xls); ${save}`,
  ],
  [
    'an encrypted workbook',
    encrypted,
    'the file is protected with a password; save it without one',
  ],
  ['gzip', gzipSync('a,b\n1,2\n'), 'the file is compressed with gzip; decompress it'],
  ['a PDF document', Buffer.from('%PDF-1.7\n'), 'the file is a PDF document; export its table'],
])('%s with the name of a CSV or Parquet file is named', async (_, content, message) => {
  for (const encoding of ['utf-8', 'windows-1252'] as const)
    await expect(convert(content, { encoding })).rejects.toThrow(message);
  const source = path.join(folder(), 'other.parquet');
  fs.writeFileSync(source, content);
  await expect(run({ kind: 'describe', source })).rejects.toThrow(message);
});

it.each([
  ['an ODS workbook', zip('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'), save],
  ['a binary workbook', zip('xl/workbook.bin'), save],
  ['an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), save],
  [
    'an encrypted workbook',
    encrypted,
    'the file is protected with a password; save it without one',
  ],
  [
    'a CSV file',
    Buffer.from('a,b\n1,2\n'),
    'the file is not a workbook; if it is CSV, rename it so',
  ],
  [
    'a Parquet file',
    Buffer.from('PAR1'),
    'the file is Parquet; rename it so that it ends in .parquet',
  ],
  ['an empty file', Buffer.alloc(0), 'the file is not a workbook; '],
])('%s with the name of a workbook is named', async (_, content, message) => {
  await expect(convertSheet(content)).rejects.toThrow(message);
});

it('a Parquet file with the name of a CSV file is named', async () => {
  await expect(convert('PAR1\u0015\u0004')).rejects.toThrow(
    'the file is Parquet; rename it so that it ends in .parquet',
  );
});

it.each([
  ['UTF-16 with a mark', Buffer.from('\uFEFFa;b\n1;2\n', 'utf16le'), 'the file is UTF-16; write'],
  ['UTF-16 without a mark', Buffer.from('a;b\n1;2\n', 'utf16le'), 'the file is UTF-16; write'],
  [
    'a picture',
    Buffer.from('\x89PNG\r\n\x1a\n' + '\0\0\0\x0dIHDR'.padEnd(40, 'x'), 'latin1'),
    'the file is not text; export its table',
  ],
])('%s that is declared as another encoding is named', async (_, content, message) => {
  for (const encoding of ['utf-8', 'windows-1252'] as const)
    await expect(convert(content, { encoding })).rejects.toThrow(message);
});

it('UTF-16 is read with its encoding', async () => {
  const content = Buffer.from('a,b\n1,2\n', 'utf16le');
  expect((await convert(content, { encoding: 'utf-16' })).rows).toEqual([['1', '2']]);
});

it('a CSV file whose first column is named PK is read', async () => {
  expect((await convert('PK,Region\n1,West\n')).rows).toEqual([['1', 'West']]);
});
