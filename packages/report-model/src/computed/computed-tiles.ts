import type { ConditionalFormat } from '../files/conditional-format.ts';
import type { FormatOptions } from '../files/format.ts';
import type { Grain, TileType } from '../files/tiles.ts';

/** A number, its decimal text if a double would lose digits, or `null` if there is no value. */
export type Value = number | string | null;

/** A value of a dimension: text, number or ISO 8601 time without zone; `null` is shown as "(blank)". */
export type Key = string | number | boolean | null;

export interface Dimension {
  name: string;
  /** The field that a filter by key uses. Without it, readers cannot filter by keys. */
  field?: string | undefined;
  /** `time`: keys are ISO 8601, the start of their period; `number`: numbers; `category`: text. */
  kind: 'time' | 'number' | 'category';
  /**
   * Positions in a longer period have the kind `number`: `month of year` is 1 to 12, `day of week` is
   * 1 (Monday) to 7, `hour of day` is 0 to 23.
   */
  grain?: Grain | undefined;
  /** The format of a field of numbers. */
  format?: FormatOptions | undefined;
  /** Values in their own order. Others come after them. */
  order?: readonly Key[] | undefined;
  /** Colors of values by their texts, as `#rrggbb`. */
  colors?: Readonly<Record<string, string>> | undefined;
  /**
   * The address to which a value links: literal parts, and the indexes of the dimensions whose values
   * stand between them. Only in tables.
   */
  link?: readonly (string | number)[] | undefined;
}

export interface Metric {
  name: string;
  format: FormatOptions;
  /** Which numbers are the better ones. Default: the higher ones. */
  better?: 'lower' | 'neither' | undefined;
  /** Whether the numbers of groups add up to that of all rows: sums and counts of rows. Default: no. */
  isAdditive?: boolean | undefined;
  conditionalFormat?: ConditionalFormat | undefined;
}

interface TileFields<Type extends TileType> {
  /** Position in the report: page, row and tile, such as `0.1.2`. */
  id: string;
  type: Type;
  title: string;
  /** Present if the author has written no title: `title` has the names of metrics and dimensions. */
  isTitleGenerated?: true;
  description?: string;
  /** Width in columns; a row has 12. */
  width: number;
}

/** Why a tile has no numbers. The page words it in the reader's language. */
export type TileFailure =
  | { code: 'failed' | 'out_of_memory' | 'overflow' | 'timeout' | 'unavailable' }
  | { code: 'too_much_data' | 'not_drawn' }
  | { code: 'too_many_marks' | 'too_many_periods'; limit: number }
  | { code: 'too_many_columns'; columns: number; limit: number };

/** A tile that could not be computed. */
export interface FailedTile extends TileFields<TileType> {
  failure: TileFailure;
}

/** The earlier period that a value is compared with. */
export type Comparison = `previous ${'year' | 'quarter' | 'month' | 'week' | 'day'}`;

export interface KpiTile extends TileFields<'kpi'> {
  metric: Metric;
  value: Value;
  /** The period of `value`, if it is compared. ISO 8601; the end is exclusive. */
  period?: { from: string; to: string; isIncomplete: boolean };
  comparison?: { label: Comparison; from: string; to: string; value: Value };
  sparkline?: { dimension: Dimension; points: { key: Key; value: Value }[] };
  target?: { value: Value };
}

/** Groups in the order in which they are drawn. */
export interface Groups {
  /** Number of groups: values of `x`, of a donut's `color`, of `point`, or rows of a table or pivot. */
  groupCount: number;
  /** Number of groups that are shown on their own. */
  shownCount: number;
}

/** One mark or cell: its keys in the order of the tile's dimensions, its values in that of its metrics. */
export interface Group {
  keys: Key[];
  values: Value[];
  /** Set if this group combines the groups beyond the limit, with the key `null`: their number. */
  other?: number;
  /** Set if this group combines the colors beyond the limit, with the key `null`: their number. */
  otherColors?: number;
  /** Set if this group combines the facets beyond the limit, with the key `null`: their number. */
  otherFacets?: number;
}

export interface ChartTile
  extends TileFields<'line' | 'area' | 'column' | 'bar' | 'donut'>, Groups {
  /** `x`, then `color` and `facet` if the tile has them. A donut has `color` alone. */
  dimensions: { role: 'x' | 'color' | 'facet'; dimension: Dimension }[];
  metrics: Metric[];
  stack?: 'stacked' | 'grouped' | 'percent';
  /**
   * On a time axis, each series has every period from the first to the last. A period without rows
   * is 0 for sums and counts, and `null` for other metrics.
   */
  groups: Group[];
  /** The last key of a time axis, if its period had not ended at the time of the data. */
  incompleteKey?: Key;
  /** Present if the chart has more than one level. */
  drill?: Drill;
}

/** The position of a chart in its levels. */
export interface Drill {
  /** The selected key of each level above. */
  path: { dimension: Dimension; key: Key }[];
  /** The level below, if there is one. */
  next?: Dimension;
}

export interface ScatterTile extends TileFields<'scatter'>, Groups {
  dimensions: { role: 'point' | 'color' | 'facet'; dimension: Dimension }[];
  /** `x`, `y`, and `size` if the tile has it. */
  metrics: Metric[];
  groups: Group[];
}

export interface TableTile extends TileFields<'table'>, Groups {
  dimensions: Dimension[];
  metrics: Metric[];
  groups: Group[];
  sort: { column: number; descending: boolean };
  pageSize: number;
  /** Whether readers can search the rows by their dimensions. Default: no. */
  isSearchable?: boolean;
  /** One value for each metric. */
  totals?: Value[];
}

/** The order of a pivot's rows. */
export interface PivotSort {
  /** Index into the dimensions of the rows, followed by the metrics. */
  column: number;
  descending: boolean;
  /** The column of a metric: keys of the first columns. Default: the total of all columns. */
  keys?: Key[] | undefined;
}

export interface PivotTile extends TileFields<'pivot'>, Groups {
  rows: Dimension[];
  columns: Dimension[];
  metrics: Metric[];
  /** Keys of `rows`, then of `columns`. */
  groups: Group[];
  /** Values for each combination of `rows`, for each of `columns`, and for all. */
  totals?: { rows: Group[]; columns: Group[]; all: Value[] };
  /**
   * Values for each combination of the first `rows` of the rows and the first `columns` of the columns.
   * Zero or all of both are in `groups` and `totals`.
   */
  subtotals?: { rows: number; columns: number; groups: Group[] }[];
  /** Absent in the order of the keys. */
  sort?: PivotSort;
  /** Set if there are too many cells to sort the rows. */
  isUnsortable?: boolean;
  /** The keys of periods that had not ended at the time of the data, by the index in all dimensions. */
  incompleteKeys?: { dimension: number; key: string }[];
}

export interface TextTile extends TileFields<'text'> {
  /** Markdown. */
  text: string;
}

/** A computed tile. */
export type Tile = KpiTile | ChartTile | ScatterTile | TableTile | PivotTile | TextTile;

export interface ComputedPage {
  name: string;
  rows: (Tile | FailedTile)[][];
}
