import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** Files and folders that a fresh clone does not have. */
const left = new Set(['.git', 'dist', 'packs', '.portal', '.next', '.vite', '.vite-temp']);

/** Copies the sources and the installed packages into a new folder, without anything built. */
export function copyRepository(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-clone-'));
  const modules = path.join(repository, 'node_modules');
  fs.cpSync(repository, folder, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) =>
      file !== modules && !left.has(path.basename(file)) && !file.endsWith('.tsbuildinfo'),
  });
  fs.symlinkSync(modules, path.join(folder, 'node_modules'));
  return folder;
}
