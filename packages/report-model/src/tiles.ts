import type { NumberFormat, SeriesMark } from './definition.ts';

interface TileFields {
  id: string;
  title: string;
}

/** One number. */
export interface KpiTile extends TileFields {
  mark: 'kpi';
  format: NumberFormat;
  /** `null` if no row remains. */
  value: number | null;
}

/** Values of a measure along a dimension. */
export interface SeriesTile extends TileFields {
  mark: SeriesMark;
  dimension: {
    label: string;
    /** `time`: x is an ISO 8601 date; `number`: a number; `category`: text. */
    kind: 'time' | 'number' | 'category';
  };
  measure: { label: string; format: NumberFormat };
  points: { x: string | number | null; y: number | null }[];
}

/** A computed tile. */
export type Tile = KpiTile | SeriesTile;
