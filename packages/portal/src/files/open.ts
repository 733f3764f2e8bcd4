import path from 'node:path';

import type { Logger } from 'pino';

import type { Database } from '../db/connection/open.ts';
import { FileCache } from './cache.ts';
import { databaseStorage } from './database.ts';
import type { PortalFiles } from './files.ts';
import { folderStorage } from './folder.ts';
import { readInitialStorage } from './store.ts';

/** How long a request waits for a file that is being fetched. */
const fetchWaitMs = 10_000;

export interface FileSettings {
  dataDir: string;
  databaseUrl?: string | undefined;
  /** Default: what the database began with. */
  files?: 'folder' | 'database' | undefined;
  /** MiB on the disk of an instance. */
  filesCacheMb: number;
}

/** Returns the folder of all dataset files. */
export const datasetFolderOf = ({ dataDir }: Pick<FileSettings, 'dataDir'>): string =>
  path.join(dataDir, 'datasets');

/** Where data files are stored. The embedded database keeps none, since a chunk would block it. */
export const chooseStorage = async (
  db: Database,
  { files, databaseUrl }: Pick<FileSettings, 'files' | 'databaseUrl'>,
): Promise<'folder' | 'database'> =>
  files ?? (databaseUrl === undefined ? 'folder' : readInitialStorage(db));

/** Opens the cache of an instance for files of the database. */
export const openCache = (
  { dataDir, filesCacheMb }: Pick<FileSettings, 'dataDir' | 'filesCacheMb'>,
  logger?: Logger,
): FileCache =>
  new FileCache({
    folder: path.join(dataDir, 'files'),
    maxBytes: filesCacheMb * 2 ** 20,
    waitMs: fetchWaitMs,
    onFailed: (err, sha256) => logger?.error({ err, sha256 }, 'data file not fetched'),
    onReturned: (sha256) => logger?.info({ sha256 }, 'data file fetched again'),
  });

/** Opens the data files of all organizations. */
export async function openFiles(
  db: Database,
  settings: FileSettings,
  logger?: Logger,
): Promise<PortalFiles> {
  const root = datasetFolderOf(settings);
  if (settings.databaseUrl === undefined) return folderStorage(db, root);
  const inDatabase = databaseStorage(db, openCache(settings, logger), root);
  return (await chooseStorage(db, settings)) === 'database'
    ? inDatabase
    : folderStorage(db, root, inDatabase);
}
