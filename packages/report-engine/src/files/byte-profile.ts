/** What stands beside a byte that is not ASCII. */
export const lower = 0;
export const upper = 1;
export const high = 2;
export const other = 3;

/** Units that have exponents, such as cm³. Their exponents are not behind a letter of a word. */
const unit = /(?:^|[^a-z])[cdkm]?m$/i;

/** ², ³ and ¹, as windows-1252 has them. */
const exponents = new Set([0xb2, 0xb3, 0xb9]);

/** Number of kinds. */
const kinds = 4;

const kindOf = (byte: number | undefined): number => {
  if (byte === undefined) return other;
  if (byte >= 0x80) return high;
  if (byte >= 0x61 && byte <= 0x7a) return lower;
  return byte >= 0x41 && byte <= 0x5a ? upper : other;
};

function kindBefore(bytes: Buffer, at: number): number {
  const isExponent =
    exponents.has(bytes[at]!) &&
    unit.test(bytes.toString('latin1', Math.max(0, at - unitLength), at));
  return isExponent ? other : kindOf(bytes[at - 1]);
}

/** Each byte from 0x80 with what stands before and after it, and how often. */
export interface ByteContext {
  byte: number;
  before: number;
  after: number;
  count: number;
}

/** A character of UTF-8 has up to three more bytes, and one byte is looked at after it. */
const margin = 4;

/** Bytes that are looked at before a byte. */
const unitLength = 3;

/**
 * Counts the bytes of a file from 0x80 that are not part of a character of UTF-8, by their neighbors.
 * The memory does not depend on the file.
 */
export class ByteProfile {
  /** Characters of UTF-8 that are not ASCII. */
  utf8 = 0;
  /** Bytes from 0x80 that are not in a character of UTF-8. */
  total = 0;
  /** Those of them that are beside another one. */
  beside = 0;
  /** Sequences of four or more of them. */
  runs = 0;
  readonly #counts = new Uint32Array(128 * kinds * kinds);
  readonly #pairs = new Uint32Array(128 * 128);
  /** The last bytes, of which those from `#next` on are not counted yet. */
  #rest: Buffer = Buffer.alloc(0);
  #next = 0;
  /** Length of the sequence before the next byte. */
  #run = 0;

  read(chunk: Buffer): void {
    const bytes = Buffer.concat([this.#rest, chunk]);
    const next = this.#count(bytes, this.#next, bytes.length - margin);
    const kept = Math.max(0, next - unitLength);
    this.#rest = Buffer.from(bytes.subarray(kept));
    this.#next = next - kept;
  }

  /** Counts the last bytes. */
  end(): void {
    this.#count(this.#rest, this.#next, this.#rest.length);
    this.#rest = Buffer.alloc(0);
  }

  /** Counts from `start` to `end`, and returns where it has stopped. */
  #count(bytes: Buffer, start: number, end: number): number {
    let at = start;
    while (at < end) {
      const byte = bytes[at]!;
      if (byte < 0x80) {
        this.#run = 0;
        at += 1;
        continue;
      }
      const length = measureUtf8(bytes, at);
      if (length > 0) {
        this.utf8 += 1;
        this.#run = 0;
        at += length;
        continue;
      }
      this.#add(bytes, at);
      at += 1;
    }
    return at;
  }

  #add(bytes: Buffer, at: number): void {
    const byte = bytes[at]! - 0x80;
    const before = this.#run > 0 ? high : kindBefore(bytes, at);
    const after = kindOf(bytes[at + 1]);
    this.total += 1;
    this.#run += 1;
    if (this.#run === 4) this.runs += 1;
    if (before === high || after === high) this.beside += 1;
    this.#counts[(byte * kinds + before) * kinds + after]! += 1;
    if (this.#run > 1) this.#pairs[(bytes[at - 1]! - 0x80) * 128 + byte]! += 1;
  }

  *contexts(): Generator<ByteContext> {
    for (const [index, count] of this.#counts.entries())
      if (count > 0)
        yield {
          byte: Math.floor(index / kinds / kinds) + 0x80,
          before: Math.floor(index / kinds) % kinds,
          after: index % kinds,
          count,
        };
  }

  /** Two such bytes that follow each other. */
  *pairs(): Generator<{ first: number; second: number; count: number }> {
    for (const [index, count] of this.#pairs.entries())
      if (count > 0)
        yield { first: Math.floor(index / 128) + 0x80, second: (index % 128) + 0x80, count };
  }
}

const follows = (byte: number) => (byte & 0xc0) === 0x80;

/** The length of the character of UTF-8 that begins here; 0 if none does. */
function measureUtf8(bytes: Buffer, at: number): number {
  const one = bytes[at]!;
  const [two, three, four] = [bytes[at + 1] ?? 0, bytes[at + 2] ?? 0, bytes[at + 3] ?? 0];
  if (one >= 0xc2 && one <= 0xdf) return follows(two) ? 2 : 0;
  if (one >= 0xe0 && one <= 0xef) {
    const isShort = one === 0xe0 && two < 0xa0;
    const isSurrogate = one === 0xed && two > 0x9f;
    return follows(two) && follows(three) && !isShort && !isSurrogate ? 3 : 0;
  }
  if (one < 0xf0 || one > 0xf4) return 0;
  const isInRange = (one > 0xf0 || two >= 0x90) && (one < 0xf4 || two <= 0x8f);
  return follows(two) && follows(three) && follows(four) && isInRange ? 4 : 0;
}
