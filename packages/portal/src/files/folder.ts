import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';

import { ReportError } from '#platform';
import { folderFiles, stageCopies, type Description } from '#report-engine';
import { isMissing } from '#server-kit';

import type { Database } from '../db/connection/open.ts';
import type { FileProblem, PortalFiles, PortalOrganizationFiles } from './files.ts';
import * as store from './store.ts';

/**
 * Files in a folder of this instance. The database has their names and hashes.
 *
 * @param root the dataset folder
 * @param others has what instances with another setting have stored. Default: there are none
 */
export const folderStorage = (db: Database, root: string, others?: PortalFiles): PortalFiles => ({
  of: (organizationId) => ofOrganization(db, root, organizationId, others?.of(organizationId)),
  countFailed: () => others?.countFailed() ?? 0,
  tidy: async () => others?.tidy(),
});

function ofOrganization(
  db: Database,
  root: string,
  organizationId: string,
  others: PortalOrganizationFiles | undefined,
): PortalOrganizationFiles {
  const files = folderFiles(root).of(organizationId);
  const record = async (name: string, described: Description): Promise<void> => {
    const file = path.join(root, organizationId, name);
    const { sha256, size } = await hashFile(file);
    const row = { organizationId, name, sha256, size, described, contentId: null };
    await store.insertFile(db, row);
  };
  return {
    originals: files.originals,
    createTemporary: () => files.createTemporary(),
    ensure: (name) =>
      files.ensure(name).catch((error: unknown) => {
        if (others && error instanceof ReportError) return others.ensure(name);
        throw error;
      }),
    find: async (name) => {
      const described = await files.find(name);
      if (!described) return undefined;
      const known = await store.useFiles(db, organizationId, [name]);
      // Release 0.2 has stored it.
      if (known.length === 0) await record(name, described);
      return described;
    },
    put: async (name, temporary, described) => {
      await files.put(name, temporary, described);
      await record(name, described);
      return described;
    },
    use: async (names) => {
      const list = [...names];
      await files.use(list);
      await store.useFiles(db, organizationId, list);
    },
    prune: async (named) => {
      await files.prune(named);
      await store.pruneFiles(db, organizationId, [...named]);
    },
    stageCopies: (copies) => stageCopies({ root, organizationId }, copies),
    sizeOf: async (names) =>
      (await store.sumSizes(db, organizationId, names)) +
      (await sumFolderSizes(path.join(root, organizationId), names.originals)),
    findSame: (names, file) => findSameInFolder(path.join(root, organizationId), names, file),
    removeOriginals: (_, names) => removeFromFolder(path.join(root, organizationId), names),
    findProblems: async (names) => {
      const problems = await findFolderProblems(path.join(root, organizationId), names);
      return others ? others.findProblems(problems.map(({ file }) => file)) : problems;
    },
  };
}

export async function findFolderProblems(
  folder: string,
  names: readonly string[],
): Promise<FileProblem[]> {
  const problems: FileProblem[] = [];
  for (const file of names)
    try {
      await fs.access(path.join(folder, file), fs.constants.R_OK);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      problems.push(
        isMissing(error) ? { file, state: 'missing' } : { file, state: 'not_permitted', code },
      );
    }
  return problems;
}

/** Missing files have no bytes. */
export async function sumFolderSizes(folder: string, names: readonly string[]): Promise<number> {
  let sum = 0;
  for (const name of names)
    sum += await fs.stat(path.join(folder, name)).then(
      ({ size }) => size,
      () => 0,
    );
  return sum;
}

export async function findSameInFolder(
  folder: string,
  names: readonly string[],
  { sha256, size }: { sha256: string; size: number },
): Promise<Set<string>> {
  const same = new Set<string>();
  for (const name of names) {
    const file = path.join(folder, name);
    const stats = await fs.stat(file).catch(() => undefined);
    // Reading takes seconds for large files, and few have the same size.
    if (stats?.size === size && (await hashFile(file)).sha256 === sha256) same.add(name);
  }
  return same;
}

export async function removeFromFolder(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) await fs.rm(path.join(folder, name), { force: true });
}

/** Returns the SHA-256 of a file in hexadecimal, and its size. */
export async function hashFile(file: string): Promise<{ sha256: string; size: number }> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk as Buffer);
    size += (chunk as Buffer).length;
  }
  return { sha256: hash.digest('hex'), size };
}
