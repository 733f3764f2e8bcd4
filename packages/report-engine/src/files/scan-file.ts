import { isAscii, isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';

import { ByteProfile } from './byte-profile.ts';

const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/** What all bytes of a file say. */
export interface ScannedFile {
  isUtf8: boolean;
  isAscii: boolean;
  /** Whether it has more than one of CRLF, LF and CR, also within quotes. */
  hasMixedLineEnds: boolean;
  /** Its bytes that are not ASCII. Only for a file that is not UTF-8. */
  profile: ByteProfile | undefined;
}

/** Reads a whole file once. The bytes of its line ends must be those of ASCII. */
export async function scanFile(file: string): Promise<ScannedFile> {
  const ends = new LineEnds();
  let text = await scanTexts(file, (bytes) => ends.read(bytes));
  const profile = text.isUtf8 ? undefined : new ByteProfile();
  if (profile) for await (const chunk of createReadStream(file)) profile.read(chunk as Buffer);
  profile?.end();
  return { ...text, hasMixedLineEnds: ends.areMixed, profile };
}

/** The most bytes that a character of UTF-8 needs after those of this part. */
const maxCut = 3;

async function scanTexts(
  file: string,
  onPart: (bytes: Buffer) => void,
): Promise<{ isUtf8: boolean; isAscii: boolean }> {
  let [isText, isPlain] = [true, true];
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(file)) {
    const bytes = chunk as Buffer;
    onPart(bytes);
    if (!isText || (rest.length === 0 && isAscii(bytes))) continue;
    isPlain = false;
    const whole = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const cut = findCut(whole);
    isText = isUtf8(whole.subarray(0, cut));
    rest = Buffer.from(whole.subarray(cut));
  }
  return { isUtf8: isText && rest.length === 0, isAscii: isPlain };
}

/** Where the last character of UTF-8 begins, if its end is missing; otherwise the end. */
function findCut(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(maxCut, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return back < length ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}

class LineEnds {
  readonly #found = new Set<string>();
  #endsInReturn = false;

  get areMixed(): boolean {
    return this.#found.size + Number(this.#endsInReturn && !this.#found.has('CR')) > 1;
  }

  read(bytes: Buffer): void {
    if (this.#found.size > 1) return;
    if (this.#endsInReturn) this.#found.add(bytes[0] === lineFeed ? 'CRLF' : 'CR');
    if (!this.#endsInReturn && !bytes.includes(carriageReturn)) {
      if (bytes.includes(lineFeed)) this.#found.add('LF');
    } else this.#readBoth(bytes);
    this.#endsInReturn = bytes.at(-1) === carriageReturn;
  }

  #readBoth(bytes: Buffer): void {
    for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) {
      const isPair = at === 0 ? this.#endsInReturn : bytes[at - 1] === carriageReturn;
      if (isPair) continue;
      this.#found.add('LF');
      break;
    }
    for (let at = bytes.indexOf(carriageReturn); at !== -1;) {
      if (at + 1 < bytes.length) this.#found.add(bytes[at + 1] === lineFeed ? 'CRLF' : 'CR');
      if (this.#found.size > 1) return;
      at = bytes.indexOf(carriageReturn, at + 1);
    }
  }
}
