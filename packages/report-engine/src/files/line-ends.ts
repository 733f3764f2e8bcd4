import { createReadStream, createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/** Whether a file has more than one of CRLF, LF and CR, also within quotes. */
export async function hasMixedLineEnds(file: string): Promise<boolean> {
  const found = new Set<string>();
  let endsInReturn = false;
  for await (const chunk of createReadStream(file)) {
    const bytes = chunk as Buffer;
    if (endsInReturn) found.add(bytes[0] === lineFeed ? 'CRLF' : 'CR');
    for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) {
      const isPair = at === 0 ? endsInReturn : bytes[at - 1] === carriageReturn;
      if (!isPair) found.add('LF');
    }
    for (let at = bytes.indexOf(carriageReturn); at !== -1;) {
      if (at + 1 < bytes.length) found.add(bytes[at + 1] === lineFeed ? 'CRLF' : 'CR');
      at = bytes.indexOf(carriageReturn, at + 1);
    }
    if (found.size > 1) return true;
    endsInReturn = bytes.at(-1) === carriageReturn;
  }
  return found.size + Number(endsInReturn && !found.has('CR')) > 1;
}

/** Copies a CSV file so that each row ends in LF. Line ends within quotes stay. */
export const writeLineEnds = (source: string, delimiter: string, target: string): Promise<void> =>
  pipeline(
    createReadStream(source),
    replaceLineEnds(delimiter),
    createWriteStream(target, { mode: 0o600 }),
  );

const quote = 0x22;

/** Follows the quotes of a CSV file, byte by byte. */
class Quotes {
  readonly #delimiter: number | undefined;
  #isStart = true;
  #isQuoted = false;
  #last: number | undefined;

  constructor(delimiter: string) {
    this.#delimiter = Buffer.from(delimiter).at(-1);
  }

  /** Whether the byte ends a row: `second` is the second half of CRLF. */
  read(byte: number): 'row' | 'second' | undefined {
    const wasReturn = this.#last === carriageReturn;
    const isEnd = !this.#isQuoted && (byte === lineFeed || byte === carriageReturn);
    // A doubled quote ends and begins the quoted part.
    if (byte === quote && (this.#isQuoted || this.#isStart || this.#last === quote))
      this.#isQuoted = !this.#isQuoted;
    this.#isStart = isEnd || byte === this.#delimiter;
    this.#last = this.#isQuoted ? undefined : byte;
    if (!isEnd) return undefined;
    return byte === lineFeed && wasReturn ? 'second' : 'row';
  }
}

function replaceLineEnds(delimiter: string): Transform {
  const quotes = new Quotes(delimiter);
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      const bytes = Buffer.alloc(chunk.length);
      let length = 0;
      for (const byte of chunk) {
        const end = quotes.read(byte);
        if (end !== 'second') bytes[length++] = end ? lineFeed : byte;
      }
      done(null, bytes.subarray(0, length));
    },
  });
}

/**
 * The line in which a row begins. A value in quotes can have several lines.
 *
 * @param row counts from 1, the header included
 * @param skipsBlank whether empty lines are no rows, as in files of several columns
 */
export async function findLine(
  file: string,
  delimiter: string,
  row: number,
  skipsBlank: boolean,
): Promise<number> {
  const quotes = new Quotes(delimiter);
  let [line, start, rows, length] = [1, 1, 0, 0];
  let last: number | undefined;
  for await (const chunk of createReadStream(file))
    for (const byte of chunk as Buffer) {
      const end = quotes.read(byte);
      const isBreak = byte === carriageReturn || (byte === lineFeed && last !== carriageReturn);
      if (isBreak) line += 1;
      last = byte;
      if (end === 'second') {
        start = line;
        continue;
      }
      if (!end) {
        length += 1;
        continue;
      }
      if (length > 0 || !skipsBlank) rows += 1;
      if (rows === row) return start;
      [start, length] = [line, 0];
    }
  return start;
}
