import type { Key } from '../computed/computed-tiles.ts';
import type { FieldType } from '../files/dataset.ts';
import type { FormatOptions } from '../files/format.ts';
import type { CyclicGrain, Grain } from '../files/tiles.ts';

/** What a reader has chosen in a report. It narrows the rows and never shows more of them. */
export interface ReaderView {
  /** A row must match all of them. Without `tile`, each field has at most one. */
  filters: ReaderFilter[];
  /** Orders of tables. Each tile has at most one. */
  sorts: TileSort[];
  /** Positions of charts in their levels. Each tile has at most one. */
  drills: TileDrill[];
  /** Texts that the rows of tables contain. Each tile has at most one. Default: none. */
  searches?: TileSearch[] | undefined;
}

export interface ReaderFilter {
  field: string;
  /**
   * A row must match one of them: a value, a range `from..to` or a period such as `last 12 months`;
   * `null` is blank. Without values, the filter only replaces the report's default.
   */
  values: Key[];
  /** The values are the starts of periods of this length, or positions in a longer period. */
  grain?: Grain | undefined;
  /**
   * Id of the tile whose marks the reader has selected. The filter applies to the other tiles of its
   * page.
   */
  tile?: string | undefined;
  /**
   * Number of the mark, if several marks of several dimensions are selected: a row must match all filters
   * of one of them. Only with `tile`.
   */
  mark?: number | undefined;
  /** Whether the marks also filter the other pages. Only with `tile`. Default: no. */
  allPages?: boolean | undefined;
}

export interface TileSort {
  tile: string;
  /** Index into the dimensions, followed by the metrics. A pivot has the dimensions of its rows. */
  column: number;
  descending: boolean;
  /** The column of a pivot's metric: keys of its first columns. Default: the total of all columns. */
  keys?: Key[] | undefined;
}

export interface TileSearch {
  tile: string;
  text: string;
}

export interface TileDrill {
  tile: string;
  /** The selected key of each level, from the first one. */
  path: Key[];
}

/** A field for which the report declares a filter. */
export interface FilterField {
  name: string;
  type: FieldType;
  format?: FormatOptions | undefined;
  /** The values of the report's default, in the form of `ReaderFilter`. */
  default?: string[] | undefined;
}

/** A filter of the reader or a default of the report, which limits the rows of the page. */
export interface AppliedFilter {
  field: string;
  type: FieldType;
  /** A period is its range `from..to`; `null` is blank. */
  values: (string | null)[];
  /** The values are positions in a longer period, such as 1 for January. */
  grain?: CyclicGrain | undefined;
  tile?: string | undefined;
  /** As in `ReaderFilter`. */
  mark?: number | undefined;
}

/** Values of a field in the rows that the reader may see, the most frequent first. */
export interface FieldValues {
  values: { key: Key; count: number }[];
  /** Number of values, including those beyond the limit. */
  valueCount: number;
}
