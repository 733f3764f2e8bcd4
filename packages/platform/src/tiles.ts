import type {
  AppliedFilter,
  ComputedPage,
  FieldType,
  FieldValues,
  FilterField,
  FormatOptions,
  Key,
  ReaderView,
  RoleText,
} from '@portal-embed/report-model';

import type { CustomFilter } from './reading.ts';

/** A report whose tiles the viewer's page draws. Each method is one computation. */
export interface Tiles {
  kind: 'tiles';
  /**
   * Computes a page. A tile that fails has a failure; the others are still computed.
   *
   * @throws `ReportError` if the report cannot be computed; `UnappliedFiltersError`, before it computes
   *   anything, if a filter matches no column and `unappliedFilters` is `refuse`; `ReaderViewError` if
   *   the reader's view does not fit the report
   */
  page: (request: PageRequest) => Promise<ComputedReport>;
  /**
   * Lists the values of a field for which the report declares a filter. Default: it declares none.
   *
   * @throws as `page`; `ReaderViewError` if the report declares no filter for the field
   */
  values?: (request: ValuesRequest) => Promise<FieldValues>;
  /**
   * Exports all groups of one tile. Computes the first ones at once, and the others as they are read.
   * Default: no tile can be exported.
   *
   * @throws as `page`; `UnknownTileError`
   */
  export?: (request: ExportRequest) => Promise<ExportedTile>;
}

/** What varies while the report, its content and the reader's rows stay. */
export interface PageRequest {
  /** Index of the page. An index without a page selects the first one. */
  page: number;
  /** What the reader has chosen. Default: nothing. */
  view?: ReaderView | undefined;
}

export interface ValuesRequest extends PageRequest {
  field: string;
  /** Only values that contain this text, in any letter case. Default: all. */
  search?: string | undefined;
}

export interface ExportRequest extends PageRequest {
  /** The tile's id. */
  tile: string;
}

export interface ComputedReport {
  /** What each of the reader's roles allows, in the order of the roles. Default: roles have names only. */
  roleTexts?: RoleText[];
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

export interface ExportedTile {
  columns: ExportColumn[];
  rowCount: number;
  /** Cells in the order of the columns, unformatted; dates are ISO 8601. Can be read once. */
  rows: AsyncIterable<Key[][]>;
}

/** What stands above the name of a column. */
export interface ExportHead {
  value: Key;
  type: FieldType;
}

export interface ExportColumn {
  name: string;
  type: FieldType;
  /** The format of a metric. */
  format?: FormatOptions;
  /**
   * The groups of a pivot's columns to which it belongs, from the top; empty for its rows. Adjacent
   * columns with equal heads are one group. Default: the file has no groups of columns.
   */
  heads?: ExportHead[];
}
