import type { FileCounts } from '../content/data-file-watch.ts';
import type { Disk } from '../jobs/disk-watch.ts';

/**
 * Describes an instance that is ready. It stays in the load balancer even if it lacks files or space,
 * because its other reports work, and every instance can have the same problem.
 */
export function describeReadiness(files: FileCounts, fullDisks: readonly Disk[]): object {
  const lacks = {
    ...(fullDisks.length > 0 && { fullDisks }),
    ...(files.missing > 0 && { missingDataFiles: files.missing }),
    ...(files.notFetched > 0 && { notFetchedDataFiles: files.notFetched }),
    ...(files.unreadable > 0 && { unreadableDataFiles: files.unreadable }),
  };
  if (fullDisks.length > 0) return { status: 'disk_full', ...lacks };
  return { status: Object.keys(lacks).length > 0 ? 'incomplete' : 'ok', ...lacks };
}
