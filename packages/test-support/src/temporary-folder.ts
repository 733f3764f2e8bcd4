import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const memory = '/dev/shm';

/**
 * Creates a folder for the files of a database, in memory if there is room. On a disk, creating and
 * recovering a database takes seconds. A killed process leaves the same files in memory as on a disk.
 */
export const createTemporaryFolder = (prefix: string): string =>
  fs.mkdtempSync(path.join(hasMemoryRoom() ? memory : os.tmpdir(), prefix));

function hasMemoryRoom(): boolean {
  if (!fs.existsSync(memory)) return false;
  const { bavail, bsize } = fs.statfsSync(memory);
  return bavail * bsize > 2_000_000_000;
}
