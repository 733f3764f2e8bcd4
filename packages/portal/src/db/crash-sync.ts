import { constants } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';

/** Files that are synced at once: their waits for the disk overlap. */
const filesAtOnce = 64;

/** Where `pg_control` keeps the state of the database, and the state of one that was shut down. */
const stateOffset = 16;
const shutDown = 1;

/** Files that are on disk: by device and inode, the time of the last change that is. */
export type SyncedFiles = Map<string, bigint>;

export const fileKey = ({ dev, ino }: { dev: bigint; ino: bigint }): string => `${dev}:${ino}`;

/**
 * Brings the files of a database that was not shut down to the disk, and returns which. PostgreSQL
 * does the same before it recovers, but one file at a time, and each of them twice.
 */
export async function syncAfterCrash(folder: string): Promise<SyncedFiles> {
  const synced: SyncedFiles = new Map();
  if (!(await wasCutOff(folder))) return synced;
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() || entry.isDirectory());
  async function syncNext(): Promise<void> {
    for (let file = files.pop(); file; file = files.pop())
      await syncFile(path.join(file.parentPath, file.name), synced);
  }
  await Promise.all(Array.from({ length: filesAtOnce }, syncNext));
  return synced;
}

async function syncFile(name: string, synced: SyncedFiles): Promise<void> {
  const file = await fs.open(name, constants.O_RDONLY);
  try {
    // Before the sync: a later change must not count as synced.
    const stat = await file.stat({ bigint: true });
    await file.sync();
    synced.set(fileKey(stat), stat.ctimeNs);
  } finally {
    await file.close();
  }
}

async function wasCutOff(folder: string): Promise<boolean> {
  const control = path.join(folder, 'global', 'pg_control');
  const bytes = await fs.readFile(control).catch(() => undefined);
  return bytes !== undefined && bytes.readUInt32LE(stateOffset) !== shutDown;
}
