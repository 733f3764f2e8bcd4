import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import * as tar from 'tar-stream';

import { version } from '../version.ts';
import { findApplied } from './applied.ts';
import { BackupError } from './backup-error.ts';
import type { HeldFiles } from './files/data-files.ts';
import {
  endName,
  format,
  manifestName,
  nameOfFile,
  nameOfPart,
  partBytes,
  type Entry,
  type Manifest,
} from './format.ts';
import { splitRows } from './rows.ts';
import type { SnapshotSession } from './session.ts';
import { listTables } from './tables.ts';

/** What a backup contains so far. */
export interface Progress {
  /** The table or data file that is written or read. */
  name: string;
  rows: number;
  files: number;
  /** Bytes of all entries, as they are in the tar. */
  bytes: number;
}

/** The rows and data files of one moment. */
export interface BackupSource {
  moment: Date;
  rows: SnapshotSession;
  files: Pick<HeldFiles, 'files' | 'open'>;
}

interface Header {
  name: string;
  size: number;
}

/**
 * Writes a backup of the source as a tar, in chunks.
 *
 * @param onProgress called after each entry
 */
export async function* packBackup(
  source: BackupSource,
  onProgress: (progress: Progress) => void = () => {},
): AsyncGenerator<Buffer> {
  const pack = tar.pack();
  const writing = writeEntries(pack, source, onProgress).then(
    () => pack.finalize(),
    (error: unknown) => pack.destroy(error as Error),
  );
  try {
    for await (const chunk of pack) yield chunk as Buffer;
  } finally {
    pack.destroy();
    await writing;
  }
}

async function writeEntries(
  pack: tar.Pack,
  { moment, rows, files }: BackupSource,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  const progress: Progress = { name: '', rows: 0, files: 0, bytes: 0 };
  const entries: Entry[] = [];
  const add = async (header: Header, content: Iterable<Buffer> | AsyncIterable<Buffer>) => {
    const { sha256 } = await writeEntry(pack, { ...header, mtime: moment }, content);
    progress.bytes += header.size;
    return { name: header.name, bytes: header.size, sha256 };
  };
  const addBuffer = (name: string, content: Buffer) =>
    add({ name, size: content.byteLength }, [content]);

  const tables = await listTables(rows);
  const manifest: Manifest = {
    format,
    release: version,
    createdAt: moment.toISOString(),
    migrations: await findApplied(rows),
    tables,
  };
  entries.push(await addBuffer(manifestName, toJson(manifest)));
  for (const table of tables) {
    let number = 0;
    for await (const part of splitRows(rows.copyOut(table), partBytes)) {
      const content = await promisify(gzip)(part.text);
      const entry = await addBuffer(nameOfPart(table.name, ++number), content);
      entries.push({ ...entry, rows: part.count });
      Object.assign(progress, { name: table.name, rows: progress.rows + part.count });
      onProgress(progress);
    }
  }
  for (const file of files.files) {
    const header = { name: nameOfFile(file.name), size: file.bytes };
    entries.push(await add(header, requireSize(file, files.open(file))));
    Object.assign(progress, { name: file.name, files: progress.files + 1 });
    onProgress(progress);
  }
  await addBuffer(endName, toJson({ entries }));
}

const toJson = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 1)}\n`);

/** An author can overwrite a file while it is read. */
async function* requireSize(
  file: { name: string; bytes: number },
  content: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.byteLength;
    if (bytes > file.bytes) break;
    yield chunk;
  }
  if (bytes !== file.bytes)
    throw new BackupError(
      'not_possible',
      `The data file ${file.name} changed while it was read. Run the backup again.`,
    );
}

async function writeEntry(
  pack: tar.Pack,
  header: Header & { mtime: Date },
  content: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<{ sha256: string }> {
  const hash = createHash('sha256');
  let entry!: ReturnType<tar.Pack['entry']>;
  const written = new Promise<void>((resolve, reject) => {
    entry = pack.entry({ ...header, mode: 0o600 }, (error) => (error ? reject(error) : resolve()));
  });
  // Prevents an unhandled rejection if the pack is destroyed meanwhile. The pack reports the error.
  written.catch(() => {});
  entry.on('error', () => {});
  for await (const chunk of content) {
    hash.update(chunk);
    if (!entry.write(chunk)) await Promise.race([once(entry, 'drain'), written]);
  }
  entry.end(null);
  await written;
  return { sha256: hash.digest('hex') };
}
