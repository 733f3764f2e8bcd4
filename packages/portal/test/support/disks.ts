import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { createTemporaryFolder } from 'test-support';

const mount = (folder: string, size: string) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=777`, 'tmpfs', folder]).status === 0;

function unmount(folder: string): void {
  spawnSync('umount', ['-l', folder]);
  fs.rmSync(folder, { recursive: true });
}

/** Some containers do not let root mount. */
export function findCanMount(): boolean {
  const folder = createTemporaryFolder('portal-disk-');
  const canMount = mount(folder, '1m');
  unmount(folder);
  return canMount;
}

/** Mounts a disk of its own, and returns its folder with a function that removes it. */
export function mountDisk(size: string): { folder: string; remove: () => void } {
  const folder = createTemporaryFolder('portal-disk-');
  if (!mount(folder, size)) throw new Error('The disk could not be mounted.');
  return { folder, remove: () => unmount(folder) };
}

/** Fills a disk, and returns a function that frees it. */
export function fillDisk(folder: string): () => void {
  const file = path.join(folder, 'filler');
  const handle = fs.openSync(file, 'w');
  try {
    for (;;) fs.writeSync(handle, Buffer.alloc(65_536));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
  fs.closeSync(handle);
  return () => fs.rmSync(file);
}
