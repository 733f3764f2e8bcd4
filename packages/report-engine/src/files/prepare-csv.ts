import { createReadStream, createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

import type { CsvOptions } from '@portal-embed/report-model';

import { findEncoding } from './csv-encoding.ts';
import type { Tail } from './csv-footer.ts';
import { findOtherShape, readSeparatorLine } from './csv-shape.ts';
import { readBytes, readHead } from './csv-text.ts';
import { createDecoding } from './encodings.ts';
import { findLastRows, writeLineEnds } from './line-ends.ts';
import { Problem } from './problem.ts';
import { scanFile } from './scan-file.ts';

/** A CSV file as DuckDB reads it: in UTF-8, with one kind of line ends, and without what is skipped. */
export interface PreparedCsv {
  file: string;
  /** Has the delimiter that the file itself names. */
  csv: CsvOptions;
  /** Lines of the source above the first line of `file`. */
  skipped: number;
  /** What was found in the bytes. */
  hints: string[];
  /** Whether `file` is a copy. */
  isCopy: boolean;
  /** The name of a file that is removed in the end. */
  addCopy: (name: string) => string;
}

/** The lines above a table are looked for in the first bytes. */
const headBytes = 1_000_000;

export interface PrepareOptions {
  csv: CsvOptions;
  /** Begins the names of the copies. */
  target: string;
  /** Whether the encoding may be found, because the files of a pattern have one each. */
  isOneOfMany?: boolean | undefined;
}

/** Prepares a CSV file. Copies it only if it has to change. */
export async function withPreparedCsv<Result>(
  source: string,
  options: PrepareOptions,
  work: (prepared: PreparedCsv) => Promise<Result>,
): Promise<Result> {
  const copies: string[] = [];
  const addCopy = (name: string) => {
    copies.push(`${options.target}.${name}`);
    return copies.at(-1)!;
  };
  try {
    return await work(await prepare(source, options, addCopy));
  } finally {
    for (const copy of copies) await fs.rm(copy, { force: true });
  }
}

async function prepare(
  source: string,
  { csv: given, isOneOfMany = false }: PrepareOptions,
  addCopy: (name: string) => string,
): Promise<PreparedCsv> {
  let csv = given;
  let file = source;
  const scanned = csv.encoding === 'utf-16' ? undefined : await scanFile(source);
  const { encoding, hints } = await findEncoding(source, csv, { scanned, isOneOfMany });
  if (encoding !== 'utf-8') {
    file = addCopy('utf8');
    await pipeline(
      createReadStream(source),
      createDecoding(encoding, await readBytes(source, 0, 4_096)),
      createWriteStream(file, { mode: 0o600 }),
    );
  }
  const { hasMixedLineEnds } = scanned ?? (await scanFile(file));
  const above = await readAbove(file, csv);
  const found =
    isOneOfMany && above.delimiter === ','
      ? findOtherShape(await readHead(file, 'utf-8'), above.delimiter)?.delimiter
      : undefined;
  if (found !== undefined) hints.push(`the values are separated by ${JSON.stringify(found)}`);
  csv = { ...csv, delimiter: found ?? above.delimiter };
  const { delimiter } = csv;
  // DuckDB reads only files in which all rows end alike.
  if (hasMixedLineEnds || above.bytes > 0) {
    const lines = addCopy('lines');
    if (hasMixedLineEnds) await writeLineEnds(file, { delimiter, start: above.bytes }, lines);
    else
      await pipeline(
        createReadStream(file, { start: above.bytes }),
        createWriteStream(lines, { mode: 0o600 }),
      );
    file = lines;
  }
  return { file, csv, skipped: above.lines, hints, isCopy: file !== source, addCopy };
}

/** The bytes and lines above the first row, and the delimiter that they name. */
async function readAbove(
  file: string,
  { skip = 0, delimiter }: CsvOptions,
): Promise<{ bytes: number; lines: number; delimiter: string }> {
  const head = await readBytes(file, 0, headBytes);
  const ends = listLineEnds(head);
  const first = head.toString('utf8', 0, Math.min(ends.next().value ?? head.length, 20));
  const named = readSeparatorLine(first.split(/[\r\n]/, 1)[0]!);
  const wanted = named === undefined ? skip : Math.max(1, skip);
  let [bytes, lines] = [0, 0];
  for (const end of listLineEnds(head)) {
    const isSkipped = lines < wanted || isEmptyLine(head, bytes, end);
    if (!isSkipped) break;
    [bytes, lines] = [end, lines + 1];
  }
  if (lines < skip)
    throw new Problem(`skip is ${skip}, but the file has fewer lines; write a smaller number`);
  return { bytes, lines, delimiter: named !== undefined && delimiter === ',' ? named : delimiter };
}

/** Whether a line has nothing but its end, and perhaps a mark of UTF-8. */
const isEmptyLine = (bytes: Buffer, start: number, end: number): boolean =>
  bytes.toString('utf8', start, end).replace('\uFEFF', '').trim() === '';

/** Where the lines end. */
function* listLineEnds(bytes: Buffer): Generator<number, undefined> {
  for (let at = 0; at < bytes.length; at += 1) {
    const isReturn = bytes[at] === 0x0d;
    if (isReturn && bytes[at + 1] === 0x0a) continue;
    if (isReturn || bytes[at] === 0x0a) yield at + 1;
  }
}

/**
 * Removes the rows that `skipFooter` leaves out, and with it those without values at the end.
 *
 * @returns the file without them
 */
export async function cutRows(
  { file, isCopy, addCopy }: PreparedCsv,
  { hasBlank }: Pick<Tail, 'hasBlank'>,
  { delimiter, skipFooter }: CsvOptions,
): Promise<string> {
  // Earlier releases counted empty rows, so somebody must have decided.
  if (skipFooter === undefined || (skipFooter === 0 && !hasBlank)) return file;
  const start = await findLastRows(file, delimiter, skipFooter);
  if (start === undefined)
    throw new Problem(
      `skipFooter is ${skipFooter}, but the file has fewer rows; write a smaller number`,
    );
  const target = isCopy ? file : addCopy('rows');
  if (!isCopy) await fs.copyFile(file, target, fs.constants.COPYFILE_FICLONE);
  await fs.truncate(target, start);
  return target;
}
