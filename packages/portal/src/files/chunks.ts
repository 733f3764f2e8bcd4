import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';

import type { Database } from '../db/connection/open.ts';
import * as store from './store.ts';

const chunkBytes = 2 ** 20;

/** Bytes in the database that no file names yet. */
export interface WrittenContent {
  contentId: string;
  sha256: string;
  size: number;
}

/** Writes the bytes of a file to the database, one chunk after the other. */
export async function writeContent(
  db: Database,
  source: string,
  signal?: AbortSignal,
): Promise<WrittenContent> {
  const contentId = randomUUID();
  await store.createContent(db, contentId);
  const hash = createHash('sha256');
  const file = await fs.open(source, 'r');
  let size = 0;
  try {
    for (let part = 0; ; part += 1) {
      signal?.throwIfAborted();
      const { buffer, bytesRead } = await file.read(Buffer.alloc(chunkBytes), 0, chunkBytes, size);
      if (bytesRead === 0) break;
      const bytes = buffer.subarray(0, bytesRead);
      hash.update(bytes);
      size += bytesRead;
      await store.writeChunk(db, { contentId, part, bytes });
    }
  } catch (error) {
    // After a crash, the sweeper finds the content an hour later.
    await store.removeContent(db, contentId).catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
  return { contentId, sha256: hash.digest('hex'), size };
}

/** The bytes in the database are not those that were written. */
export class DamagedContentError extends Error {
  override name = 'DamagedContentError';
}

/**
 * Reads the bytes of a file from the database.
 *
 * @throws `DamagedContentError`
 */
export async function readContent(
  db: Database,
  { contentId, sha256, size }: WrittenContent,
  target: string,
): Promise<void> {
  const hash = createHash('sha256');
  const file = await fs.open(target, 'w', 0o600);
  let read = 0;
  try {
    for (let part = 0; read < size; part += 1) {
      const bytes = await store.readChunk(db, contentId, part);
      if (!bytes?.length) throw new DamagedContentError(`Its chunk ${part} is missing.`);
      hash.update(bytes);
      await file.writeFile(bytes);
      read += bytes.length;
    }
  } finally {
    await file.close();
  }
  if (read !== size || hash.digest('hex') !== sha256)
    throw new DamagedContentError('Its bytes are damaged: they have another SHA-256.');
}
