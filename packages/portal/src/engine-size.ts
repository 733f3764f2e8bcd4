import os from 'node:os';

import { queues } from './limits/table.ts';

/** Least memory of a query, in MiB. */
export const minQueryMb = 64;

/** Memory for which there is a query more by default, in MiB. */
const usualQueryMb = 256;

const maxThreads = 4;

/** Settings of the report engine. What is not set follows from the cores and the memory. */
export interface EngineSizes {
  /** MiB for all queries together. Default: half of the memory of the machine or container. */
  memoryMb?: number | undefined;
  queries?: number | undefined;
  threads?: number | undefined;
  /** MiB for one query. */
  queryMemoryMb?: number | undefined;
}

/** The size of the report engine. */
export interface EngineSize {
  queries: number;
  /** Threads of one query. */
  threads: number;
  /** MiB for one query. */
  memoryMb: number;
}

/**
 * Computes the size of the report engine. `problem` says which settings contradict each other.
 *
 * Without settings, there are as many queries as cores, 4 to 16, but only as many as have 256 MiB (or
 * `queryMemoryMb`) each; they share the memory equally, and each has as many threads as cores, at most 4.
 */
export function computeEngineSize(sizes: EngineSizes): EngineSize | { problem: string } {
  const cores = os.availableParallelism();
  const totalMb = sizes.memoryMb ?? Math.max(minQueryMb, Math.floor(readMemoryMb() / 2));
  const { concurrency: least, maxConcurrency: most } = queues.queries;
  const affordable = Math.max(1, Math.floor(totalMb / (sizes.queryMemoryMb ?? usualQueryMb)));
  const queries = sizes.queries ?? Math.min(Math.max(least, Math.min(cores, most)), affordable);
  const memoryMb = sizes.queryMemoryMb ?? Math.floor(totalMb / queries);
  const total = `${totalMb} MiB${sizes.memoryMb === undefined ? ', half of the memory of this machine or container' : ''}`;
  if (queries * memoryMb > totalMb)
    return {
      problem: `PORTAL_ENGINE_QUERIES × PORTAL_ENGINE_QUERY_MEMORY (${queries} × ${memoryMb} MiB) is more than PORTAL_ENGINE_MEMORY (${total}). Raise PORTAL_ENGINE_MEMORY, or lower one of the others.`,
    };
  if (memoryMb < minQueryMb)
    return {
      problem: `PORTAL_ENGINE_MEMORY (${total}) is too little for ${queries} queries (PORTAL_ENGINE_QUERIES), because each needs ${minQueryMb} MiB. Raise PORTAL_ENGINE_MEMORY, or lower PORTAL_ENGINE_QUERIES.`,
    };
  return { queries, threads: sizes.threads ?? Math.min(maxThreads, cores), memoryMb };
}

/** Returns the MiB of memory of the machine or, if less, of this process's control group. */
export function readMemoryMb(): number {
  // Without a limit, it is 0 or larger than the machine.
  const limit = process.constrainedMemory();
  const bytes = limit > 0 ? Math.min(limit, os.totalmem()) : os.totalmem();
  return Math.floor(bytes / 2 ** 20);
}
