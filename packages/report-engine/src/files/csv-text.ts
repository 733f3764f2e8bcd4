import { createReadStream, createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { CsvOptions } from '@portal-embed/report-model';

import { isUtf8Start } from './utf8.ts';

/** Limit of the row with the column names. */
const maxHeaderBytes = 1_000_000;

/** Converts the file to UTF-8. DuckDB cannot read windows-1252. */
export async function writeUtf8(
  source: string,
  encoding: CsvOptions['encoding'],
  target: string,
): Promise<void> {
  const decoder = new TextDecoder(await findLabel(source, encoding));
  const decoding = new Transform({
    transform: (chunk: Buffer, _encoding, done) =>
      done(null, decoder.decode(chunk, { stream: true })),
    flush: (done) => done(null, decoder.decode()),
  });
  await pipeline(createReadStream(source), decoding, createWriteStream(target, { mode: 0o600 }));
}

async function findLabel(source: string, encoding: CsvOptions['encoding']): Promise<string> {
  // latin-1 differs only in bytes that are control characters there.
  if (encoding !== 'utf-16') return 'windows-1252';
  const head = await readHead(source, 2);
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-16le';
}

async function readHead(file: string, bytes: number): Promise<Buffer> {
  const handle = await fs.open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * Reads the cells of the first rows. A file without text has no rows. A file that is not UTF-8 is read as
 * windows-1252. `isTooLong`: the first row does not end within the limit.
 */
export async function readRows(
  file: string,
  delimiter: string,
  most: number,
): Promise<{ rows: string[][]; isUtf8: boolean; isTooLong: boolean }> {
  const bytes = await readHead(file, maxHeaderBytes);
  const isText = isUtf8Start(bytes);
  const text = new TextDecoder(isText ? 'utf-8' : 'windows-1252').decode(bytes);
  const rows: string[][] = [];
  if (text.trim() === '') return { rows, isUtf8: isText, isTooLong: false };
  for (let at = 0; at < text.length && rows.length < most;) {
    const row = readRow(text, at, delimiter);
    rows.push(row.cells);
    at = row.end + (text.startsWith('\r\n', row.end) ? 2 : 1);
  }
  const isTooLong = rows.length === 1 && bytes.length === maxHeaderBytes;
  return { rows, isUtf8: isText, isTooLong };
}

function readRow(text: string, start: number, delimiter: string) {
  const cells: string[] = [];
  const isEnd = (character: string) => character === delimiter || /[\r\n]/.test(character);
  for (let at = start; ; at += 1) {
    let cell = '';
    const isQuoted = text[at] === '"';
    if (isQuoted) {
      at += 1;
      // A doubled quote is a quote within the cell.
      while (at < text.length && (text[at] !== '"' || text[at + 1] === '"')) {
        at += Number(text[at] === '"');
        cell += text[at++];
      }
      at += 1;
    }
    while (at < text.length && !isEnd(text[at]!)) cell += text[at++];
    cells.push(cell.trim());
    if (text[at] !== delimiter) return { cells, end: at };
  }
}
