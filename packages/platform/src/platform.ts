import type {
  ComputedPage,
  FieldType,
  FormatOptions,
  Key,
  LookUp,
  Role,
  ViewerAttribute,
  AppliedFilter,
  FieldValues,
  FilterField,
  ReaderView,
} from '@portal-embed/report-model';

/** Names of platforms, as the catalogue stores them. */
export type PlatformName = 'builtin';

/** Computes reports. The portal decides who may see which report and which rows. */
export interface ReportPlatform {
  /**
   * Never ignores a part of `visibleRows`. A tile that fails has an error; the others
   * are still computed.
   *
   * @throws `ReportError` if the report cannot be computed; `UnappliedFiltersError`, before it computes
   *   anything, if a filter matches no column and `unappliedFilters` is `refuse`; `ReaderViewError` if
   *   the reader's view does not fit the report.
   */
  compute: (request: ReportRequest) => Promise<ComputedReport>;
  /**
   * Exports all groups of one tile. Computes the first ones at once, and the others as they are read.
   *
   * @throws as `compute`; `UnknownTileError`
   */
  export: (request: ExportRequest) => Promise<ExportedTile>;
  /**
   * Lists the values of a field for which the report declares a filter.
   *
   * @throws like `compute`; `ReaderViewError` if the report declares no filter for the field.
   */
  listValues: (request: ValuesRequest) => Promise<FieldValues>;
  /** Current number of queries. */
  usage: () => QueryUsage;
  close: () => Promise<void>;
}

export interface QueryUsage {
  running: number;
  waiting: number;
}

/** A dataset as the catalogue stores it. */
export interface StoredDataset {
  name: string;
  /** In the platform's own shape, which the platform checks. */
  source: unknown;
  /** That of the organization, for a source that names none. IANA name. */
  timeZone: string;
}

/** The rows that one role allows. */
export type RoleRows = Role['rows'];

/** The attributes of the reader, with which roles compare. `email` is the stored address. */
export type Viewer = Readonly<Record<ViewerAttribute, readonly string[]>> & {
  /**
   * Another user's address differs only in its sigmas. Then the address is compared exactly, so that
   * neither sees the rows of the other. Default: no.
   */
  readonly hasEmailTwin?: boolean;
};

/** A filter with which a report is opened. `key` is `Table/Column` or `Column`. */
export interface CustomFilter {
  key: string;
  value: string;
}

export interface ReportRequest {
  /** Turns of queries rotate among organizations, and within one among its users. */
  organizationId: string;
  userId: string;
  platform: PlatformName;
  dataset: StoredDataset;
  /** The report in the platform's own shape, which the platform checks. */
  source: unknown;
  /** Index of the page to compute. An index without a page selects the first one. */
  page: number;
  /** Rows that row-level security allows: those of any of these roles. */
  visibleRows: readonly RoleRows[];
  /** What is known about the reader. */
  viewer: Viewer;
  /** Whether an operator granted the connection to the organization. */
  isGranted: (connection: string) => Promise<boolean>;
  /** Finds a dataset of the same organization, from which a role looks up values. */
  findDataset: (slug: LookUp['lookup']) => Promise<StoredDataset | undefined>;
  /** Lists of filters that the reader cannot change. All lists must hold. */
  filters: readonly (readonly CustomFilter[])[];
  /** What the reader has chosen. Default: nothing. */
  view?: ReaderView | undefined;
  /** Whether filters that match no column are listed in the result or refuse the report. */
  unappliedFilters: 'note' | 'refuse';
  /** Called with the error of a tile that could not be computed; the reader gets a short text. */
  onTileFailure: (error: unknown) => void;
  /** Aborts when the reader has disconnected. */
  signal: AbortSignal;
}

export interface ValuesRequest extends ReportRequest {
  field: string;
  /** Only values that contain this text, in any letter case. Default: all. */
  search?: string | undefined;
}

export interface ComputedReport {
  /** Keys of filters that match no column. */
  unappliedFilters: string[];
  /** Filters that match no row because the value does not have the type of its column. */
  unreadableFilters: CustomFilter[];
  /** The reader's filters, and the report's defaults for fields that no other filter uses. */
  readerFilters: AppliedFilter[];
  /** The fields that the report offers to filter by. */
  filterFields: FilterField[];
  /** Number of rows after all filters. */
  rowCount: number;
  /**
   * Latest value of the dataset's time: ISO 8601, wall clock of `timeZone`. Absent for a reader whose
   * roles allow no row.
   */
  dataAsOf?: string;
  /** IANA name. */
  timeZone: string;
  /** Names of the report's pages. */
  pages: string[];
  page: ComputedPage & { index: number };
}

export interface ExportRequest extends ReportRequest {
  /** The tile's id. */
  tile: string;
}

export interface ExportedTile {
  columns: ExportColumn[];
  rowCount: number;
  /** Cells in the order of the columns, unformatted; dates are ISO 8601. Can be read once. */
  rows: AsyncIterable<Key[][]>;
}

export interface ExportColumn {
  name: string;
  type: FieldType;
  /** The format of a metric. */
  format?: FormatOptions;
}

/** The page has no tile with this id, or its tile has no values. */
export class UnknownTileError extends Error {
  override name = 'UnknownTileError';
}

/** Causes of failed reports, for the metrics. */
export type FailureReason =
  | 'crashed'
  | 'failed'
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

/** Some filters match no column, and `unappliedFilters` is `refuse`. */
export class UnappliedFiltersError extends Error {
  override name = 'UnappliedFiltersError';
  readonly keys: readonly string[];

  constructor(keys: readonly string[]) {
    super(`The report has no column for: ${keys.join(', ')}.`);
    this.keys = keys;
  }
}
