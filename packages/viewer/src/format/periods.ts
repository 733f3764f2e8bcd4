import type { Grain } from '@portal-embed/report-model';

/**
 * Parses a time of a dataset, which has no zone, as UTC. Browsers would read a date with a time of day
 * in the local zone.
 */
export const toDate = (time: string | number): Date =>
  new Date(
    typeof time === 'string' && /T[^Z+]*$/.test(time) && !/-\d\d:?\d\d$/.test(time)
      ? `${time}Z`
      : time,
  );

export type Period = Extract<Grain, 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour'>;

/** The labels of a time axis. */
export interface TimeTicks {
  times: Date[];
  /** The period between labels. */
  grain: Period;
}
