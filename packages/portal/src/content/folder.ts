import fs from 'node:fs/promises';
import path from 'node:path';

import { describeUnknown } from '@portal-embed/report-model';

import { isNotPermitted } from '#server-kit';

import { PortalError } from '../errors.ts';
import type { Mistake } from './mistakes.ts';
import { maxFileBytes } from './yaml.ts';

/** Maximum number of content files in one folder. */
const maxFiles = 5_000;

const itemFolders = ['datasets', 'reports'];
const knownFolders = [...itemFolders, 'data'];

/** The YAML files of a content folder, by path. */
export interface ContentFolder {
  files: Record<string, string>;
  /** Files in wrong places. */
  mistakes: Mistake[];
}

/** Folder of the data files in a content folder. */
export const dataFolderOf = (folder: string): string => path.join(folder, 'data');

/**
 * Reads `datasets/*.yaml` and `reports/*.yaml` of a folder.
 *
 * @throws `invalid_request` if the folder does not exist or has too many files
 */
export async function readFolder(folder: string): Promise<ContentFolder> {
  const files: Record<string, string> = {};
  const mistakes: Mistake[] = [];
  const report = (file: string, message: string) =>
    mistakes.push({ file, line: 1, column: 1, message });
  for (const entry of await listEntries(folder)) {
    if (entry.isSymbolicLink() && knownFolders.includes(entry.name)) {
      report(entry.name, `this is a link; put the files themselves into ${entry.name}/`);
      continue;
    }
    const unknown = describeUnknown('folder', entry.name, knownFolders);
    const isMisspelled = !knownFolders.includes(entry.name) && unknown.endsWith('?');
    if (entry.isDirectory() && isMisspelled) report(entry.name, unknown);
    if (!itemFolders.includes(entry.name)) continue;
    for (const item of await listEntries(path.join(folder, entry.name))) {
      const name = `${entry.name}/${item.name}`;
      if (item.name.startsWith('.')) continue;
      if (!item.isFile())
        report(
          name,
          `this is not a regular file; put the .yaml files directly into ${entry.name}/`,
        );
      else if (!item.name.endsWith('.yaml'))
        report(name, 'this is not a .yaml file; rename it, or move it out of this folder');
      else files[name] = await readText(path.join(folder, name));
    }
  }
  const count = Object.keys(files).length;
  if (count > maxFiles)
    throw new PortalError(
      'invalid_request',
      `The folder has more than ${maxFiles} content files. Split it, and apply each part without --prune.`,
    );
  if (count === 0 && mistakes.length === 0)
    throw new PortalError(
      'invalid_request',
      `The folder ${folder} has no content. Add datasets/NAME.yaml and reports/NAME.yaml, or run \`portal content init FILE.csv\`.`,
    );
  return { files, mistakes };
}

async function listEntries(folder: string) {
  try {
    const entries = await fs.readdir(folder, { withFileTypes: true });
    return entries.toSorted((a, b) => Number(a.name > b.name) - Number(a.name < b.name));
  } catch (error) {
    throw new PortalError(
      'invalid_request',
      `The folder ${folder} cannot be read (${(error as Error).message}). Check its ${isNotPermitted(error) ? 'permissions' : 'name'}.`,
    );
  }
}

/** Reads slightly more than the size limit, so that the parser refuses larger files. */
async function readText(file: string): Promise<string> {
  const handle = await fs.open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxFileBytes + 4), 0);
    return buffer.subarray(0, bytesRead).toString('utf8');
  } finally {
    await handle.close();
  }
}
