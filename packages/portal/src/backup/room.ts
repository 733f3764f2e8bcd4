import fs from 'node:fs/promises';
import path from 'node:path';

import { BackupError } from './backup-error.ts';

/** Disk space and memory, in bytes. */
export interface Room {
  diskBytes: number;
  memoryBytes: number;
}

/** Memory of a process that opens an embedded database. */
const embeddedMemoryBytes = 500 * 2 ** 20;

/** The log that is written while a database is copied. */
const logBytes = 64 * 2 ** 20;

/** What it takes to back up a running embedded database: a copy, and the memory to open it. */
export async function measureNeed(dataDir: string): Promise<Room> {
  const folder = path.join(dataDir, 'database');
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true });
  let diskBytes = logBytes;
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || path.relative(folder, file).startsWith('pg_wal')) continue;
    diskBytes += (await fs.stat(file).catch(() => ({ size: 0 }))).size;
  }
  return { diskBytes, memoryBytes: embeddedMemoryBytes };
}

export async function measureFree(folder: string): Promise<Room> {
  const { bavail, bsize } = await fs.statfs(folder);
  return { diskBytes: bavail * bsize, memoryBytes: process.availableMemory() };
}

export const describeNeed = (need: Room, folder: string): string =>
  `This needs ${formatMegabytes(need.diskBytes)} of free disk in ${folder} for a copy of the database, and ${formatMegabytes(need.memoryBytes)} of memory.`;

/** @throws `BackupError` if there is less than is needed */
export function requireRoom(need: Room, free: Room, folder: string): void {
  if (free.diskBytes < need.diskBytes)
    throw new BackupError(
      'not_possible',
      `${describeNeed(need, folder)} Only ${formatMegabytes(free.diskBytes)} of disk is free. Free some, or stop the portal: without it, no copy is needed.`,
    );
  if (free.memoryBytes < need.memoryBytes)
    throw new BackupError(
      'not_possible',
      `${describeNeed(need, folder)} Only ${formatMegabytes(free.memoryBytes)} of memory is free. Stop other programs, or give this machine or container more.`,
    );
}

export const formatMegabytes = (bytes: number): string =>
  `${Math.ceil(bytes / 2 ** 20).toLocaleString('en')} MB`;
