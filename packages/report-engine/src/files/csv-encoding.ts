import { isAscii, isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { CsvOptions, Encoding, Question, ReadColumn } from '@portal-embed/report-model';

import { requireShape } from './csv-names.ts';
import { readSeparatorLine } from './csv-shape.ts';
import { parseRows, readHead } from './csv-text.ts';
import { describeEncodings } from './describe-encodings.ts';
import { createDecoding, decodePart, isOfBytes } from './encodings.ts';
import { doubleBytes, hasDoubleBytes, listEncodings } from './guess-encoding.ts';
import { Problem } from './problem.ts';
import type { ScannedFile } from './scan-file.ts';

/** Where the cells of a file are. */
type CsvLayout = Pick<CsvOptions, 'delimiter' | 'header' | 'skip'>;

/**
 * Proves the encoding of a CSV file with all of its bytes.
 *
 * @param options.scanned absent for UTF-16, which is proven while it is decoded
 * @param options.isOneOfMany whether an encoding that is the only likely one may be found
 * @throws Problem if the declared encoding is wrong, or if none is declared and the file is not UTF-8
 */
export async function findEncoding(
  file: string,
  csv: CsvOptions,
  { scanned, isOneOfMany }: { scanned: ScannedFile | undefined; isOneOfMany: boolean },
): Promise<{ encoding: Encoding; hints: string[] }> {
  const declared = csv.encoding;
  if (!scanned) return { encoding: 'utf-16', hints: [] };
  if (declared !== undefined && declared !== 'utf-8')
    return { encoding: declared, hints: await checkDeclared(file, csv, declared, scanned) };
  if (scanned.isUtf8) return { encoding: 'utf-8', hints: [] };
  const { encoding, question } = await guessEncoding(file, csv, scanned);
  if (question) {
    const { interpretations } = question;
    const choices = interpretations.map(({ options }) => `encoding: ${options.encoding}`);
    throw new Problem(
      `${describeEncodings(interpretations)}; write ${choices.join(', or ')}, under csv, or save the file as UTF-8`,
    );
  }
  const isFound = isOneOfMany && declared === undefined;
  if (!isFound) requireShape(await readHead(file, encoding), csv, { skipped: 0, encoding });
  const [sample] = await readSamples(file, csv, { other: 1, utf8: 0 });
  const shown = sample ? ` (${JSON.stringify(sample.read(encoding))})` : '';
  if (!isFound)
    throw new Problem(
      `line ${sample?.line ?? 1} of the file is not UTF-8; write its encoding under csv, such as encoding: ${encoding}${shown}, or save it as UTF-8`,
    );
  return { encoding, hints: [`the file is not UTF-8, and is read as ${encoding}${shown}`] };
}

/** Finds a declared encoding that is wrong, or that some lines do not have. */
async function checkDeclared(
  file: string,
  csv: CsvOptions,
  declared: Encoding,
  scanned: ScannedFile,
): Promise<string[]> {
  if (scanned.isAscii || !isOfBytes(declared)) return [];
  const isText = scanned.isUtf8;
  if (!isText && scanned.profile!.utf8 === 0) return [];
  const [sample] = await readSamples(file, csv, { other: 0, utf8: 1 });
  if (!sample) return [];
  const [wrong, right] = [sample.read(declared), sample.read('utf-8')].map((text) =>
    JSON.stringify(text),
  );
  if (isText)
    throw new Problem(
      `the file is UTF-8, and ${declared} reads ${right} in line ${sample.line} as ${wrong}; remove encoding under csv`,
    );
  return [
    `line ${sample.line} is UTF-8, and ${declared} reads ${right} as ${wrong}; if that is wrong, write encoding: utf-8-or-windows-1252 under csv`,
  ];
}

/** Finds the likeliest encoding of a file that is not UTF-8, and asks if there are several. */
export async function guessEncoding(
  file: string,
  csv: CsvLayout,
  { profile }: ScannedFile,
): Promise<{ encoding: Encoding; question?: Question }> {
  const listed = listEncodings(profile!);
  const [likely] = listed;
  if (listed.length === 1) return { encoding: likely! };
  const doubles: Encoding[] = [];
  if (hasDoubleBytes(profile!))
    for (const encoding of doubleBytes) if (await isDecoded(file, encoding)) doubles.push(encoding);
  const asked = [...doubles, ...listed];
  const samples = await readSamples(file, csv, { other: 2, utf8: Number(profile!.utf8 > 0) });
  const question: Question = {
    about: 'encoding',
    interpretations: asked.map((encoding) => ({
      options: { encoding },
      columns: samples.map(({ column, line, read }): ReadColumn => ({
        name: column(encoding),
        values: [{ text: read('utf-8'), read: read(encoding), line }],
      })),
    })),
  };
  return { encoding: asked[0]!, question };
}

const isDecoded = (file: string, encoding: Encoding): Promise<boolean> =>
  pipeline(
    createReadStream(file),
    createDecoding(encoding, Buffer.alloc(0)),
    new Writable({ write: (_chunk, _encoding, done) => done() }),
  ).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Problem) return false;
      throw error;
    },
  );

