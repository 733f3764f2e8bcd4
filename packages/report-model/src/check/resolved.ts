import type { PivotSort } from '../computed/computed-tiles.ts';
import type { TypedExpression } from '../expression/tree.ts';
import type { ConditionalFormat } from '../files/conditional-format.ts';
import type { Dataset, FieldType, Hierarchy, MetricDefinition, Role } from '../files/dataset.ts';
import type { FormatOptions } from '../files/format.ts';
import type { Grain, TileDefinition, TileType } from '../files/tiles.ts';
import type { LostColumns } from '../issues/nearest.ts';

/** A value of a field that can have an order of its own. */
export type Member = string | boolean;

/** A column of the source, or a computed field. */
export interface ResolvedField {
  name: string;
  description?: string;
  type: FieldType;
  format?: FormatOptions;
  /** Values in their own order. Others come after them. */
  order?: readonly Member[];
  /** Colors of values by their texts, as `#rrggbb`. */
  colors?: Readonly<Record<string, string>>;
  /** Contains only columns: other fields are replaced by their expressions. */
  expression: TypedExpression;
}

export type NumericType = 'integer' | 'decimal' | 'number';

export interface ResolvedMetric {
  name: string;
  description?: string;
  type: NumericType;
  format: FormatOptions;
  better: NonNullable<MetricDefinition['better']>;
  conditionalFormat?: ConditionalFormat;
  /** Contains only aggregates over columns: other metrics are replaced by their expressions. */
  expression: TypedExpression;
}

/** A dataset whose names exist and whose types fit the columns of its source. */
export interface ResolvedDataset {
  name: string;
  description?: string;
  timeZone: string;
  rowAccess: Dataset['rowAccess'];
  /** The name of a field of type `date` or `datetime`. */
  time?: string;
  fields: ReadonlyMap<string, ResolvedField>;
  metrics: ReadonlyMap<string, ResolvedMetric>;
  hierarchies: readonly Hierarchy[];
  roles: readonly Role[];
}

/** A dataset that may have mistakes. Reports and look-ups that use it are checked against it. */
export interface DraftDataset extends ResolvedDataset {
  /** Fields and metrics that have a mistake. */
  broken: ReadonlySet<string>;
  /** Default: none. */
  lost?: LostColumns | undefined;
}

/** A field by which a tile groups. */
export interface ResolvedDimension {
  /** As the file writes it, such as `Order Date by month`. */
  name: string;
  field: string;
  type: FieldType;
  grain?: Grain;
}

type Definitions = { [Type in TileType]: Extract<TileDefinition, { type: Type }> };

/** Accepts only a map that names properties of every type of tile. */
type OfEveryTile<Properties extends { [Type in TileType]: keyof Definitions[Type] }> = Properties;

/** The properties of each tile that name dimensions. */
type DimensionProperties = OfEveryTile<{
  kpi: never;
  line: 'x' | 'color' | 'facet';
  area: 'x' | 'color' | 'facet';
  column: 'x' | 'color' | 'facet';
  bar: 'x' | 'color' | 'facet';
  scatter: 'point' | 'color' | 'facet';
  donut: 'color';
  table: 'dimensions';
  pivot: 'rows' | 'columns';
  text: never;
}>;

type Resolved<Value> = Value extends string
  ? ResolvedDimension
  : Value extends string[]
    ? ResolvedDimension[]
    : Value;

interface ResolvedTileFields {
  /** Position in the report: page, row and tile, such as `0.1.2`. */
  id: string;
  /** Empty for a text without a title. */
  title: string;
  /** Present if the author has written no title. */
  isTitleGenerated?: true;
  /** Width in columns; a row has 12. */
  width: number;
}

type WithDimensions<Definition, Names> = {
  [Key in keyof Definition as Exclude<Key, 'title' | 'width'>]: Key extends Names
    ? Resolved<Definition[Key]>
    : Definition[Key];
} & ResolvedTileFields;

export interface ResolvedTableTile extends WithDimensions<
  Omit<Definitions['table'], 'sort'>,
  DimensionProperties['table']
> {
  /** `column` is an index into the dimensions, followed by the metrics. */
  sort: { column: number; descending: boolean };
}

export interface ResolvedPivotTile extends WithDimensions<
  Definitions['pivot'],
  DimensionProperties['pivot']
> {
  /** What the reader has chosen. Default: by the keys. */
  sort?: PivotSort | undefined;
}

/** A tile whose dimensions are resolved. */
export type ResolvedTile =
  | ResolvedTableTile
  | ResolvedPivotTile
  | {
      [Type in Exclude<TileType, 'table' | 'pivot'>]: WithDimensions<
        Definitions[Type],
        DimensionProperties[Type]
      >;
    }[Exclude<TileType, 'table' | 'pivot'>];

export interface ResolvedFilter {
  field: string;
  type: FieldType;
  /** Any of these values, which `parseFilterValue` reads. */
  default?: string[];
}

export interface ResolvedPage {
  name: string;
  rows: { tiles: ResolvedTile[] }[];
}

/** A report whose names exist in its dataset. */
export interface ResolvedReport {
  name: string;
  description?: string;
  filters: ResolvedFilter[];
  pages: ResolvedPage[];
}
