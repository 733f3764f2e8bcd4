import type { FileCounts } from '../content/data-file-watch.ts';
import type { Disk } from '../jobs/disk-watch.ts';

/**
 * Describes an instance that is ready. What it lacks does not make it leave the load balancer, because
 * all other reports still work, and every instance can lack the same.
 */
export function describeReadiness(files: FileCounts, fullDisks: readonly Disk[]): object {
  const lacks = {
    ...(fullDisks.length > 0 && { fullDisks }),
    ...(files.missing > 0 && { missingDataFiles: files.missing }),
    ...(files.unreadable > 0 && { unreadableDataFiles: files.unreadable }),
  };
  if (fullDisks.length > 0) return { status: 'disk_full', ...lacks };
  return { status: Object.keys(lacks).length > 0 ? 'incomplete' : 'ok', ...lacks };
}
