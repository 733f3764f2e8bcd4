import fs from 'node:fs/promises';

import type { LocalFile, OrganizationFiles } from './files.ts';

/** Describes a file whose bytes can change under its name: its version is that of the file system. */
export async function describeLocal(real: string): Promise<LocalFile> {
  const { ino, mtimeMs, size } = await fs.stat(real);
  return { path: real, version: `${real} ${ino} ${mtimeMs} ${size}`, release: () => {} };
}

/** Runs `work` with files on the disk of this instance. */
export async function withLocalFiles<Result>(
  files: OrganizationFiles,
  names: readonly string[],
  work: (local: readonly LocalFile[]) => Promise<Result>,
): Promise<Result> {
  const settled = await Promise.allSettled(names.map((name) => files.ensure(name)));
  const local = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  try {
    const failed = settled.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
    return await work(local);
  } finally {
    for (const file of local) file.release();
  }
}

/** Flushes a file, or the entries of a folder, to the disk. */
export async function sync(name: string): Promise<void> {
  const handle = await fs.open(name, 'r');
  await handle.sync();
  await handle.close();
}

/** Copies at once where the file system shares blocks. */
export const copyFile = (from: string, to: string): Promise<void> =>
  fs.copyFile(from, to, fs.constants.COPYFILE_FICLONE);
