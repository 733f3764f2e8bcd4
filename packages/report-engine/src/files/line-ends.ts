import { createReadStream, createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/**
 * Copies a CSV file from the byte `start` on, so that each row ends in LF. Line ends within quotes stay.
 */
export const writeLineEnds = (
  source: string,
  { delimiter, start }: { delimiter: string; start: number },
  target: string,
): Promise<void> =>
  pipeline(
    createReadStream(source, { start }),
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

/**
 * The first byte of the last `count` rows that are not empty; without any, the end of the last row that is
 * not empty. `undefined` if the file has fewer rows.
 */
export async function findLastRows(
  file: string,
  delimiter: string,
  count: number,
): Promise<number | undefined> {
  const quotes = new Quotes(delimiter);
  const empty = new Set(Buffer.from(` \t"${delimiter}`));
  /** Starts of the last rows that are not empty. */
  const starts: number[] = [];
  let [offset, start, end] = [0, 0, 0];
  let isEmpty = true;
  const close = () => {
    if (!isEmpty) {
      starts.push(start);
      if (starts.length > count) starts.shift();
      end = offset;
    }
    [start, isEmpty] = [offset, true];
  };
  for await (const chunk of createReadStream(file))
    for (const byte of chunk as Buffer) {
      const rowEnd = quotes.read(byte);
      offset += 1;
      if (rowEnd === 'row') close();
      else if (rowEnd === 'second') {
        // The second half of CRLF belongs to the row before it.
        if (end === offset - 1) end = offset;
        start = offset;
      } else if (isEmpty && !empty.has(byte)) isEmpty = false;
    }
  close();
  return starts.length < count ? undefined : (starts[0] ?? end);
}
