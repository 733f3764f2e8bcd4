import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** Files and folders that a fresh clone does not have. */
const left = new Set(['.git', 'dist', 'packs', '.portal', '.next', '.vite', '.vite-temp']);

/**
 * Copies the sources into a new folder, without anything built, and with the installed packages unless
 * `isEmpty`.
 */
export function copyRepository({ isEmpty = false } = {}): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-clone-'));
  const modules = path.join(repository, 'node_modules');
  fs.cpSync(repository, folder, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) =>
      file !== modules &&
      !left.has(path.basename(file)) &&
      !(isEmpty && path.basename(file) === 'node_modules') &&
      !file.endsWith('.tsbuildinfo'),
  });
  if (!isEmpty) fs.symlinkSync(modules, path.join(folder, 'node_modules'));
  return folder;
}
