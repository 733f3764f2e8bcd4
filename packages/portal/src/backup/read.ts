import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual, promisify } from 'node:util';
import { gunzip } from 'node:zlib';

import * as tar from 'tar-stream';
import type { z } from 'zod';

import { BackupError } from './backup-error.ts';
import {
  endName,
  endSchema,
  format,
  manifestName,
  manifestSchema,
  maxPartBytes,
  parseFile,
  parsePart,
  type Entry,
  type Manifest,
} from './format.ts';
import type { Progress } from './pack.ts';
import { countRows } from './rows.ts';
import type { Table } from './tables.ts';

/** Receives the contents of a backup in the order of its entries. */
export interface BackupVisitor {
  manifest?: (manifest: Manifest) => void | Promise<void>;
  /** Whole rows of a table, as COPY text. The parts of a table follow each other. */
  rows?: (table: Table, text: Buffer) => void | Promise<void>;
  /** A data file, which the visitor reads to its end. */
  file?: (file: string, content: AsyncIterable<Buffer>) => Promise<void>;
  onProgress?: (progress: Progress) => void;
}

/** A backup that was read to its end. */
export interface ReadBackup {
  manifest: Manifest;
  entries: Entry[];
}

/** Bytes of zeros after the last entry of a tar. */
const tarEndBytes = 1_024;

/**
 * Reads a backup and checks every byte that it uses. The visitor gets contents before all of them are
 * checked, so its changes can be kept only once this resolves.
 *
 * @throws `BackupError` if the backup is incomplete, damaged or truncated, or no backup
 */
export async function readBackup(
  input: AsyncIterable<Uint8Array>,
  visitor: BackupVisitor = {},
): Promise<ReadBackup> {
  const extract = tar.extract();
  let bytes = 0;
  let head: string | undefined;
  async function* counted() {
    for await (const chunk of input) {
      bytes += chunk.byteLength;
      head ??= Buffer.from(chunk).toString('latin1', 0, manifestName.length);
      yield chunk;
    }
  }
  const reader = new EntryReader(visitor);
  // Ends early if an entry is refused.
  const feeding = pipeline(Readable.from(counted()), extract).catch(() => {});
  try {
    for await (const entry of extract) {
      await reader.read(entry.header, entry as AsyncIterable<Buffer>);
      entry.resume();
    }
  } catch (error) {
    throw explain(error, reader, manifestName.startsWith(head ?? ''));
  } finally {
    extract.destroy();
    await feeding;
  }
  return reader.finish(bytes);
}

/** Errors of tar-stream, which has no codes. */
const explain = (error: unknown, reader: EntryReader, beginsAsBackup: boolean): unknown => {
  const { message } = error as Error;
  if (/^Unexpected end of data$/.test(message))
    return beginsAsBackup ? incomplete('it ends within an entry') : notABackup();
  if (/^(Invalid|Header exceeds|Unknown)/.test(message))
    return reader.hasManifest ? damaged('a part of it is not a valid tar') : notABackup();
  return error;
};

const notABackup = () =>
  new BackupError(
    'invalid_backup',
    'The file is not a backup of the portal. Choose a file that `portal backup` wrote.',
  );

const incomplete = (reason: string) =>
  new BackupError(
    'invalid_backup',
    `The backup is incomplete: ${reason}. The command that wrote it was interrupted, or the file was cut off. Copy it again, or use another backup.`,
  );

const damaged = (reason: string) =>
  new BackupError(
    'invalid_backup',
    `The backup is damaged: ${reason}. Copy it again, or use another backup.`,
  );

class EntryReader {
  readonly #visitor: BackupVisitor;
  readonly #entries: Entry[] = [];
  readonly #progress: Progress = { name: '', rows: 0, files: 0, bytes: 0 };
  #manifest: Manifest | undefined;
  /** Where the tar must end, once `end.json` was read. */
  #endsAt: number | undefined;
  #part = { table: -1, number: 0 };

  constructor(visitor: BackupVisitor) {
    this.#visitor = visitor;
  }

  get hasManifest(): boolean {
    return this.#manifest !== undefined;
  }

