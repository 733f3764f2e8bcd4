import { isDeepStrictEqual } from 'node:util';

import type { Logger } from 'pino';

import { isNotPermitted } from '#server-kit';

import type { Database } from '../db/connection/open.ts';
import type { FileProblem, PortalFiles } from '../files/files.ts';
import { repeat } from '../jobs/repeat.ts';
import { listNamedFiles, listSources, listWithUnusedFiles, type SourceFiles } from './store.ts';

/** Data files that do not exist, those that may not be read, and those whose fetch failed. */
export interface FileCounts {
  missing: number;
  unreadable: number;
  notFetched: number;
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
 * again when it can. Removes files that no dataset has named for an hour.
 */
export function watchDataFiles(options: {
  db: Database;
  files: PortalFiles;
  logger: Logger;
  intervalMs: number;
  onChecked?: ((counts: FileCounts) => void) | undefined;
}): DataFileWatch {
  const { db, files, logger } = options;
  /** Problems by the id of their dataset. */
  let known = new Map<string, FileProblem[]>();
  let counts = { missing: 0, unreadable: 0 };
  const count = (): FileCounts => ({ ...counts, notFetched: files.countFailed() });

  async function check(signal: AbortSignal): Promise<void> {
    const found = new Map<string, FileProblem[]>();
    for (const source of await listSources(db)) {
      const { organizationId, datasetId } = source;
      const problems = await files.of(organizationId).findProblems(source.files);
      const key = `${organizationId} ${datasetId}`;
      if (problems.length > 0) found.set(key, problems);
      if (!isDeepStrictEqual(problems, known.get(key) ?? [])) {
        if (problems.length > 0) logProblems(logger, source, problems);
        else logger.info({ organizationId, datasetId }, 'data files returned');
      }
      if (signal.aborted) return;
    }
    await files.tidy();
    // Deleted datasets leave their files behind until an hour after their last use.
    for (const id of await listWithUnusedFiles(db))
      await files.of(id).prune(await listNamedFiles(db, id));
    known = found;
    counts = countProblems([...found.values()].flat());
    options.onChecked?.(count());
  }

  const stop = repeat(options.intervalMs, check, (err) =>
    logger.warn({ err }, 'checking data files failed'),
  );
  return {
    count,
    stop,
  };
}

const statesOf = (problems: readonly FileProblem[], state: FileProblem['state']) =>
  problems.filter((problem) => problem.state === state);

const countProblems = (problems: readonly FileProblem[]) => ({
  missing: statesOf(problems, 'missing').length,
  unreadable: statesOf(problems, 'not_permitted').length,
});

function logProblems(
  logger: Logger,
  { organizationId, datasetId }: SourceFiles,
  problems: readonly FileProblem[],
): void {
  const missing = statesOf(problems, 'missing');
  const unreadable = statesOf(problems, 'not_permitted');
  const notFetched = statesOf(problems, 'not_fetched');
  const entryOf = (group: readonly FileProblem[]) => ({
    organizationId,
    datasetId,
    files: group.slice(0, namedFiles).map(({ file }) => file),
  });
  if (missing.length > 0)
    logger.error({ ...entryOf(missing), missing: missing.length }, 'data files missing');
  if (notFetched.length > 0)
    logger.error(
      { ...entryOf(notFetched), notFetched: notFetched.length },
      'data files not available on this instance',
    );
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
