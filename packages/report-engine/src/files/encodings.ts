import { isUtf8 } from 'node:buffer';
import { Transform } from 'node:stream';

import type { Encoding } from '@portal-embed/report-model';

import { decodeIbm850 } from './ibm850.ts';
import { Problem } from './problem.ts';
import { findByteOrder } from './utf16.ts';

/** Encodings of one byte for each character, with which no bytes are wrong. */
const singleBytes = new Set<Encoding>([
  'latin-1',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1254',
  'iso-8859-2',
  'iso-8859-15',
  'ibm850',
  'macintosh',
  'ibm866',
  'koi8-r',
]);

export const isOfBytes = (encoding: Encoding): boolean => singleBytes.has(encoding);

/**
 * The name that `TextDecoder` has for an encoding.
 *
 * @param head the beginning of the file, for the byte order of UTF-16
 */
function labelOf(encoding: Encoding, head: Uint8Array): string {
  if (encoding === 'utf-16') return findByteOrder(head) ?? 'utf-16le';
  // latin-1 differs only in bytes that are control characters there.
  return encoding === 'latin-1' ? 'windows-1252' : encoding;
}

/**
 * Decodes a part of a file. Its last character may be incomplete.
 *
 * @param head the beginning of the file
 */
export function decodePart(bytes: Uint8Array, encoding: Encoding, head = bytes): string {
  if (encoding === 'utf-8-or-windows-1252') return decodeLines(Buffer.from(bytes)).toString();
  if (encoding === 'ibm850') return decodeIbm850(bytes);
  // Without `stream`, Node.js 20 reads windows-1252 as latin-1.
  return new TextDecoder(labelOf(encoding, head)).decode(bytes, { stream: true });
}

/**
 * Converts a file to UTF-8. Each byte is checked.
 *
 * @param head the beginning of the file
 */
export function createDecoding(encoding: Encoding, head: Uint8Array): Transform {
  if (encoding === 'utf-8-or-windows-1252') return new LineDecoding();
  if (encoding === 'ibm850')
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => done(null, decodeIbm850(chunk)),
    });
  const decoder = new TextDecoder(labelOf(encoding, head), { fatal: true });
  const decode = (
    bytes: Uint8Array | undefined,
    done: (error?: Error | null, text?: string) => void,
  ) => {
    let text: string;
    try {
      text = bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {
      done(
        new Problem(
          `the file is not ${encoding}; write another encoding under csv, or save the file as UTF-8`,
        ),
      );
      return;
    }
    done(null, text);
  };
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => decode(chunk, done),
    flush: (done) => decode(undefined, done),
  });
}

const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/** Longer lines are decoded in parts. */
const maxLineBytes = 4_000_000;

/** Decodes each line as UTF-8 if it is valid, and otherwise as windows-1252. */
class LineDecoding extends Transform {
  #rest: Buffer = Buffer.alloc(0);

  override _transform(
    chunk: Buffer,
    _encoding: BufferEncoding,
    done: (error?: Error | null, bytes?: Buffer) => void,
  ): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const end = Math.max(bytes.lastIndexOf(lineFeed), bytes.lastIndexOf(carriageReturn)) + 1;
    const cut = end === 0 && bytes.length > maxLineBytes ? bytes.length : end;
    this.#rest = bytes.subarray(cut);
    done(null, decodeLines(bytes.subarray(0, cut)));
  }

  override _flush(done: (error?: Error | null, bytes?: Buffer) => void): void {
    done(null, decodeLines(this.#rest));
  }
}

function decodeLines(bytes: Buffer): Buffer {
  if (isUtf8(bytes)) return bytes;
  const decoder = new TextDecoder('windows-1252');
  const lines: Buffer[] = [];
  for (let start = 0, at = 0; start < bytes.length; at += 1) {
    const isEnd = bytes[at] === lineFeed || bytes[at] === carriageReturn;
    if (!isEnd && at < bytes.length) continue;
    const line = bytes.subarray(start, at + 1);
    lines.push(isUtf8(line) ? line : Buffer.from(decoder.decode(line, { stream: true })));
    start = at + 1;
  }
  return Buffer.concat(lines);
}
