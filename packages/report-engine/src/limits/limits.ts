/**
 * The queues of the report engine. A query that finds no place or waits too long fails with the reason
 * `overloaded`, which the portal answers with 503. The portal's settings say how many run.
 */

/** What a queue allows that says nothing else. */
export const defaultWaiting = {
  /** Waiting queries of one organization. */
  maxWaiting: 2_000,
  maxWaitMs: 60_000,
};

/** Part of the running queries that one organization may have. */
export const organizationShare = 0.75;

/**
 * A conversion of a data file takes up to a gigabyte of memory and two threads. Each organization has
 * one at a time, so that its files cannot hold up those of the others.
 */
export const conversionTurns = { concurrency: 2, perUser: 1, maxWaiting: 20 };

/** Large results are read and written in slices, one at a time, because they share the event loop. */
export const sliceTurns = { concurrency: 1, perUser: 1 };
