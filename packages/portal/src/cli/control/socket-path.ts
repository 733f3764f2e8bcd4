import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Node truncates longer socket paths without an error. */
const maxPathBytes = 100;

/**
 * Returns the path of the socket on which the server of a data directory accepts commands. Creates
 * its folder if needed. Only the owner can access the folder, so other users cannot connect.
 *
 * @throws if another user owns or can access the folder
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
      `Other users can access the folder ${folder}, or own it. Run \`chmod 700\` on it, or remove it.`,
    );
  return path.join(folder, 'socket');
}

function temporaryFolder(folder: string): string {
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  return path.join(os.tmpdir(), `portal-${process.getuid?.() ?? 0}-${digest}`);
}
