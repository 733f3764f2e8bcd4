import { createHash } from 'node:crypto';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

import { isMissing } from '#server-kit';

import { syncFolder } from '../../db/embedded/crash-sync.ts';
import { BackupError } from '../backup-error.ts';
import type { DataFiles, HeldFile, HeldFiles, NamedVersions, ReceivedFiles } from './data-files.ts';

/** Held files in a folder, which another process can open: file 0, 1 and so on. */
export interface HeldFolder {
  folder: string;
  files: HeldFile[];
  missing: string[];
}

const prefix = '.backup-';

/** A folder that is older than a day was left behind by a process that was killed. */
const leftoverMs = 86_400_000;

/** Data files in the folder of all datasets, one folder for each organization. */
export const createDataFolder = (root: string): DataFiles => ({
  hold: async (named) => openHeldFolder(await holdFolder(root, named)),
  receive: () => receiveInFolder(root),
});

/** Hard links the files, or copies them where the file system has no links. */
export async function holdFolder(
  root: string,
  named: readonly NamedVersions[],
): Promise<HeldFolder> {
  const held: HeldFolder = { folder: '', files: [], missing: [] };
  if (!(await exists(root)))
    return {
      ...held,
      missing: named.flatMap(({ organizationId, versions }) =>
        versions.map((version) => `${organizationId}/${version}`),
      ),
    };
  await removeLeftovers(root);
  held.folder = await fs.mkdtemp(path.join(root, prefix));
  try {
    for (const { organizationId, versions } of named) {
      for (const version of versions) {
        const name = `${organizationId}/${version}`;
        if (await holdFile(held, root, name))
          await holdFile(held, root, name.replace(/\.parquet$/, '.json'));
        else held.missing.push(name);
      }
      const known = new Set(held.files.map(({ name }) => name));
      for (const name of await listAuthorsFiles(root, organizationId))
        if (!known.has(name)) await holdFile(held, root, name);
    }
  } catch (error) {
    await fs.rm(held.folder, { recursive: true, force: true });
    throw error;
  }
  return held;
}

export const openHeldFolder = ({ folder, files, missing }: HeldFolder): HeldFiles => ({
  files,
  missing,
  open: (file) => createReadStream(path.join(folder, String(files.indexOf(file)))),
  release: async () => {
    if (folder !== '') await fs.rm(folder, { recursive: true, force: true });
  },
});

/** Returns whether the file exists. */
async function holdFile(held: HeldFolder, root: string, name: string): Promise<boolean> {
  const target = path.join(held.folder, String(held.files.length));
  try {
    // A link to a symbolic link would not hold its target.
    await linkOrCopy(await fs.realpath(path.join(root, name)), target);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  held.files.push({ name, bytes: (await fs.stat(target)).size });
  return true;
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await fs.link(from, to);
  } catch (error) {
    if (isMissing(error)) throw error;
    await fs.copyFile(from, to, constants.COPYFILE_FICLONE);
  }
}

/** Lists the files of authors, whose names have no part that begins with a dot. */
async function listAuthorsFiles(root: string, organizationId: string): Promise<string[]> {
  const folder = path.join(root, organizationId);
  const list = async (below: string): Promise<string[]> => {
    const entries = await fs.readdir(path.join(folder, below), { withFileTypes: true });
    const found: string[] = [];
    for (const entry of entries) {
      const name = path.posix.join(below, entry.name);
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) found.push(...(await list(name)));
      else if (await isDataFile(folder, name)) found.push(`${organizationId}/${name}`);
    }
    return found.toSorted();
  };
  if (!(await exists(folder))) return [];
  return list('');
}

/** Whether a dataset could read it: a regular file, or a link to one in the organization's folder. */
async function isDataFile(folder: string, name: string): Promise<boolean> {
  try {
    const real = await fs.realpath(path.join(folder, name));
    const isInside = real.startsWith(`${await fs.realpath(folder)}${path.sep}`);
    return isInside && (await fs.stat(real)).isFile();
  } catch (error) {
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'ELOOP') return false;
    throw error;
  }
}

async function receiveInFolder(root: string): Promise<ReceivedFiles> {
  let folder: string | undefined;
  const waiting: { name: string; from: string }[] = [];
  const existing = new Set<string>();
  const installed: string[] = [];
  const removeFolder = async () => {
    if (folder !== undefined) await fs.rm(folder, { recursive: true, force: true });
  };
  return {
    require: async ({ name, bytes, sha256 }) => {
      const file = path.join(root, name);
      const stat = await fs.stat(file).catch(() => undefined);
      if (!stat) return;
      if (stat.size !== bytes || (await hashFile(file)) !== sha256) throw isDifferent(root, file);
      existing.add(name);
    },
    write: async (name, content) => {
      if (existing.has(name)) {
        for await (const _ of content);
        return;
      }
      if (folder === undefined) {
        await fs.mkdir(root, { recursive: true, mode: 0o700 });
        await removeLeftovers(root);
        folder = await fs.mkdtemp(path.join(root, prefix));
      }
      const from = path.join(folder, String(waiting.length));
      await pipeline(content, createWriteStream(from, { mode: 0o600, flush: true }));
      const file = path.join(root, name);
      if (!(await exists(file))) waiting.push({ name, from });
      else if ((await hashFile(file)) !== (await hashFile(from))) throw isDifferent(root, file);
    },
    install: async () => {
      for (const { name, from } of waiting) {
        const target = path.join(root, name);
        await fs.mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
        await fs.rename(from, target);
        installed.push(target);
      }
      if (waiting.length > 0) await syncFolder(root);
    },
    discard: async () => {
      for (const file of installed) await fs.rm(file, { force: true });
      await removeFolder();
    },
    keep: removeFolder,
  };
}

const isDifferent = (root: string, file: string) =>
  new BackupError(
    'not_empty',
    `The file ${file} exists and differs from that of the backup. Nothing was changed. Move the folder ${root} away, then try again.`,
  );

async function removeLeftovers(root: string): Promise<void> {
  for (const name of await fs.readdir(root)) {
    const folder = path.join(root, name);
    if (name.startsWith(prefix) && (await fs.stat(folder)).mtimeMs < Date.now() - leftoverMs)
      await fs.rm(folder, { recursive: true, force: true });
  }
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

const exists = (file: string): Promise<boolean> =>
  fs.stat(file).then(
    () => true,
    () => false,
  );
