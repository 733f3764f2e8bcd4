import fs from 'node:fs/promises';
import path from 'node:path';

import { LRUCache } from 'lru-cache';

import { ReportError } from '#platform';
import {
  copyFile,
  FileTooLargeError,
  folderFiles,
  keepMs,
  matchesPattern,
  QueryTurns,
  requireFew,
  type Description,
  type LocalFile,
  type OrganizationFiles,
} from '#report-engine';

import { inTransaction, type Database } from '../db/connection/open.ts';
import { PortalError } from '../errors.ts';
import type { FileCache, InTurn } from './cache.ts';
import { DamagedContentError, readContent, writeContent } from './chunks.ts';
import type {
  FileNames,
  FileProblem,
  PortalFiles,
  PortalOrganizationFiles,
  SharedUploads,
  StagedCopies,
} from './files.ts';
import {
  findFolderProblems,
  findSameInFolder,
  hashFile,
  removeFromFolder,
  sumFolderSizes,
} from './folder.ts';
import * as store from './store.ts';

/** The bytes of authors' files, under their hash. */
const originals = '.originals';

/** Uploads, each in a folder of its own. */
const uploads = '.uploads';

/** A file whose bytes are in the database. */
interface StoredFile extends store.FileRow {
  contentId: string;
}

export const isStored = (row: store.FileRow | undefined): row is StoredFile =>
  row !== undefined && row.contentId !== null;

const maxKnown = 10_000;

/** Two fetches at a time, so that other requests get database connections. Callers give up long before `maxWaitMs`. */
const fetchTurns = { concurrency: 2, perUser: 1, maxWaitMs: 3_600_000 };

const neverAborted = new AbortController().signal;

/**
 * Files in the database, with a cache on this instance.
 *
 * @param root the dataset folder, in which release 0.2 keeps its files. It is read where the database
 *   has no file of that name
 */
export function databaseStorage(db: Database, cache: FileCache, root: string): PortalFiles {
  /** Where the bytes of a name are. A failed fetch drops its entry, because the file may have been stored again. */
  const known = new LRUCache<string, StoredFile>({ max: maxKnown });
  const turns = new QueryTurns(fetchTurns);
  return {
    of: (organizationId) => new DatabaseFiles({ db, cache, root, known, turns }, organizationId),
    countFailed: () => cache.failed,
    tidy: async () => {
      await cache.removeUnknown((hashes) => store.findHashes(db, hashes));
      await removeOldUploads(root);
    },
  };
}

interface Scope {
  db: Database;
  cache: FileCache;
  root: string;
  known: LRUCache<string, StoredFile>;
  turns: QueryTurns;
}

class DatabaseFiles implements PortalOrganizationFiles {
  readonly #scope: Scope;
  readonly #organizationId: string;
  /** What release 0.2 and operators put into the folder. */
  readonly #folder: OrganizationFiles;

  constructor(scope: Scope, organizationId: string) {
    this.#scope = scope;
    this.#organizationId = organizationId;
    this.#folder = folderFiles(scope.root).of(organizationId);
  }

