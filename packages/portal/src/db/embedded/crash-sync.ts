import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Offset of the database state in `pg_control`, and its value after a clean shutdown. */
const stateOffset = 16;
const shutDown = Buffer.from([1, 0, 0, 0]);

/** Synced files: device and inode → time of the last change that was synced. */
export type SyncedFiles = Map<string, bigint>;

export const formatFileKey = ({ dev, ino }: { dev: bigint; ino: bigint }): string =>
  `${dev}:${ino}`;

/**
 * Syncs the files of a database that was not shut down cleanly, and returns them. PostgreSQL does
 * the same before recovery, but one file at a time and each file twice.
 */
export async function syncAfterCrash(folder: string): Promise<SyncedFiles> {
  if (!(await hasCrashed(folder))) return new Map();
  const names = await listNames(folder);
  // Read before the sync: a later change must not count as synced.
  const stats = await Promise.all(names.map((name) => fs.stat(name, { bigint: true })));
  if (!(await syncFileSystem(folder))) await Promise.all(names.map(syncFile));
  return new Map(stats.map((stat) => [formatFileKey(stat), stat.ctimeNs]));
}

/** Flushes a folder with everything in it to the disk. */
export async function syncFolder(folder: string): Promise<void> {
  if (await syncFileSystem(folder)) return;
  await Promise.all([...(await listNames(folder)), folder].map(syncFile));
}

async function listNames(folder: string): Promise<string[]> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/**
 * Syncs the whole file system at once, as PostgreSQL's `recovery_init_sync_method = syncfs` does.
 *
 * @returns false where the system's `sync` cannot do that
 */
async function syncFileSystem(folder: string): Promise<boolean> {
  try {
    await run('sync', ['--file-system', folder]);
    return true;
  } catch {
    return false;
  }
}

async function syncFile(name: string): Promise<void> {
  const file = await fs.open(name, constants.O_RDONLY);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function hasCrashed(folder: string): Promise<boolean> {
  const control = path.join(folder, 'global', 'pg_control');
  const bytes = await fs.readFile(control).catch(() => undefined);
  return bytes !== undefined && !bytes.subarray(stateOffset, stateOffset + 4).equals(shutDown);
}
