import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';

import type { CsvOptions } from '@portal-embed/report-model';

import { findByteOrder } from './utf16.ts';

/** Bytes at the start and the end of a file that name the kind of an archive. */
const headBytes = 4_096;
const tailBytes = 65_536;

const saveAgain = 'save it as .xlsx, or save its sheet as CSV, and use that file';

/** The first bytes of zip archives with files, without files, and in parts. */
const zipStarts = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'];

/** The first bytes of files that are often taken for CSV, and what to do. */
const kinds: [start: string, message: string][] = [
  ['\x1f\x8b', 'the file is compressed with gzip; decompress it, and use the file in it'],
  ['%PDF-', 'the file is a PDF document; export its table as CSV, and use that file'],
];

/** Says that a file is of another kind, and what to do; `undefined` if it may be the wanted kind. */
export async function describeOtherKind(
  file: string,
  wanted: 'csv' | 'parquet' | 'xlsx',
  encoding?: CsvOptions['encoding'],
): Promise<string | undefined> {
  const { head, tail } = await readEnds(file);
  if (head.startsWith('\xd0\xcf\x11\xe0')) return describeOld(file);
  if (zipStarts.some((start) => head.startsWith(start))) return describeZip(head + tail, wanted);
  const known = kinds.find(([start]) => head.startsWith(start));
  if (known) return known[1];
  if (wanted === 'parquet') return undefined;
  if (head.startsWith('PAR1')) return 'the file is Parquet; rename it so that it ends in .parquet';
  if (wanted === 'xlsx')
    return 'the file is not a workbook; if it is CSV, rename it so that it ends in .csv, otherwise save it as .xlsx';
  return encoding === 'utf-16' ? undefined : describeZeros(head);
}

/** An encrypted workbook is in a container of the old format. */
async function describeOld(file: string): Promise<string> {
  const mark = Buffer.from('EncryptedPackage', 'utf16le');
  let last = Buffer.alloc(0);
  for await (const chunk of createReadStream(file)) {
    const bytes = Buffer.concat([last, chunk as Buffer]);
    if (bytes.includes(mark)) return 'the file is protected with a password; save it without one';
    last = bytes.subarray(-mark.length);
  }
  return `the file is a workbook in the old Excel format (.xls); ${saveAgain}`;
}

/** The directory at the end of a zip archive names its files. */
function describeZip(ends: string, wanted: 'csv' | 'parquet' | 'xlsx'): string | undefined {
  if (ends.includes('vnd.oasis.opendocument.spreadsheet'))
    return `the file is a workbook of LibreOffice; ${saveAgain}`;
  if (ends.includes('xl/workbook.bin')) return `the file is a binary workbook; ${saveAgain}`;
  if (wanted === 'xlsx') return undefined;
  return ends.includes('xl/')
    ? 'the file is a workbook; rename it so that it ends in .xlsx'
    : `the file is a zip archive; extract it, and use a file in it, or ${saveAgain}`;
}

/** A few zeros can be in text, but not beside other controls. */
function describeZeros(head: string): string | undefined {
  const zeros = head.split('\0').length - 1;
  if (findByteOrder(Buffer.from(head, 'latin1')) !== undefined || zeros > head.length / 4)
    return 'the file is UTF-16; write encoding: utf-16 under csv, or save it as UTF-8';
  return zeros > 0 && head.split('').some(isControl)
    ? 'the file is not text; export its table as CSV, and use that file'
    : undefined;
}

/** Whether a character is neither printable nor zero, a tab or a line break. */
function isControl(character: string): boolean {
  const code = character.charCodeAt(0);
  return (code > 0 && code < 9) || (code > 13 && code < 32);
}

async function readEnds(file: string): Promise<{ head: string; tail: string }> {
  const handle = await fs.open(file, 'r');
  try {
    const { size } = await handle.stat();
    const read = async (position: number, length: number) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
      return buffer.toString('latin1', 0, bytesRead);
    };
    return {
      head: await read(0, headBytes),
      tail: await read(Math.max(0, size - tailBytes), tailBytes),
    };
  } finally {
    await handle.close();
  }
}
