import fs from 'node:fs/promises';
import path from 'node:path';

import { sql } from 'kysely';

import { isMissing } from '#server-kit';

import type { Database } from '../../db/connection/open.ts';
import { BackupError } from '../backup-error.ts';
import { holdFolder, type HeldFolder } from '../files/folder.ts';
import { listNamedVersions } from '../files/named.ts';
import type { Session } from '../session.ts';
import { removeFolders } from './leftovers.ts';

/** A copy of the embedded database and its data files, which another process packs. */
export interface LentSnapshot {
  moment: string;
  /** Folder of the copy. */
  database: string;
  files: HeldFolder;
}

/** Contents that PostgreSQL creates anew, or that belong to the running process. */
const leftOut =
  /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/|^postmaster\.|(^|\/)(pgsql_tmp|pg_internal\.init)/;

/** Copied last, as PostgreSQL's own backup does. */
const control = 'global/pg_control';

/** Files that are copied at the same time. On a busy server, each copy waits behind requests. */
const copiedAtOnce = 4;

const prefix = 'backup-';

/** Databases of which a copy exists or is made. */
const lent = new WeakSet<Database>();

/**
 * Copies the embedded database while this process serves it, lends the copy, and removes it. Requests
 * wait only while the last of the log is copied and the data files are linked.
 *
 * @throws `BackupError` while another copy is lent
 * @param lend resolves when the copy is not needed any more
 * @param options.signal aborts when the borrower disconnects
 */
export async function lendSnapshot(
  db: Database,
  options: { dataDir: string; datasetFolder: string; signal?: AbortSignal | undefined },
  lend: (snapshot: LentSnapshot) => Promise<unknown>,
): Promise<void> {
  const { dataDir, datasetFolder, signal } = options;
  if (lent.has(db))
    throw new BackupError(
      'not_possible',
      'Another backup or copy of this database is running. Wait until it has finished, then try again.',
    );
  lent.add(db);
  let folder: string | undefined;
  let files: HeldFolder | undefined;
  try {
    // Only a server that was killed leaves a copy behind.
    await removeFolders(dataDir, prefix);
    folder = await fs.mkdtemp(path.join(dataDir, prefix));
    const database = path.join(folder, 'database');
    const copied = await copyDatabase(db, path.join(dataDir, 'database'), database, {
      signal,
      hold: async (connection) => {
        const session: Session = {
          query: async <Row extends object>(text: string): Promise<Row[]> =>
            (await sql.raw<Row>(text).execute(connection)).rows,
        };
        files = await holdFolder(datasetFolder, await listNamedVersions(session));
      },
    });
    await lend({ moment: copied.moment.toISOString(), database, files: files! });
  } finally {
    if (files && files.folder !== '') await fs.rm(files.folder, { recursive: true, force: true });
    if (folder !== undefined) await fs.rm(folder, { recursive: true, force: true });
    lent.delete(db);
  }
}

/** @param hold runs at the moment of the copy, while no request can use the database */
async function copyDatabase(
  db: Database,
  from: string,
  to: string,
  { signal, hold }: { signal: AbortSignal | undefined; hold: (db: Database) => Promise<void> },
): Promise<{ moment: Date }> {
  const slot = 'portal_backup';
  const log = createLogCopy(from, to);
  // Prevents the portal's own checkpoints from removing WAL that the copy needs.
  await sql`SELECT pg_create_physical_replication_slot(${slot}, true, true)`.execute(db);
  try {
    const first = await startBackup(db);
    try {
      await copyFiles(from, to, signal);
      await log.copy(first, await readLogFile(db));
    } catch (error) {
      await stopBackup(db);
      throw error;
    }
    return await db.connection().execute(async (connection) => {
      const { file, label, moment } = await stopBackup(connection);
      await hold(connection);
      await log.copy(first, file);
      await fs.writeFile(path.join(to, 'backup_label'), label);
      return { moment };
    });
  } finally {
    await sql`SELECT pg_drop_replication_slot(${slot})`.execute(db);
  }
}

/** Returns the first file of the log that the copy needs. */
async function startBackup(db: Database): Promise<string> {
  const { rows } = await sql<{ file: string }>`
    SELECT pg_walfile_name(pg_backup_start('portal', true)) AS file`.execute(db);
  return rows[0]!.file;
}

async function readLogFile(db: Database): Promise<string> {
  const { rows } = await sql<{ file: string }>`
    SELECT pg_walfile_name(pg_current_wal_lsn()) AS file`.execute(db);
  return rows[0]!.file;
}

async function stopBackup(db: Database): Promise<{ file: string; label: string; moment: Date }> {
  const { rows } = await sql<{ file: string; label: string; moment: Date }>`
    SELECT pg_walfile_name(lsn) AS file, labelfile AS label, clock_timestamp() AS moment
    FROM pg_backup_stop(false)`.execute(db);
  return rows[0]!;
}

/** Copies the files of a database that may change meanwhile; the log corrects what is torn. */
async function copyFiles(from: string, to: string, signal: AbortSignal | undefined): Promise<void> {
  const entries = await fs.readdir(from, { recursive: true, withFileTypes: true });
  await fs.mkdir(to, { recursive: true, mode: 0o700 });
  const files: string[] = [];
  for (const entry of entries) {
    const name = path.relative(from, path.join(entry.parentPath, entry.name));
    if (leftOut.test(name)) continue;
    if (entry.isDirectory()) await fs.mkdir(path.join(to, name), { recursive: true });
    else if (entry.isFile() && name !== control) files.push(name);
  }
  const copy = (name: string) => copyFile(path.join(from, name), path.join(to, name));
  for (let start = 0; start < files.length; start += copiedAtOnce) {
    signal?.throwIfAborted();
    await Promise.all(files.slice(start, start + copiedAtOnce).map(copy));
  }
  await copy(control);
}

async function copyFile(from: string, to: string): Promise<void> {
  try {
    await fs.copyFile(from, to, fs.constants.COPYFILE_FICLONE);
  } catch (error) {
    // The table of this file was removed.
    if (!isMissing(error)) throw error;
  }
}

/** Copies segments of the log. A second copy leaves out those that were complete at the first. */
function createLogCopy(from: string, to: string) {
  const complete = new Set<string>();
  return {
    copy: async (first: string, last: string): Promise<void> => {
      const names = await fs.readdir(path.join(from, 'pg_wal'));
      for (const name of names) {
        const isSegment = /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last;
        if (!isSegment || complete.has(name)) continue;
        await copyFile(path.join(from, 'pg_wal', name), path.join(to, 'pg_wal', name));
        if (name < last) complete.add(name);
      }
    },
  };
}