  readonly originals = {
    find: async (name: string): Promise<LocalFile | undefined> => {
      const named = await store.findAuthorFile(this.#scope.db, this.#organizationId, name);
      return named ? this.ensure(named.file) : this.#folder.originals.find(name);
    },
    list: async (pattern: string): Promise<string[]> => {
      const stored = await store.listAuthorFiles(this.#scope.db, this.#organizationId);
      const names = new Set([
        ...stored.filter((name) => matchesPattern(name, pattern)),
        ...(await this.#folder.originals.list(pattern)),
      ]);
      return requireFew([...names].toSorted(), pattern);
    },
  };

  readonly uploads: SharedUploads = {
    keep: async (id, name, source) => {
      const { size } = await fs.stat(source);
      await this.#store(`${uploads}/${id}/${name}`, source, size, null).catch((error: unknown) => {
        if (!(error instanceof FileTooLargeError)) throw error;
        throw new PortalError('body_too_large', `The file is too large: ${error.message}.`);
      });
    },
    find: async (id, folder) => {
      const { db } = this.#scope;
      const file = await store.findInFolder(db, this.#organizationId, `${uploads}/${id}/`);
      if (file === undefined) return undefined;
      const name = path.basename(file);
      const target = path.join(folder, name);
      if (await isThere(target)) return name;
      const local = await this.ensure(file);
      try {
        await fs.mkdir(folder, { recursive: true, mode: 0o700 });
        await copyFile(local.path, target);
      } finally {
        local.release();
      }
      return name;
    },
    remove: (id) => store.deleteFolder(this.#scope.db, this.#organizationId, `${uploads}/${id}/`),
    list: async () => {
      const files = await store.listFolder(this.#scope.db, this.#organizationId, `${uploads}/`);
      return files.map((name) => name.split('/')[1]!);
    },
    listOriginals: () => store.listAuthorFiles(this.#scope.db, this.#organizationId),
  };

  createTemporary(): Promise<string> {
    return this.#scope.cache.createTemporary();
  }

  async find(name: string): Promise<Description | undefined> {
    const { db, cache } = this.#scope;
    const [row] = await store.useFiles(db, this.#organizationId, [name]);
    if (!isStored(row)) return undefined;
    if (cache.failureOf(row.sha256) instanceof DamagedContentError) {
      // The apply that asks has the data, and stores it again.
      await store.dropContent(db, this.#organizationId, name, row.contentId);
      return undefined;
    }
    return row.described ?? undefined;
  }

  async put(name: string, temporary: string, described: Description): Promise<Description> {
    const { size } = await fs.stat(temporary);
    const row = await this.#store(name, temporary, size, described);
    // The file of another instance may have other bytes.
    const { sha256 } = row.stored;
    if (sha256 === row.written) await this.#scope.cache.add(sha256, size, temporary);
    return row.stored.described ?? described;
  }

  async ensure(name: string): Promise<LocalFile> {
    const row = await this.#find(name);
    if (!row) return this.#folder.ensure(name);
    const { db, cache } = this.#scope;
    const fetch = (target: string) => readContent(db, row, target);
    return cache.take(row.sha256, row.size, fetch, this.#inTurn).catch((error: unknown) => {
      // It may have been removed, and stored again with other bytes.
      this.#scope.known.delete(this.#keyOf(name));
      throw error;
    });
  }

  async use(names: Iterable<string>): Promise<void> {
    await store.useFiles(this.#scope.db, this.#organizationId, [...names]);
  }

  async prune(named: ReadonlySet<string>): Promise<void> {
    await store.pruneFiles(this.#scope.db, this.#organizationId, [...named]);
  }

  /** The bytes are written before the transaction, and pruned an hour later if they are not installed. */
  async stageCopies(files: ReadonlyMap<string, string>): Promise<StagedCopies> {
    const names = new Map<string, string>();
    for (const [name, source] of files) {
      const { sha256, size } = await hashFile(source);
      const file = `${originals}/${sha256}`;
      const [row] = await store.useFiles(this.#scope.db, this.#organizationId, [file]);
      if (!isStored(row)) {
        const { written } = await this.#store(file, source, size, null).catch(nameTooLarge(name));
        if (written !== sha256)
          throw new PortalError('invalid_request', `${name} was changed while it was copied.`, {
            advice: 'Apply the content again.',
          });
      }
      names.set(name, file);
    }
    return {
      install: (transaction) => store.nameAuthorFiles(transaction, this.#organizationId, names),
      discard: async () => {},
    };
  }

  async sizeOf(names: FileNames): Promise<number> {
    const { db, root } = this.#scope;
    const stored = await store.listAuthorFiles(db, this.#organizationId);
    const inFolder = names.originals.filter((name) => !stored.includes(name));
    return (
      (await store.sumSizes(db, this.#organizationId, names)) +
      (await sumFolderSizes(path.join(root, this.#organizationId), inFolder))
    );
  }

  async findSame(
    names: readonly string[],
    file: { sha256: string; size: number },
  ): Promise<Set<string>> {
    const { db, root } = this.#scope;
    const stored = new Set(await store.listAuthorFiles(db, this.#organizationId));
    const inFolder = names.filter((name) => !stored.has(name));
    const same = await store.listAuthorFilesOf(db, this.#organizationId, file.sha256);
    const wanted = new Set(names);
    const folder = path.join(root, this.#organizationId);
    return new Set([
      ...same.filter((name) => wanted.has(name)),
      ...(await findSameInFolder(folder, inFolder, file)),
    ]);
  }

  async removeOriginals(transaction: Database, names: readonly string[]): Promise<void> {
    await store.forgetAuthorFiles(transaction, this.#organizationId, names);
    await removeFromFolder(path.join(this.#scope.root, this.#organizationId), names);
  }

  async findProblems(names: readonly string[]): Promise<FileProblem[]> {
    const problems: FileProblem[] = [];
    const inFolder: string[] = [];
    for (const file of names) {
      const row = await this.#find(file);
      if (!row) inFolder.push(file);
      else if (this.#scope.cache.failureOf(row.sha256) !== undefined)
        await this.ensure(file).then(
          (local) => local.release(),
          () => problems.push({ file, state: 'not_fetched' }),
        );
    }
    const folder = path.join(this.#scope.root, this.#organizationId);
    return [...problems, ...(await findFolderProblems(folder, inFolder))];
  }

  /** @throws `ReportError` `not_fetched` if the database does not answer */
  async #find(name: string): Promise<StoredFile | undefined> {
    const { db, known } = this.#scope;
    const key = this.#keyOf(name);
    const before = known.get(key);
    if (before) return before;
    const row = await store.findFile(db, this.#organizationId, name).catch((cause: unknown) => {
      throw new ReportError(
        'not_fetched',
        `The file ${name} could not be looked up: the database did not answer.`,
        { cause },
      );
    });
    if (!isStored(row)) return undefined;
    known.set(key, row);
    return row;
  }

  readonly #inTurn: InTurn = (work) => {
    const owner = { organizationId: this.#organizationId, userId: '' };
    return this.#scope.turns.run(owner, neverAborted, work);
  };

  readonly #keyOf = (name: string) => `${this.#organizationId} ${name}`;

  async #store(
    name: string,
    source: string,
    size: number,
    described: Description | null,
  ): Promise<{ stored: store.FileRow; written: string }> {
    const { db, cache } = this.#scope;
    if (size > cache.maxBytes) throw tooLarge(size, cache.maxBytes);
    const content = await writeContent(db, source);
    const file = { organizationId: this.#organizationId, name, described, ...content };
    const stored = await inTransaction(db, (transaction) => store.insertFile(transaction, file));
    if (stored.contentId !== content.contentId)
      // Otherwise the sweeper finds it an hour later.
      await store.removeContent(db, content.contentId).catch(() => {});
    return { stored, written: content.sha256 };
  }
}

/** Removes uploads from the folder, of which another instance may have made datasets. */
async function removeOldUploads(root: string): Promise<void> {
  for (const organizationId of await listNames(root)) {
    const folder = path.join(root, organizationId, uploads);
    for (const id of await listNames(folder)) {
      const { mtimeMs } = await fs.stat(path.join(folder, id)).catch(() => ({ mtimeMs: Infinity }));
      if (mtimeMs < Date.now() - keepMs)
        await fs.rm(path.join(folder, id), { recursive: true, force: true });
    }
  }
}

const listNames = (folder: string): Promise<string[]> => fs.readdir(folder).catch(() => []);

const isThere = (file: string): Promise<boolean> =>
  fs.stat(file).then(
    () => true,
    () => false,
  );

const inMebibytes = (bytes: number) => Math.ceil(bytes / 2 ** 20);

const tooLarge = (size: number, max: number) =>
  new FileTooLargeError(
    `it takes ${inMebibytes(size)} MB, and this portal stores files of at most ${inMebibytes(max)} MB; split it, or ask the operator to increase PORTAL_FILES_CACHE`,
  );

const nameTooLarge =
  (name: string) =>
  (error: unknown): never => {
    if (error instanceof FileTooLargeError)
      throw new PortalError('invalid_request', `${name}: ${error.message}.`);
    throw error;
  };
