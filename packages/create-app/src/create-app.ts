import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { frameworks } from './frameworks.ts';
import { createManifest } from './manifest.ts';
import type { Manifest } from './manifest.ts';
import { UsageError } from './usage-error.ts';

export interface CreateOptions {
  /** The folder of the application, which is created if it is missing. */
  folder: string;
  /** A key of `frameworks`. */
  framework: string;
  /** The folder with tarballs of Portal Embed's packages, which are copied. Default: the registry. */
  packs?: string | undefined;
}

const templates = fileURLToPath(new URL('../templates/', import.meta.url));

/** npm leaves files of these names out of a package. */
const renamed: Record<string, string> = { gitignore: '.gitignore', 'env.example': '.env.example' };

/**
 * Writes an application. Throws a `UsageError` if the folder is not empty, and writes nothing then.
 */
export function createApp({ folder, framework, packs }: CreateOptions): void {
  const chosen = frameworks[framework];
  if (!chosen)
    throw new UsageError(
      `Unknown framework ${framework}. Frameworks: ${Object.keys(frameworks).join(', ')}.`,
    );
  const target = path.resolve(folder);
  const present = readFolder(target);
  if (present.length > 0)
    throw new UsageError(
      `${target} is not empty: it has ${present[0]}. Choose an empty or a new folder.`,
    );
  const name = path
    .basename(target)
    .toLowerCase()
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[._]+/, '');
  const manifest = createManifest(name || 'my-host', chosen, packs);
  fs.mkdirSync(target, { recursive: true });
  for (const template of chosen.templates)
    fs.cpSync(path.join(templates, template), target, { recursive: true });
  for (const [from, to] of Object.entries(renamed))
    fs.renameSync(path.join(target, from), path.join(target, to));
  if (packs !== undefined) copyTarballs(manifest, packs, target);
  fs.writeFileSync(path.join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Copies the tarballs that an application installs, so that it can be moved to another machine. */
function copyTarballs(manifest: Manifest, packs: string, target: string): void {
  for (const source of Object.values({ ...manifest.dependencies, ...manifest.devDependencies })) {
    if (!source.startsWith('file:')) continue;
    const file = source.replace('file:', '');
    fs.cpSync(path.join(packs, path.basename(file)), path.join(target, file));
  }
}

/** The names in a folder. A fresh clone of an empty repository counts as empty. */
function readFolder(folder: string): string[] {
  try {
    return fs.readdirSync(folder).filter((each) => each !== '.git');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    if (code === 'ENOTDIR') throw new UsageError(`${folder} is a file. Choose another folder.`);
    throw error;
  }
}
