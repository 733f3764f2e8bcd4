import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from 'pino';

import type { Database } from '../db/connection/open.ts';
import { listSources, type SourceFiles } from './store.ts';

export interface DataFileWatch {
  /** The number of files that datasets name and this instance cannot read. */
  countMissing: () => number;
  stop: () => Promise<void>;
}

/** Files that a log line names. */
const namedFiles = 5;

/**
 * Checks now and every `intervalMs` whether this instance has the files of all datasets. Instances share
 * the database, but each has its own data directory. Logs each dataset whose files are missing, and
 * again when they have returned.
 */
export function watchDataFiles(options: {
  db: Database;
  datasetFolder: string;
  logger: Logger;
  intervalMs: number;
  onChecked?: ((missing: number) => void) | undefined;
}): DataFileWatch {
  const { db, datasetFolder, logger } = options;
  const stopping = new AbortController();
  /** Missing files by the id of their dataset. */
  let known = new Map<string, string[]>();
  let count = 0;

  async function check(): Promise<void> {
    const found = new Map<string, string[]>();
    for (const source of await listSources(db)) {
      const { organizationId, datasetId } = source;
      const missing = await findMissing(datasetFolder, source);
      const key = `${organizationId} ${datasetId}`;
      const files = missing.slice(0, namedFiles);
      const entry = { organizationId, datasetId, files, missing: missing.length };
      if (missing.length > 0) found.set(key, missing);
      if (String(missing) !== String(known.get(key) ?? [])) {
        if (missing.length > 0) logger.error(entry, 'data files missing');
        else logger.info({ organizationId, datasetId }, 'data files returned');
      }
      if (stopping.signal.aborted) return;
    }
    known = found;
    count = [...found.values()].reduce((sum, { length }) => sum + length, 0);
    options.onChecked?.(count);
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await check().catch((err: unknown) => logger.warn({ err }, 'checking data files failed'));
      await delay(options.intervalMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    countMissing: () => count,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function findMissing(
  datasetFolder: string,
  { organizationId, files }: SourceFiles,
): Promise<string[]> {
  const missing: string[] = [];
  for (const file of files) {
    const isReadable = await fs
      .access(path.join(datasetFolder, organizationId, file), fs.constants.R_OK)
      .then(
        () => true,
        () => false,
      );
    if (!isReadable) missing.push(file);
  }
  return missing;
}
