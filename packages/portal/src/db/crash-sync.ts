import { constants } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';

/** How many files are synced concurrently. */
const filesAtOnce = 64;

/** Offset of the database state in `pg_control`, and its value after a clean shutdown. */
const stateOffset = 16;
const shutDown = 1;

/** Synced files: device and inode → time of the last change that was synced. */
export type SyncedFiles = Map<string, bigint>;

export const fileKey = ({ dev, ino }: { dev: bigint; ino: bigint }): string => `${dev}:${ino}`;

/**
 * Syncs the files of a database that was not shut down cleanly, and returns them. PostgreSQL does
 * the same before recovery, but one file at a time and each file twice.
 */
export async function syncAfterCrash(folder: string): Promise<SyncedFiles> {
  const synced: SyncedFiles = new Map();
  if (!(await hasCrashed(folder))) return synced;
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
    // Read before the sync: a later change must not count as synced.
    const stat = await file.stat({ bigint: true });
    await file.sync();
    synced.set(fileKey(stat), stat.ctimeNs);
  } finally {
    await file.close();
  }
}

async function hasCrashed(folder: string): Promise<boolean> {
  const control = path.join(folder, 'global', 'pg_control');
  const bytes = await fs.readFile(control).catch(() => undefined);
  return bytes !== undefined && bytes.readUInt32LE(stateOffset) !== shutDown;
}
