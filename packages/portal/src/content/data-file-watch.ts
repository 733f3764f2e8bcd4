import fs from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import type { Logger } from 'pino';

import { isMissing, isNotPermitted } from '#server-kit';

import type { Database } from '../db/connection/open.ts';
import { repeat } from '../jobs/repeat.ts';
import { listSources, type SourceFiles } from './store.ts';

/** Data files that do not exist, and those that exist and cannot be read. */
export interface FileCounts {
  missing: number;
  unreadable: number;
}

export interface DataFileWatch {
  /** Numbers of the files that datasets name and this instance cannot read. */
  count: () => FileCounts;
  stop: () => Promise<void>;
}

/** Maximum number of files in a log line. */
const namedFiles = 5;

/**
 * Checks now and every `intervalMs` whether this instance has the files of all datasets. Instances share
 * the database, but each has its own data directory. Logs each dataset whose files it cannot read, and
 * again when it can.
 */
export function watchDataFiles(options: {
  db: Database;
  datasetFolder: string;
  logger: Logger;
  intervalMs: number;
  onChecked?: ((counts: FileCounts) => void) | undefined;
}): DataFileWatch {
  const { db, datasetFolder, logger } = options;
  /** Problems by the id of their dataset. */
  let known = new Map<string, Problem[]>();
  let counts: FileCounts = { missing: 0, unreadable: 0 };

  async function check(signal: AbortSignal): Promise<void> {
    const found = new Map<string, Problem[]>();
    for (const source of await listSources(db)) {
      const { organizationId, datasetId } = source;
      const problems = await findProblems(datasetFolder, source);
      const key = `${organizationId} ${datasetId}`;
      if (problems.length > 0) found.set(key, problems);
      if (!isDeepStrictEqual(problems, known.get(key) ?? [])) {
        if (problems.length > 0) logProblems(logger, source, problems);
        else logger.info({ organizationId, datasetId }, 'data files returned');
      }
      if (signal.aborted) return;
    }
    known = found;
    counts = countProblems([...found.values()].flat());
    options.onChecked?.(counts);
  }

  const stop = repeat(options.intervalMs, check, (err) =>
    logger.warn({ err }, 'checking data files failed'),
  );
  return {
    count: () => counts,
    stop,
  };
}

interface Problem {
  file: string;
  /** The system's code, or `undefined` if the file does not exist. */
  code: string | undefined;
}

async function findProblems(
  datasetFolder: string,
  { organizationId, files }: SourceFiles,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const file of files)
    try {
      await fs.access(path.join(datasetFolder, organizationId, file), fs.constants.R_OK);
    } catch (error) {
      const code = isMissing(error) ? undefined : (error as NodeJS.ErrnoException).code;
      problems.push({ file, code });
    }
  return problems;
}

function countProblems(problems: readonly Problem[]): FileCounts {
  const missing = problems.filter(({ code }) => code === undefined).length;
  return { missing, unreadable: problems.length - missing };
}

function logProblems(
  logger: Logger,
  { organizationId, datasetId }: SourceFiles,
  problems: readonly Problem[],
): void {
  const missing = problems.filter(({ code }) => code === undefined);
  const unreadable = problems.filter(({ code }) => code !== undefined);
  const entryOf = (group: readonly Problem[]) => ({
    organizationId,
    datasetId,
    files: group.slice(0, namedFiles).map(({ file }) => file),
  });
  if (missing.length > 0)
    logger.error({ ...entryOf(missing), missing: missing.length }, 'data files missing');
  if (unreadable.length === 0) return;
  const codes = [...new Set(unreadable.map(({ code }) => code))];
  logger.error(
    {
      ...entryOf(unreadable),
      unreadable: unreadable.length,
      codes,
      ...(unreadable.some(isNotPermitted) && {
        hint: 'The user of the portal may not read the files. Make this user the owner of the data directory (chown -R), and run commands as this user.',
      }),
    },
    'data files unreadable',
  );
}
