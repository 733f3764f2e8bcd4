import fs from 'node:fs/promises';

import type { Encoding } from '@portal-embed/report-model';

import { decodePart } from './encodings.ts';
import { isUtf8Start } from './utf8.ts';

/** Limit of the row with the column names. */
const maxHeaderBytes = 1_000_000;

/** The last rows are looked for in the last bytes. */
const tailBytes = 65_536;

/** A row of a CSV file. */
export interface TextRow {
  /** Without quotes and without spaces around them. */
  cells: string[];
  /** The line of the text in which it begins, from 1. */
  line: number;
  /** Whether a quote is not closed, so that the row goes on to the end of the text. */
  isOpen?: boolean;
}

/** The beginning of a file. */
export interface Head {
  text: string;
  isUtf8: boolean;
  /** Whether the file goes on. */
  isCut: boolean;
}

/** Reads bytes of a file. */
export async function readBytes(file: string, position: number, length: number): Promise<Buffer> {
  const handle = await fs.open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * Reads the beginning of a file.
 *
 * @param encoding Default: UTF-8, or windows-1252 if the file is not UTF-8
 */
export async function readHead(file: string, encoding?: Encoding): Promise<Head> {
  const bytes = await readBytes(file, 0, maxHeaderBytes);
  const isUtf8 = isUtf8Start(bytes);
  const text = decodePart(bytes, encoding ?? (isUtf8 ? 'utf-8' : 'windows-1252'));
  return { text, isUtf8, isCut: bytes.length === maxHeaderBytes };
}

/** Reads the last lines of a file, and whether they are all of them. */
export async function readTail(
  file: string,
  encoding: Encoding,
): Promise<{ text: string; isAll: boolean }> {
  const { size } = await fs.stat(file);
  const start = Math.max(0, size - tailBytes);
  // A character of UTF-16 begins at an even byte.
  const bytes = await readBytes(file, start - (start % 2), tailBytes + 1);
  const text = decodePart(bytes, encoding, await readBytes(file, 0, 4_096));
  return start === 0
    ? { text, isAll: true }
    : { text: text.slice(text.search(/[\r\n]/) + 1), isAll: false };
}

/** Reads the rows of a CSV text; those of an empty text are none. */
export function* parseRows(text: string, delimiter: string): Generator<TextRow> {
  if (text.trim() === '') return;
  for (let at = 0, line = 1; at < text.length;) {
    const row = readRow(text, at, delimiter);
    yield { cells: row.cells, line, ...(row.isOpen && { isOpen: true }) };
    const next = row.end + (text.startsWith('\r\n', row.end) ? 2 : 1);
    for (let index = at; index < next && index < text.length; index += 1)
      if (text[index] === '\n' || (text[index] === '\r' && text[index + 1] !== '\n')) line += 1;
    at = next;
  }
}

/** Whether a row has no value. */
export const isBlank = ({ cells }: TextRow): boolean => cells.every((cell) => cell === '');

function readRow(text: string, start: number, delimiter: string) {
  const cells: string[] = [];
  let isOpen = false;
  const isEnd = (character: string) =>
    character === delimiter || character === '\r' || character === '\n';
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
      isOpen = at >= text.length;
      at += 1;
    }
    while (at < text.length && !isEnd(text[at]!)) cell += text[at++];
    cells.push(cell.trim());
    if (text[at] !== delimiter) return { cells, end: at, isOpen };
  }
}