/** A cell that is not ASCII. */
interface Sample {
  line: number;
  column: (encoding: Encoding) => string;
  read: (encoding: Encoding) => string;
}

const maxLineBytes = 100_000;

/** Numbers of lines that are UTF-8 but not ASCII, and of lines that are neither. */
interface Wanted {
  utf8: number;
  other: number;
}

/** Reads the first lines that are not ASCII. */
async function readSamples(
  file: string,
  { delimiter, header, skip = 0 }: CsvLayout,
  wanted: Wanted,
): Promise<Sample[]> {
  let names: string[] = [];
  const found = { other: [] as Sample[], utf8: [] as Sample[] };
  let [line, separator] = [0, delimiter];
  for await (const bytes of readLines(file)) {
    line += 1;
    const hasNames = names.length > 0;
    if (hasNames && isAscii(bytes)) continue;
    const text = bytes.toString('latin1');
    separator = (line === 1 && readSeparatorLine(text)) || separator;
    const [row] = parseRows(text, separator);
    if (line > skip && !hasNames && row) names = row.cells;
    if (isAscii(bytes)) continue;
    const isText = isUtf8(bytes);
    const kind = isText ? 'utf8' : 'other';
    if (found[kind].length === wanted[kind]) continue;
    const cells = row?.cells ?? [];
    const at = Math.max(
      0,
      cells.findIndex((cell) => {
        const part = Buffer.from(cell, 'latin1');
        return !isAscii(part) && isUtf8(part) === isText;
      }),
    );
    const cell = Buffer.from((cells[at] ?? text).slice(0, 100), 'latin1');
    const name = Buffer.from(names[at] ?? '', 'latin1');
    const isNamed = header && name.length > 0;
    found[kind].push({
      line,
      column: (encoding) => (isNamed ? decodeCell(name, encoding) : `column${at + 1}`),
      read: (encoding) => decodeCell(cell, encoding),
    });
    if (found.utf8.length === wanted.utf8 && found.other.length === wanted.other) break;
  }
  return [...found.utf8, ...found.other].toSorted((one, another) => one.line - another.line);
}

const decodeCell = (bytes: Buffer, encoding: Encoding): string =>
  (encoding === 'utf-8' ? bytes.toString() : decodePart(bytes, encoding)).replace(
    /\p{Cc}/gu,
    '\uFFFD',
  );

/** Reads the lines of a file, the long ones in part. */
async function* readLines(file: string): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  let wasReturn = false;
  for await (const chunk of createReadStream(file)) {
    const bytes = chunk as Buffer;
    let start = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      const isSecond = byte === 0x0a && wasReturn;
      wasReturn = byte === 0x0d;
      if (isSecond) start = at + 1;
      if (isSecond || (byte !== 0x0a && byte !== 0x0d)) continue;
      yield Buffer.concat([...parts, bytes.subarray(start, at)]);
      [parts, length, start] = [[], 0, at + 1];
    }
    if (length < maxLineBytes) parts.push(Buffer.from(bytes.subarray(start)));
    length += bytes.length - start;
  }
  if (length > 0) yield Buffer.concat(parts);
}
