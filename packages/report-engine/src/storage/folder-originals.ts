import fs from 'node:fs/promises';
import path from 'node:path';

import { isMissing } from '#server-kit';

import { DataFileError } from './data-file-error.ts';
import { compilePattern, requireFew } from './file-pattern.ts';
import type { Originals } from './files.ts';
import { describeLocal } from './local-file.ts';

/** The files of a folder, such as the `data/` folder of a content folder. Names cannot leave it. */
export const folderOriginals = (folder: string): Originals => ({
  find: async (name) => {
    const real = await resolveInside(folder, name);
    return real === undefined ? undefined : describeLocal(real);
  },
  list: async (pattern) => {
    const found: string[] = [];
    for (const name of await listMatches(folder, pattern))
      if ((await resolveInside(folder, name)) !== undefined) found.push(name);
    return found;
  },
});

/** Returns the real path of a regular file. Refuses links to files outside the folder. */
async function resolveInside(folder: string, name: string): Promise<string | undefined> {
  let real: string;
  let realFolder: string;
  try {
    realFolder = await fs.realpath(folder);
    real = await fs.realpath(path.join(folder, name));
    await fs.access(real, fs.constants.R_OK);
  } catch (error) {
    if (isMissing(error)) return undefined;
    const { code } = error as NodeJS.ErrnoException;
    throw new DataFileError(`${name} cannot be read (${code}); check its permissions`);
  }
  if (!real.startsWith(`${realFolder}${path.sep}`))
    throw new DataFileError(
      `${name} is a link to a file outside the data folder; copy the file into it`,
    );
  if (!(await fs.stat(real)).isFile())
    throw new DataFileError(`${name} is not a regular file; write the name of one`);
  return real;
}

/** Lists the names in a folder; empty if the folder does not exist. */
async function listEntries(folder: string, name: string): Promise<string[]> {
  try {
    return await fs.readdir(path.join(folder, name));
  } catch (error) {
    if (isMissing(error)) return [];
    const { code } = error as NodeJS.ErrnoException;
    throw new DataFileError(
      `${name === '' ? 'the data folder' : name} cannot be read (${code}); check its permissions`,
    );
  }
}

/** Lists the files that match a pattern. `*` and `?` do not match `/`. */
async function listMatches(folder: string, pattern: string): Promise<string[]> {
  let names = [''];
  for (const part of pattern.split('/')) {
    const expression = compilePattern(part);
    const next: string[] = [];
    for (const name of names) {
      const entries = await listEntries(folder, name);
      for (const entry of entries)
        if (!entry.startsWith('.') && expression.test(entry))
          next.push(name === '' ? entry : `${name}/${entry}`);
    }
    names = next;
  }
  return requireFew(names.toSorted(), pattern);
}
