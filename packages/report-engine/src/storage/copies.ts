import fs from 'node:fs/promises';
import path from 'node:path';

import { folderFiles } from './folder-files.ts';
import { copyFile, sync } from './local-file.ts';

/** Where an organization's files are. */
export interface DataFolder {
  /** The dataset folder. */
  root: string;
  organizationId: string;
}

/** Copies of the author's files, beside the files of the organization that they replace. */
export interface StagedCopies {
  /** Replaces the organization's files. It only renames, since a transaction waits for it. */
  install: () => Promise<void>;
  /** Removes copies that were not installed. */
  discard: () => Promise<void>;
}

/**
 * Copies the author's files to the organization, for later applies without a content folder.
 *
 * @param files the author's files by their names in the organization's folder
 */
export async function stageCopies(
  place: DataFolder,
  files: ReadonlyMap<string, string>,
): Promise<StagedCopies> {
  const temporaries = folderFiles(place.root).of(place.organizationId);
  const copies = new Map<string, string>();
  const discard = async () => {
    for (const copy of copies.values()) await fs.rm(copy, { force: true });
  };
  try {
    for (const [name, file] of files) {
      const copy = await temporaries.createTemporary();
      copies.set(path.join(place.root, place.organizationId, name), copy);
      await copyFile(file, copy);
      await sync(copy);
    }
  } catch (error) {
    await discard();
    throw error;
  }
  const install = async () => {
    for (const [target, copy] of copies) {
      await fs.mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
      await fs.rename(copy, target);
    }
  };
  return { install, discard };
}