  async read(header: tar.Header, content: AsyncIterable<Buffer>): Promise<void> {
    const { name, size, type } = header;
    if (!this.#manifest) {
      if (name !== manifestName || type !== 'file') throw notABackup();
      await this.#readManifest(content);
      return;
    }
    if (this.#endsAt !== undefined) throw damaged(`${name} follows after ${endName}`);
    if (type !== 'file') throw damaged(`${name} is not a regular file`);
    if (name === endName) {
      this.#readEnd(await buffer(content));
      const { byteOffset } = header as { byteOffset?: number };
      this.#endsAt = byteOffset! + Math.ceil(size / 512) * 512 + tarEndBytes;
      return;
    }
    this.#entries.push(await this.#readContent(name, content));
    this.#visitor.onProgress?.(this.#progress);
  }

  finish(bytes: number): ReadBackup {
    if (!this.#manifest) throw bytes === 0 ? incomplete('it is empty') : notABackup();
    if (this.#endsAt === undefined) throw incomplete(`it has no ${endName}`);
    if (bytes < this.#endsAt) throw incomplete('the end of the tar is missing');
    if (bytes > this.#endsAt) throw damaged('something follows after its end');
    return { manifest: this.#manifest, entries: this.#entries };
  }

  async #readManifest(content: AsyncIterable<Buffer>): Promise<void> {
    const text = await buffer(content);
    const json = parseJson(manifestName, text);
    const found = (json as { format?: unknown } | null)?.format;
    if (typeof found === 'number' && found > format)
      throw new BackupError(
        'invalid_backup',
        `The backup has the format ${found}, and this portal reads up to ${format}. Install the release that wrote the backup, or a later one.`,
      );
    this.#manifest = parse(manifestSchema, manifestName, json);
    this.#note(describe(manifestName, text));
    await this.#visitor.manifest?.(this.#manifest);
  }

  #note(entry: Entry): void {
    if (entry.name === manifestName) this.#entries.push(entry);
    this.#progress.bytes += entry.bytes;
  }

  #readEnd(text: Buffer): void {
    const { entries } = parse(endSchema, endName, parseJson(endName, text));
    for (const [index, entry] of this.#entries.entries())
      if (!isDeepStrictEqual(entries[index], entry))
        throw damaged(`${entry.name} is not as it was written`);
    if (entries.length > this.#entries.length)
      throw damaged(`${entries[this.#entries.length]!.name} is missing`);
  }

  async #readContent(name: string, content: AsyncIterable<Buffer>): Promise<Entry> {
    const part = parsePart(name);
    const file = parseFile(name);
    let entry: Entry;
    if (part) {
      const packed = await buffer(content);
      const table = this.#findTable(name, part);
      const text = await promisify(gunzip)(packed, { maxOutputLength: maxPartBytes }).catch(() => {
        throw damaged(`${name} cannot be decompressed`);
      });
      const rows = countRows(text);
      entry = { ...describe(name, packed), rows };
      Object.assign(this.#progress, { name: table.name, rows: this.#progress.rows + rows });
      await this.#visitor.rows?.(table, text);
    } else if (file !== undefined) {
      entry = await this.#readFile(name, file, content);
      Object.assign(this.#progress, { name: file, files: this.#progress.files + 1 });
    } else throw damaged(`${JSON.stringify(name)} does not belong in it`);
    this.#note(entry);
    return entry;
  }

  /** The parts are in the order of the manifest, and numbered. */
  #findTable(name: string, part: { table: string; number: number }): Table {
    const { tables } = this.#manifest!;
    const index = tables.findIndex((table) => table.name === part.table);
    const isNext =
      index === this.#part.table
        ? part.number === this.#part.number + 1
        : index > this.#part.table && part.number === 1;
    if (!isNext) throw damaged(`${name} is in the wrong place`);
    this.#part = { table: index, number: part.number };
    return tables[index]!;
  }

  async #readFile(name: string, file: string, content: AsyncIterable<Buffer>): Promise<Entry> {
    const hash = createHash('sha256');
    let bytes = 0;
    async function* hashed() {
      for await (const chunk of content) {
        hash.update(chunk);
        bytes += chunk.byteLength;
        yield chunk;
      }
    }
    if (this.#visitor.file) await this.#visitor.file(file, hashed());
    else for await (const _ of hashed());
    return { name, bytes, sha256: hash.digest('hex') };
  }
}

const describe = (name: string, content: Buffer): Entry => ({
  name,
  bytes: content.byteLength,
  sha256: createHash('sha256').update(content).digest('hex'),
});

function parseJson(name: string, text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8'));
  } catch {
    throw damaged(`${name} is not valid JSON`);
  }
}

function parse<Schema extends z.ZodType>(
  schema: Schema,
  name: string,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw damaged(`${name} does not have its fields`);
  return parsed.data;
}
