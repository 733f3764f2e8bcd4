import type { StatsFs } from 'node:fs';
import fs from 'node:fs/promises';

import type { Logger } from 'pino';

import { repeat } from './repeat.ts';

/** The disk of the data directory, and that of PostgreSQL. */
export type Disk = 'dataDirectory' | 'database';

export interface DiskWatch {
  /** Notes that the database could not write for lack of space. */
  noteDatabaseFull: () => void;
  /** The disks that are known to be full. */
  listFull: () => Disk[];
  stop: () => Promise<void>;
}

/** The embedded database breaks if the next segment of its log, 16 MiB, does not fit. */
const minFreeBytes = 16 * 2 ** 20;

/** How long the database's disk counts as full after a failed write. */
const databaseFullMs = 60_000;

type Space = Pick<StatsFs, 'bavail' | 'bsize' | 'ffree' | 'files'>;

/**
 * Checks now and every `intervalMs` whether the disk of the data directory is full. Logs when it becomes
 * full, and when it has space again.
 *
 * @param options.statfs returns the space of a folder's disk; default: the system's
 * @param options.now milliseconds of a monotonic clock
 */
export function watchDisks(options: {
  dataDir: string;
  logger: Logger;
  intervalMs: number;
  statfs?: (folder: string) => Promise<Space>;
  now?: () => number;
}): DiskWatch {
  const { dataDir, logger } = options;
  const { statfs = (folder) => fs.statfs(folder), now = () => performance.now() } = options;
  let isFull = false;
  let databaseFullAt = -Infinity;

  async function check(): Promise<void> {
    const space = await statfs(dataDir);
    const freeBytes = space.bavail * space.bsize;
    // Some file systems, such as btrfs, have no limit of files and report 0.
    const wasFull = isFull;
    isFull = freeBytes < minFreeBytes || (space.files > 0 && space.ffree === 0);
    if (isFull === wasFull) return;
    const entry = { dataDir, freeBytes, freeFiles: space.ffree };
    if (isFull) logger.error(entry, 'disk of the data directory full');
    else logger.info(entry, 'disk of the data directory has space again');
  }

  const stop = repeat(options.intervalMs, check, (err) =>
    logger.warn({ err }, 'checking the disk failed'),
  );
  return {
    noteDatabaseFull: () => {
      databaseFullAt = now();
    },
    listFull: () => [
      ...(isFull ? (['dataDirectory'] as const) : []),
      ...(now() - databaseFullAt < databaseFullMs ? (['database'] as const) : []),
    ],
    stop,
  };
}
