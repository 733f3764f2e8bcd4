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

function replaceLineEnds(delimiter: string): Transform {
  const end = Buffer.from(delimiter).at(-1);
  const quote = 0x22;
  let isStart = true;
  let isQuoted = false;
  let last: number | undefined;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      const bytes = Buffer.alloc(chunk.length);
      let length = 0;
      for (const byte of chunk) {
        const isSecondHalf = !isQuoted && byte === lineFeed && last === carriageReturn;
        const isEnd = !isQuoted && (byte === lineFeed || byte === carriageReturn);
        if (!isSecondHalf) bytes[length++] = isEnd ? lineFeed : byte;
        // A doubled quote ends and begins the quoted part.
        if (byte === quote && (isQuoted || isStart || last === quote)) isQuoted = !isQuoted;
        isStart = isEnd || byte === end;
        last = isQuoted ? undefined : byte;
      }
      done(null, bytes.subarray(0, length));
    },
  });
}
