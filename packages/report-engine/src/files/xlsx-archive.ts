import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';

import { openPromise, type Entry, type ZipFile } from 'yauzl';

import { Problem } from './csv-names.ts';

/** A workbook of Excel has some dozens of parts. */
const maxParts = 10_000;

/** Limits of one part, in unpacked bytes. A sheet of 2 million cells has about 80 MB. */
const maxPartBytes = 1_024 ** 3;

const damaged = 'the workbook is damaged; save it again, or save its sheet as CSV';

/** The parts of a workbook, which is a zip archive. */
export class Archive {
  readonly #zip: ZipFile;
  readonly #parts: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, parts: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#parts = parts;
  }

  /** @throws `Problem` if the file is not a zip archive, or has too many parts */
  static async open(file: string): Promise<Archive> {
    const zip = await openPromise(file, { lazyEntries: true, autoClose: false }).catch(
      throwDamaged,
    );
    try {
      return new Archive(zip, await listParts(zip));
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  has(name: string): boolean {
    return this.#parts.has(name.toLowerCase());
  }

  /**
   * Unpacks a part as it is read.
   *
   * @throws `Problem` if the part is missing, damaged, or larger than `maxBytes`
   */
  async *read(name: string, maxBytes = maxPartBytes): AsyncGenerator<Buffer> {
    const part = this.#parts.get(name.toLowerCase());
    if (!part) throw new Problem(damaged);
    if (part.isEncrypted())
      throw new Problem('the workbook is protected with a password; save it without one');
    requireSize(part.uncompressedSize, maxBytes);
    const stream: Readable = await this.#zip.openReadStreamPromise(part).catch(throwDamaged);
    let [bytes, sum] = [0, 0];
    try {
      for await (const chunk of stream) {
        // The size in the archive can be wrong.
        requireSize((bytes += (chunk as Buffer).length), maxBytes);
        sum = crc32(chunk as Buffer, sum);
        yield chunk as Buffer;
      }
      if (sum !== part.crc32) throw new Problem(damaged);
    } catch (error) {
      if (error instanceof Problem) throw error;
      throwDamaged(error);
    }
  }

  close(): void {
    this.#zip.close();
  }
}

async function listParts(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > maxParts) throw new Problem(damaged);
  const parts = new Map<string, Entry>();
  try {
    for await (const part of zip.eachEntry()) {
      const name = part.fileName.toLowerCase();
      // Two programs could read two different workbooks.
      if (parts.has(name)) throw new Problem(damaged);
      parts.set(name, part);
    }
  } catch (error) {
    throwDamaged(error);
  }
  return parts;
}

function requireSize(bytes: number, maxBytes: number): void {
  if (bytes > maxBytes)
    throw new Problem(
      `a part of the workbook has more than ${maxBytes / 1_024 ** 2} MB when it is unpacked; split the workbook, or save its sheet as CSV`,
    );
}

/** An error of the system, such as a missing permission, stays. */
function throwDamaged(error: unknown): never {
  if (error instanceof Problem) throw error;
  const isOfSystem = error instanceof Error && 'syscall' in error;
  throw isOfSystem ? error : new Problem(damaged);
}
