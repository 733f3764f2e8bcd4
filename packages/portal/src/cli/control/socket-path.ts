import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Node cuts longer socket paths off without an error. */
const maxPathBytes = 100;

/**
 * Path of the socket at which the server of a data directory takes commands. Its folder is open to
 * the directory's owner alone, so nobody else can connect, and is created if it does not exist.
 *
 * @throws when another user controls the folder
 */
export function controlSocketPath(dataDir: string): string {
  const near = path.join(path.resolve(dataDir), 'control');
  const folder =
    Buffer.byteLength(path.join(near, 'socket')) <= maxPathBytes ? near : temporaryFolder(near);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = fs.lstatSync(folder);
  const isOurs =
    uid === process.getuid?.() && (mode & fs.constants.S_IFMT) === fs.constants.S_IFDIR;
  if (!isOurs || (mode & 0o077) !== 0)
    throw new Error(
      `The folder ${folder} must belong to the user that runs the portal and be closed to others. Run \`chmod 700\` on it, or remove it.`,
    );
  return path.join(folder, 'socket');
}

function temporaryFolder(folder: string): string {
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  return path.join(os.tmpdir(), `portal-${process.getuid?.() ?? 0}-${digest}`);
}
