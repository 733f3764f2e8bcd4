import fs from 'node:fs/promises';

import type { CsvOptions } from '@portal-embed/report-model';

import { findByteOrder } from './utf16.ts';

/** Bytes at the start and the end of a file that name the kind of an archive. */
const headBytes = 4_096;
const tailBytes = 65_536;

const saveAsCsv = 'save its sheet as CSV, and use that file';

/** The first bytes of zip archives with files, without files, and in parts. */
const zipStarts = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'];

/** The first bytes of files that are often taken for CSV, and what to do. */
const kinds: [start: string, message: string][] = [
  ['\xd0\xcf\x11\xe0', `the file is a workbook of an old Excel; ${saveAsCsv}`],
  ['\x1f\x8b', 'the file is compressed with gzip; decompress it, and use the file in it'],
  ['%PDF-', 'the file is a PDF document; export its table as CSV, and use that file'],
];

/**
 * Says that a file is neither CSV nor Parquet, and what to do; `undefined` if it may be the wanted kind.
 */
export async function describeOtherKind(
  file: string,
  wanted: 'csv' | 'parquet',
  encoding?: CsvOptions['encoding'],
): Promise<string | undefined> {
  const { head, tail } = await readEnds(file);
  if (zipStarts.some((start) => head.startsWith(start)))
    return /xl\/|vnd\.oasis\.opendocument\.spreadsheet/.test(head + tail)
      ? `the file is a workbook; ${saveAsCsv}`
      : `the file is a zip archive, such as a workbook; ${saveAsCsv}, or extract the archive`;
  const known = kinds.find(([start]) => head.startsWith(start));
  if (known) return known[1];
  if (wanted !== 'csv') return undefined;
  if (head.startsWith('PAR1')) return 'the file is Parquet; let its name end in .parquet';
  return encoding === 'utf-16' ? undefined : describeZeros(head);
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
