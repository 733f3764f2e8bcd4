import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';

import { ReportError } from '#platform';
import { isMissing, isNotPermitted } from '#server-kit';

import {
  keepMs,
  versions,
  type Description,
  type Files,
  type LocalFile,
  type OrganizationFiles,
} from './files.ts';
import { folderOriginals } from './folder-originals.ts';
import { describeLocal, sync } from './local-file.ts';

/**
 * Keeps files in a folder. `{organization}/NAME` is a file as its author named it,
 * `{organization}/.versions/HASH.parquet` is a version, and `HASH.json` beside it describes it.
 *
 * @param root the dataset folder
 */
export const folderFiles = (root: string): Files => ({
  of: (organizationId) => new FolderFiles(path.resolve(root), organizationId),
});

class FolderFiles implements OrganizationFiles {
  readonly #root: string;
  readonly #organizationId: string;
  readonly #versions: string;
  readonly originals;

  constructor(root: string, organizationId: string) {
    this.#root = root;
    this.#organizationId = organizationId;
    this.#versions = path.join(root, organizationId, versions);
    this.originals = folderOriginals(path.join(root, organizationId));
  }

  async createTemporary(): Promise<string> {
    await fs.mkdir(this.#versions, { recursive: true, mode: 0o700 });
    return path.join(this.#versions, `${randomUUID()}.tmp`);
  }

  async find(name: string): Promise<Description | undefined> {
    const file = this.#pathOf(name);
    const known = await fs.readFile(describedBy(file), 'utf8').catch(() => undefined);
    const isStored = await fs.stat(file).then(
      () => true,
      () => false,
    );
    if (known === undefined || !isStored) return undefined;
    await touch(describedBy(file));
    return JSON.parse(known) as Description;
  }

  async put(name: string, temporary: string, described: Description): Promise<Description> {
    const target = this.#pathOf(name);
    await sync(temporary);
    await fs.rename(temporary, target);
    await fs.writeFile(temporary, JSON.stringify(described), { mode: 0o600 });
    await sync(temporary);
    // The description is written last: without it, a version is incomplete.
    await fs.rename(temporary, describedBy(target));
    await sync(this.#versions);
    return described;
  }

  /** Follows links, because only the operator can create them. */
  async ensure(name: string): Promise<LocalFile> {
    const file = this.#pathOf(name);
    try {
      await fs.access(file, fs.constants.R_OK);
      // A dataset may have a thousand versions, and each of its queries comes here.
      return isVersion(name)
        ? { path: file, version: `${this.#organizationId} ${name}`, release: () => {} }
        : await describeLocal(await fs.realpath(file));
    } catch (error) {
      if (isMissing(error))
        throw new ReportError('failed', `The data file ${file} does not exist (ENOENT).`);
      if (isNotPermitted(error))
        throw new ReportError('failed', `The data file ${file} may not be read (EACCES).`);
      throw error;
    }
  }

  async use(names: Iterable<string>): Promise<void> {
    for (const name of names) await touch(describedBy(this.#pathOf(name)));
  }

  async prune(named: ReadonlySet<string>): Promise<void> {
    for (const entry of await fs.readdir(this.#versions).catch(() => [])) {
      if (named.has(`${versions}/${entry.replace(/\.json$/, '.parquet')}`)) continue;
      const file = path.join(this.#versions, entry);
      const { mtimeMs } = await fs
        .stat(describedBy(file))
        .catch(() => fs.stat(file))
        .catch(() => ({ mtimeMs: Infinity }));
      if (mtimeMs < Date.now() - keepMs) await fs.rm(file, { force: true });
    }
  }

  #pathOf(name: string): string {
    const parts = name.split('/');
    const isBelow = parts.every(
      (part) => part !== '' && part !== '.' && part !== '..' && !part.includes('\0'),
    );
    if (isBelow) return path.join(this.#root, this.#organizationId, ...parts);
    throw new Error(`The dataset file "${name}" is not below the folder of its organization.`);
  }
}

const isVersion = (name: string) => name.startsWith(`${versions}/`);

/** The path of a version's description, which has its columns, hints and questions. Its mtime is the last use. */
const describedBy = (version: string) => version.replace(/\.parquet$/, '.json');

const touch = async (file: string): Promise<void> => {
  const now = new Date();
  await fs.utimes(file, now, now).catch(() => {});
};

/** Removes the data files of a deleted organization. */
export const removeFolder = (root: string, organizationId: string): Promise<void> =>
  fs.rm(path.join(root, organizationId), { recursive: true, force: true });
