import { lendSnapshot, type LentSnapshot } from '../../backup/embedded/lend.ts';
import { openCopy, openInPlace } from '../../backup/embedded/source.ts';
import { openEmbeddedTarget } from '../../backup/embedded/target.ts';
import type { DataFiles, HeldFiles } from '../../backup/files/data-files.ts';
import { createDataFolder, openHeldFolder } from '../../backup/files/folder.ts';
import { listNamedVersions } from '../../backup/files/named.ts';
import { openPostgresSnapshot } from '../../backup/postgres/source.ts';
import { openPostgresTarget } from '../../backup/postgres/target.ts';
import { describeNeed, measureFree, measureNeed, requireRoom } from '../../backup/room.ts';
import type { RestoreSession, SnapshotSession } from '../../backup/session.ts';
import { findAddressProblem } from '../../database-address.ts';
import { databaseLimits } from '../../db/connection/limits.ts';
import { LockedError } from '../../db/embedded/lock.ts';
import { PortalError } from '../../errors.ts';
import { datasetFolderOf } from '../../files/open.ts';
import type { Cli } from '../cli.ts';
import { write } from '../output.ts';
import { interruptible } from './interruptible.ts';

/** The rows and data files of one moment. */
interface Source {
  moment: Date;
  rows: SnapshotSession;
  files: HeldFiles;
}

/** Where the portal of a data directory keeps data files. */
export const openDataFiles = (dataDir: string): DataFiles =>
  createDataFolder(datasetFolderOf({ dataDir }));

/** Runs `work` on the portal's rows and data files as they are now. */
export async function withSource(
  cli: Cli,
  work: (source: Source, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  await interruptible(async (signal) => {
    const { databaseUrl, dataDir, files: storage } = cli.readConfig();
    const dataFiles = openDataFiles(dataDir);
    cli.requireOwner(datasetFolderOf({ dataDir }));
    if (databaseUrl !== undefined) {
      const source = await openPostgresSnapshot(databaseUrl, {
        connectLimitMs: readConnectLimit(cli),
        dataFiles,
        storage,
      });
      return useSource(source, (opened) => work(opened, signal));
    }
    cli.requireEmbedded(dataDir);
    let rows: SnapshotSession;
    try {
      rows = await openInPlace(dataDir);
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      return borrow(cli, error, (source) => work(source, signal));
    }
    const files = await dataFiles
      .hold(await listNamedVersions(rows))
      .catch(async (error: unknown) => {
        await rows.close();
        throw error;
      });
    await useSource({ moment: new Date(), rows, files }, (source) => work(source, signal));
  });
}

async function useSource(source: Source, work: (source: Source) => Promise<void>): Promise<void> {
  try {
    await work(source);
  } finally {
    await source.files.release();
    await source.rows.close();
  }
}

/**
 * Asks the server that holds the embedded database for a copy.
 *
 * @throws `locked` if no server holds it, but another command
 */
async function borrow(
  cli: Cli,
  locked: LockedError,
  work: (source: Source) => Promise<void>,
): Promise<void> {
  const { dataDir } = cli.readConfig();
  const need = await measureNeed(dataDir);
  requireRoom(need, await measureFree(dataDir), dataDir);
  if (!cli.asJson) await write(cli.stderr, `${describeNeed(need, dataDir)}\n`);
  const exitCode = await cli.forward(async (question) => {
    const { moment, database, files } = JSON.parse(question) as LentSnapshot;
    const source = {
      moment: new Date(moment),
      rows: await openCopy(database),
      files: openHeldFolder(files),
    };
    await useSource(source, work);
    return 'done';
  });
  if (exitCode === undefined) throw locked;
  cli.exitCode = exitCode;
}

/** In the server: copies the embedded database, and waits until the caller has read the copy. */
export function lendToCaller(cli: Cli): Promise<void> {
  const { dataDir } = cli.readConfig();
  const place = { dataDir, datasetFolder: datasetFolderOf({ dataDir }), signal: cli.signal };
  return cli.onServer((db) =>
    lendSnapshot(db, place, (snapshot) => cli.ask(JSON.stringify(snapshot))),
  );
}

/**
 * Whether the target of a copy is an address, and not a folder.
 *
 * @throws `invalid_request` if it is empty, or not an address of a PostgreSQL database
 */
export function isAddress(place: string): boolean {
  if (place === '')
    throw new PortalError('invalid_request', '--to is empty. Give an address or a folder.');
  // `postgres:/…` is a mistyped address, and not a folder, whose name would show the password.
  if (!/^[a-z][a-z0-9+.-]*:/i.test(place)) return false;
  const problem = findAddressProblem(place);
  if (problem !== undefined) throw new PortalError('invalid_request', `--to ${problem}.`);
  return true;
}

/** Opens an empty database, by its address or its data directory. */
export const openTarget = (cli: Cli, place: string): Promise<RestoreSession> =>
  isAddress(place)
    ? openPostgresTarget(place, { connectLimitMs: readConnectLimit(cli) })
    : openEmbeddedTarget(place);

function readConnectLimit(cli: Cli): number {
  const { databaseConnectSeconds: seconds } = cli.readConfig();
  return seconds === undefined ? databaseLimits.connect.ms : seconds * 1_000;
}
