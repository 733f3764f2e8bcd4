import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';

import { isDiskFull, isMissing } from '#server-kit';

import { BackupError } from './backup-error.ts';
import { requireKnown } from './load.ts';
import { readBackup, type BackupVisitor, type ReadBackup } from './read.ts';

/**
 * Writes a new file that only its owner can read, and removes it if that fails.
 *
 * @throws `BackupError` if it exists or cannot be created
 */
export async function writeFile(name: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await fs.open(name, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new BackupError('not_possible', explainCreation(name, error));
  });
  try {
    for await (const chunk of chunks) await file.appendFile(chunk);
    await file.sync();
    await file.close();
  } catch (error) {
    await file.close().catch(() => {});
    await fs.rm(name, { force: true });
    if (!isDiskFull(error)) throw error;
    throw new BackupError(
      'not_possible',
      `The disk is full, so ${name} was removed. Free some space, or write to another disk.`,
    );
  }
}

function explainCreation(name: string, error: NodeJS.ErrnoException): string {
  if (error.code === 'EEXIST') return `The file ${name} exists already. Choose another name.`;
  return isMissing(error)
    ? `The folder of ${name} does not exist. Create it first, or choose another place.`
    : `The file ${name} cannot be created (${error.code}). Choose another place.`;
}

/** @throws `BackupError` if the file does not exist, or is a folder */
export async function openFile(name: string): Promise<AsyncIterable<Buffer>> {
  const file = await fs.open(name).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    throw new BackupError('invalid_backup', `The file ${name} does not exist. Check its name.`);
  });
  if ((await file.stat()).isDirectory()) {
    await file.close();
    throw new BackupError(
      'invalid_backup',
      `${name} is a folder. Give the name of the file in it that \`portal backup\` wrote.`,
    );
  }
  return createReadStream('', { fd: file, highWaterMark: 2 ** 20 });
}

/**
 * Checks that a file can be read more than once. A pipe is empty the second time.
 *
 * @throws `BackupError`
 */
export async function requireRegular(name: string): Promise<void> {
  const stat = await fs.stat(name).catch(() => undefined);
  if (!stat || stat.isFile()) return;
  throw new BackupError(
    'invalid_backup',
    `${name} is not a regular file, and a restore reads the backup twice. Write the backup to a file first.`,
  );
}

/**
 * Reads a whole backup and checks that this release can restore it.
 *
 * @throws `BackupError`
 */
export async function checkBackup(
  name: string,
  onProgress?: BackupVisitor['onProgress'],
): Promise<ReadBackup> {
  return readBackup(await openFile(name), {
    manifest: requireKnown,
    ...(onProgress && { onProgress }),
  });
}
