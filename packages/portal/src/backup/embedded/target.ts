import fs from 'node:fs/promises';
import path from 'node:path';

import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

import { syncAfterCrash, syncFolder } from '../../db/embedded/crash-sync.ts';
import { takeLock } from '../../db/embedded/lock.ts';
import { BreakablePGlite } from '../../db/embedded/pglite.ts';
import { BackupError } from '../backup-error.ts';
import type { RestoreSession } from '../session.ts';
import { removeFolders } from './leftovers.ts';
import { openPgliteSession } from './pglite-session.ts';

const prefix = 'restore-';

/**
 * Opens a new embedded database beside that of the data directory, which it replaces at `commit`.
 *
 * @throws `BackupError` if the data directory has a database with tables; `LockedError` if a process
 *   uses it
 */
export async function openEmbeddedTarget(dataDir: string): Promise<RestoreSession> {
  await fs
    .mkdir(dataDir, { recursive: true, mode: 0o700 })
    .catch((error: NodeJS.ErrnoException) => {
      if (!/^(EEXIST|ENOTDIR)$/.test(String(error.code))) throw error;
      throw new BackupError(
        'not_possible',
        `A data directory cannot be created at ${dataDir}, because a file has this name or that of a folder above. Choose another place.`,
      );
    });
  const folder = path.join(dataDir, 'database');
  const releaseLock = await takeLock(path.join(dataDir, 'lock.duckdb'));
  let created: string | undefined;
  let pglite: PGlite | undefined;
  let isOpen = true;
  const close = async () => {
    isOpen = false;
    try {
      await pglite?.close();
    } finally {
      if (created !== undefined) await fs.rm(created, { recursive: true, force: true });
      releaseLock();
    }
  };
  try {
    await requireEmpty(folder);
    // Only a restore that was killed leaves its folder behind.
    await removeFolders(dataDir, prefix);
    created = await fs.mkdtemp(path.join(dataDir, prefix));
    pglite = new PGlite({ fs: new NodeFS(created) });
    await pglite.waitReady.catch((error: unknown) => {
      throw new BackupError(
        'not_possible',
        `The embedded database cannot be created in ${dataDir}. Free disk space if the disk is full, then start again.`,
        { cause: error },
      );
    });
    const session = await openPgliteSession(pglite);
    await session.query('BEGIN');
    return {
      ...session,
      commit: async () => {
        await session.query('COMMIT');
        await pglite!.close();
        pglite = undefined;
        await syncFolder(created!);
        await fs.rm(folder, { recursive: true, force: true });
        await fs.rename(created!, folder);
        await syncFolder(folder);
        await close();
      },
      rollback: async () => {
        if (isOpen) await close().catch(() => {});
      },
    };
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
}

/** @throws `BackupError` if the folder has a database with tables */
async function requireEmpty(folder: string): Promise<void> {
  const names = await fs.readdir(folder).catch(() => []);
  if (names.length === 0) return;
  const pglite = new BreakablePGlite(folder, await syncAfterCrash(folder));
  try {
    await pglite.waitReady;
    const { rows } = await pglite.query(`SELECT FROM pg_class
      WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace LIMIT 1`);
    if (rows.length === 0) return;
  } finally {
    await pglite.close();
  }
  throw new BackupError(
    'not_empty',
    `There is a portal database in ${folder}. Nothing was changed. Move this folder away, or choose a new data directory.`,
  );
}
