import type { CustomFilter } from '@portal-embed/contract';
import type { RowPredicate, Tile } from '@portal-embed/report-model';

import type { PlatformName } from './registry.ts';

/** Computes reports. The portal decides who may see which report and which rows. */
export interface ReportPlatform {
  /**
   * Never ignores a part of `visibleRows`.
   *
   * @throws `ReportError` if the report cannot be computed; `UnappliedFiltersError`, before it computes
   *   anything, if a filter matches no column and `unappliedFilters` is `refuse`.
   */
  compute: (request: ReportRequest) => Promise<ComputedReport>;
  /** Current number of queries. */
  usage: () => QueryUsage;
  close: () => Promise<void>;
}

export interface QueryUsage {
  running: number;
  waiting: number;
}

export interface ReportRequest {
  /** Turns rotate among organizations, and within one among its users. */
  organizationId: string;
  userId: string;
  platform: PlatformName;
  dataset: { name: string; file: string };
  /** In the platform's own shape, which the platform checks. */
  definition: unknown;
  /** Rows that row-level security allows. */
  visibleRows: RowPredicate;
  viewerEmail: string;
  /**
   * Lists of filters, such as those of the identity URL and those of the reader. All lists must hold.
   */
  filters: readonly (readonly CustomFilter[])[];
  /** Whether filters that match no column are listed in the result or refuse the report. */
  unappliedFilters: 'note' | 'refuse';
  /** Aborts when the reader has disconnected. */
  signal: AbortSignal;
}

export interface ComputedReport {
  /** Keys of filters that match no column. */
  unappliedFilters: string[];
  /** Number of remaining rows. */
  rowCount: number;
  tiles: Tile[];
}

/** Causes of failed reports, for the metrics. */
export type FailureReason = 'crashed' | 'failed' | 'out_of_memory' | 'overloaded' | 'timeout';

/** A report could not be computed. The message is for the log, not for readers. */
export class ReportError extends Error {
  override name = 'ReportError';
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Some filters match no column, and `unappliedFilters` is `refuse`. */
export class UnappliedFiltersError extends Error {
  override name = 'UnappliedFiltersError';
  readonly keys: readonly string[];

  constructor(keys: readonly string[]) {
    super(`The report has no column for: ${keys.join(', ')}.`);
    this.keys = keys;
  }
}
