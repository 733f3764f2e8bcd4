import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { xlsxSchema } from '@portal-embed/report-model';
import { createTemporaryFolder } from 'test-support';
import { expect, it, onTestFinished } from 'vitest';

import { createConverter } from '../../test/support/convert-csv.ts';
import {
  listParts,
  writeCells,
  writeWorkbook,
  writeZip,
  type Part,
} from '../../test/support/workbooks.ts';
import { writeRows } from './xlsx-rows.ts';
import { openWorkbook } from './xlsx-workbook.ts';

const { convertSheet } = createConverter();

const replace = (parts: readonly Part[], name: string, change: Partial<Part>): Buffer =>
  writeZip(parts.map((part) => (part.name === name ? { ...part, ...change } : part)));

const sheet = 'xl/worksheets/sheet1.xml';
const parts = listParts({ sheets: { Orders: writeCells([['a'], [1]]) } });
const megabyte = 2 ** 20;

async function expectRefusal(file: Buffer, message: string): Promise<void> {
  const start = performance.now();
  await expect(convertSheet(file)).rejects.toThrow(message);
  expect(performance.now() - start).toBeLessThan(3_000);
}

it('a part that is larger than permitted is refused before it is unpacked', async () => {
  await expectRefusal(
    replace(parts, sheet, { size: 2 ** 31 }),
    'a part of the workbook has more than 1024 MB when it is unpacked',
  );
  await expectRefusal(
    replace(parts, 'xl/workbook.xml', { size: 65 * megabyte }),
    'a part of the workbook has more than 64 MB when it is unpacked',
  );
});

it('a part is unpacked no further than the size that the archive states', async () => {
  const content = Buffer.alloc(200 * megabyte, ' ');
  await expectRefusal(
    replace(parts, 'xl/styles.xml', { content, size: 1_000 }),
    'the workbook is damaged',
  );
});

it.each([
  [
    'entities',
    '<!DOCTYPE s [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;">]><worksheet><sheetData><row><c t="str"><v>&b;</v></c></row></sheetData></worksheet>',
  ],
  [
    'an unknown entity',
    '<worksheet><sheetData><row><c><v>&b;</v></c></row></sheetData></worksheet>',
  ],
  ['elements without an end', '<a>'.repeat(10_000_000)],
  ['an endless text', `<worksheet><sheetData><row><c t="str"><v>${'a'.repeat(20_000_000)}`],
  ['an endless comment', `<worksheet><!--${'a'.repeat(20_000_000)}`],
  ['an endless tag', `<worksheet ${'a="" '.repeat(4_000_000)}`],
  ['no XML', 'PK'.repeat(1_000)],
  ['no UTF-8', Buffer.from([0x3c, 0x61, 0xff, 0xfe])],
  [
    'a row beyond those of Excel',
    '<worksheet><sheetData><row r="1048577"><c><v>1</v></c></row></sheetData></worksheet>',
  ],
  [
    'a column beyond those of Excel',
    '<worksheet><sheetData><row><c r="XFE1"><v>1</v></c></row></sheetData></worksheet>',
  ],
  [
    'a text that does not exist',
    '<worksheet><sheetData><row><c t="s"><v>7</v></c></row></sheetData></worksheet>',
  ],
])('a sheet with %s is refused', async (_, content) => {
  await expectRefusal(replace(parts, sheet, { content }), 'the workbook is damaged');
});

it('a workbook that has a part twice is refused', async () => {
  const twice = writeZip([...parts, { name: sheet.toUpperCase(), content: '<worksheet/>' }]);
  await expectRefusal(twice, 'the workbook is damaged');
});

it('a text that many cells share is not written without end', async () => {
  const folder = createTemporaryFolder('portal-files-');
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'a.xlsx');
  const rows = '<row><c t="s"><v>0</v></c></row>'.repeat(1_000);
  fs.writeFileSync(file, writeWorkbook({ sheets: { Orders: rows } }));
  const workbook = await openWorkbook(file);
  onTestFinished(() => workbook.archive.close());
  const target = path.join(folder, 'rows');
  const options = { target, skip: 0, head: 1, maxBytes: 10 * megabyte };
  await expect(
    writeRows(workbook, workbook.sheets[0]!.part, ['a'.repeat(100_000)], options),
  ).rejects.toThrow('the sheet has too much text to convert it');
  expect(fs.statSync(target).size).toBeLessThan(12 * megabyte);
});

it('a sheet of all rows of Excel without values is read', async () => {
  const rows = writeCells([['a'], [1]]) + '<row/>'.repeat(2 ** 20 - 2);
  expect((await convertSheet(writeWorkbook({ sheets: { Orders: rows } }))).rows).toEqual([['1']]);
});

it('a sheet of too many columns is refused', async () => {
  const rows = writeCells([Array.from({ length: 2_001 }, (_, index) => `c${index}`)]);
  await expectRefusal(
    writeWorkbook({ sheets: { Orders: rows } }),
    'the sheet has more than 2000 columns with values',
  );
});

it('200,000 rows of 10 columns are converted with 1 GB of memory', async () => {
  const folder = createTemporaryFolder('portal-files-');
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const source = path.join(folder, 'large.xlsx');
  const columns = ['s', 's', 's', '1', '2', 'n', 'n', 'n', 'b', 's'];
  const cells = (row: number) =>
    columns.map((kind, column) => {
      if (kind === 's') return `<c t="s"><v>${row * 4 + (column % 4)}</v></c>`;
      if (kind === 'b') return `<c t="b"><v>${row % 2}</v></c>`;
      return kind === 'n'
        ? `<c><v>${(row * 7 + column) / 8}</v></c>`
        : `<c s="${kind}"><v>${40_000 + (row % 9_000)}.5</v></c>`;
    });
  const names = columns.map((_, column) => `<c t="str"><v>c${column}</v></c>`).join('');
  const rows = Array.from({ length: 200_000 }, (_, row) => `<row>${cells(row).join('')}</row>`);
  const texts = Array.from({ length: 800_000 }, (_, index) => `<t>customer number ${index}</t>`);
  const formats = ['yyyy-mm-dd', 'yyyy-mm-dd hh:mm'];
  const sheets = { Orders: `<row>${names}</row>${rows.join('')}` };
  fs.writeFileSync(source, writeWorkbook({ sheets, texts, formats }));
  const program = fileURLToPath(new URL('../../test/support/measure-task.ts', import.meta.url));
  const child = fork(program);
  onTestFinished(() => void child.kill());
  const target = path.join(folder, 'large.parquet');
  const xlsx = xlsxSchema.parse({});
  child.send({ kind: 'convert-sheet', source, target, xlsx, fields: {}, kept: [], isDraft: false });
  const [{ answer, memoryMb }] = await once(child, 'message');
  expect(answer.described.columns.map(({ type }: { type: string }) => type)).toEqual(
    columns.map(
      (kind) => ({ s: 'text', 1: 'datetime', 2: 'datetime', n: 'number', b: 'boolean' })[kind],
    ),
  );
  expect(memoryMb).toBeLessThan(1_024);
}, 120_000);
