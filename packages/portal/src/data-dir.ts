import fs from 'node:fs';
import path from 'node:path';

import { isMissing } from '#server-kit';

import { ConfigurationError } from './errors.ts';

/**
 * Creates the data directory if it is missing, and checks that this user can write to it.
 *
 * @throws `ConfigurationError` if it is no folder, cannot be created or is not writable
 */
export function prepareDataDir(dataDir: string): void {
  requireFolder(dataDir);
  try {
    createFolder(dataDir);
  } catch (error) {
    throw new ConfigurationError(
      `The folder ${dataDir} cannot be created (${(error as Error).message}). Create it for the user of the portal, or set PORTAL_DATA_DIR to another folder.`,
    );
  }
  try {
    fs.accessSync(dataDir, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
  } catch (error) {
    throw new ConfigurationError(
      `The portal cannot write to ${dataDir} (${(error as NodeJS.ErrnoException).code}). Give the folder to the user of the portal, or set PORTAL_DATA_DIR to another one. It must be on a file system that can be written.`,
    );
  }
}

/** @throws `ConfigurationError` if a file is in the place of the data directory */
export function requireFolder(dataDir: string): void {
  const file = findFile(dataDir);
  if (file === undefined) return;
  throw new ConfigurationError(
    `${file} is a file, but PORTAL_DATA_DIR (${dataDir}) must be a folder. Set it to a folder; the portal creates it if it is missing.`,
  );
}

/** Returns the nearest existing part of the path if it is not a folder. */
function findFile(folder: string): string | undefined {
  try {
    return fs.statSync(folder).isDirectory() ? undefined : folder;
  } catch (error) {
    const parent = path.dirname(folder);
    return isMissing(error) && parent !== folder ? findFile(parent) : undefined;
  }
}

/** Unlike `mkdir` of Node with `recursive`, it ends in every file system, such as /proc. */
function createFolder(folder: string): void {
  if (fs.existsSync(folder)) return;
  const parent = path.dirname(folder);
  if (parent !== folder) createFolder(parent);
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another instance was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
