/** Causes of failed reports, for the metrics. */
export type FailureReason =
  | 'crashed'
  | 'failed'
  /** A data file cannot be fetched to this instance now. */
  | 'not_fetched'
  | 'out_of_memory'
  | 'overloaded'
  /** A number has more digits than the engine computes with. */
  | 'overflow'
  | 'timeout'
  /** A connection to another database does not work. */
  | 'unavailable';

/** A report could not be computed. The message is for the log, not for readers. */
export class ReportError extends Error {
  override name = 'ReportError';
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** A reader's view does not fit the report: it uses a field or a tile that the report does not show. */
export class ReaderViewError extends Error {
  override name = 'ReaderViewError';
}

/** The page has no tile with this id, or its tile has no values. */
export class UnknownTileError extends Error {
  override name = 'UnknownTileError';
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
