import type { Dirent } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';

import {
  DataFileError,
  FileTooLargeError,
  folderFiles,
  stageCopies,
  versions,
  type OrganizationFiles,
} from '#report-engine';

import type { Database } from '../db/connection/open.ts';
import { PortalError } from '../errors.ts';
import type { FileCache } from './cache.ts';
import { readContent } from './chunks.ts';
import { databaseStorage, isStored } from './database.ts';
import type { PortalOrganizationFiles } from './files.ts';
import { hashFile } from './folder.ts';
import * as store from './store.ts';

export interface CopyOptions {
  db: Database;
  /** The dataset folder. */
  root: string;
  cache: FileCache;
  /** Organizations, and the versions that their datasets name. */
  organizations: readonly { id: string; named: ReadonlySet<string> }[];
  /** Whether the portal already uses the target. If so, its author files are kept; otherwise, the newer file is kept. */
  isInUse: boolean;
  onProgress: (progress: CopyProgress) => void;
  signal?: AbortSignal | undefined;
}

export interface CopyProgress {
  copied: number;
  /** Files that were there already. */
  present: number;
  /** Files that were not copied, each with the reason. */
  problems: { organizationId: string; file: string; message: string }[];
}

/** Runs for one file; returns whether it had to be copied. */
type CopyOne = () => Promise<boolean>;

/**
 * Copies the bytes of all files that datasets name, and those of authors, to the other storage. Removes
 * nothing. What was copied before is skipped, so an interrupted copy continues.
 */
export async function copyFiles(
  to: 'folder' | 'database',
  options: CopyOptions,
): Promise<CopyProgress> {
  const progress: CopyProgress = { copied: 0, present: 0, problems: [] };
  const files = databaseStorage(options.db, options.cache, options.root);
  for (const { id, named } of options.organizations) {
    const organization = {
      id,
      database: files.of(id),
      folder: folderFiles(options.root).of(id),
      path: path.join(options.root, id),
    };
    const work =
      to === 'database'
        ? listForDatabase(organization, named, options)
        : listForFolder(organization, named, options);
    for await (const [file, copyOne] of work) {
      options.signal?.throwIfAborted();
      try {
        if (await copyOne()) progress.copied += 1;
        else progress.present += 1;
      } catch (error) {
        // Without the database, no other file can be copied.
        const message = describeProblem(error);
        if (message === undefined) throw error;
        progress.problems.push({ organizationId: id, file, message });
      }
      options.onProgress(progress);
    }
  }
  return progress;
}

interface Organization {
  id: string;
  database: PortalOrganizationFiles;
  folder: OrganizationFiles;
  path: string;
}

class NotCopiedError extends Error {}

/** Describes a problem of one file. Returns `undefined` for an error that would fail every file. */
function describeProblem(error: unknown): string | undefined {
  if (error instanceof DataFileError)
    return error.found.problems.map(({ message }) => message).join('; ');
  const ofFile = [NotCopiedError, FileTooLargeError, PortalError];
  return ofFile.some((kind) => error instanceof kind) ? (error as Error).message : undefined;
}

async function* listForDatabase(
  { id, database, folder, path: root }: Organization,
  named: ReadonlySet<string>,
  { db, isInUse }: CopyOptions,
): AsyncGenerator<[string, CopyOne]> {
  for (const file of named)
    yield [
      file,
      async () => {
        if (isStored(await store.findFile(db, id, file))) return false;
        if (!file.startsWith(`${versions}/`))
          throw new NotCopiedError('is not a stored version; apply its dataset again');
        const described = await folder.find(file);
        if (!described) throw new NotCopiedError('is not in the folder of this instance');
        const temporary = await database.createTemporary();
        try {
          await fs.copyFile(path.join(root, file), temporary);
          await database.put(file, temporary, described);
        } finally {
          await fs.rm(temporary, { force: true });
        }
        return true;
      },
    ];
  for await (const name of listOriginals(root))
    yield [
      name,
      async () => {
        const before = await store.findAuthorFile(db, id, name);
        if (before && (isInUse || isBefore(await changedAt(path.join(root, name)), before.namedAt)))
          return false;
        // Refuses links that leave the folder.
        const local = await folder.originals.find(name);
        if (!local) return false;
        const copies = await database.stageCopies(new Map([[name, local.path]]));
        await copies.install(db);
        return before?.file !== (await store.findAuthorFile(db, id, name))?.file;
      },
    ];
}

async function* listForFolder(
  { id, database, folder, path: root }: Organization,
  named: ReadonlySet<string>,
  { db, isInUse, root: all }: CopyOptions,
): AsyncGenerator<[string, CopyOne]> {
  for (const file of named)
    yield [
      file,
      async () => {
        if (await folder.find(file)) return false;
        const row = await store.findFile(db, id, file);
        if (!isStored(row) || !row.described) throw new NotCopiedError('is not in the database');
        const temporary = await folder.createTemporary();
        try {
          await readContent(db, row, temporary).catch((error: Error) => {
            throw new NotCopiedError(error.message, { cause: error });
          });
          await folder.put(file, temporary, row.described);
        } finally {
          await fs.rm(temporary, { force: true });
        }
        return true;
      },
    ];
  for (const name of await store.listAuthorFiles(db, id))
    yield [
      name,
      async () => {
        const stored = await store.findAuthorFile(db, id, name);
        const before = await changedAt(path.join(root, name));
        if (isInUse ? before > never : stored && isBefore(stored.namedAt, before)) return false;
        const file = await database.originals.find(name);
        if (!file) throw new NotCopiedError('is not in the database');
        try {
          if (before > never && (await isSame(file.path, path.join(root, name)))) return false;
          const place = { root: all, organizationId: id };
          const copies = await stageCopies(place, new Map([[name, file.path]]));
          try {
            await copies.install();
          } finally {
            await copies.discard();
          }
        } finally {
          file.release();
        }
        return true;
      },
    ];
}

const isSame = async (one: string, other: string): Promise<boolean> => {
  const [first, second] = await Promise.all([hashFile(one), hashFile(other)]);
  return first.sha256 === second.sha256;
};

/** Whether a time is before another one, even if the clocks differ by a second. */
const isBefore = (one: Date, other: Date) => one.getTime() + 1_000 < other.getTime();

const never = new Date(0);

/** When a file was put into its folder; long ago if it is not there. */
const changedAt = (file: string): Promise<Date> =>
  fs.stat(file).then(
    ({ ctime }) => ctime,
    () => never,
  );

/** A link to a folder is not followed, since it may be a circle. */
const isLinkToFile = async (entry: Dirent): Promise<boolean> =>
  entry.isSymbolicLink() &&
  (await fs.stat(path.join(entry.parentPath, entry.name)).then(
    (target) => target.isFile(),
    () => false,
  ));

/** Lists the names of authors' files in a folder. Names that begin with a dot belong to the portal. */
async function* listOriginals(root: string, below = ''): AsyncGenerator<string> {
  const entries = await fs.readdir(path.join(root, below), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* listOriginals(root, name);
    else if (entry.isFile() || (await isLinkToFile(entry))) yield name;
  }
}
