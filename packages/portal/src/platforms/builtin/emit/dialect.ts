import type { Aggregate, FieldType, Grain, RowFunction } from '@portal-embed/report-model';

import type { Sql } from './sql.ts';

/** A column of the source. */
export interface ColumnType {
  /** The engine's own name of the type. */
  name: string;
  /** Whether each value is known to be finite, so that none becomes null. */
  isFinite: boolean;
}

/** The SQL of one engine. All dialects must give the same results. */
export interface Dialect {
  /** Quotes a name that exists. */
  quote: (name: string) => Sql;
  /** @param index from 0 */
  placeholder: (index: number) => string;
  /** The engine's type for a field type. */
  typeOf: (type: FieldType) => Sql;
  /**
   * Reads a column of the source as a field type. NaN and infinities are null, and a time is the wall
   * clock of the time zone.
   */
  readColumn: (column: Sql, type: ColumnType, timeZone: string) => Sql;
  /** Converts a value. Fails if it does not fit the type. */
  cast: (value: Sql, to: FieldType) => Sql;
  /** A value of the type, written as text. */
  literal: (text: string, type: FieldType) => Sql;
  /** The right side of `in`: values of the type, written as text. */
  list: (texts: readonly string[], type: FieldType, each?: (value: Sql) => Sql) => Sql;
  /** The start of a period: a timestamp for an hour, a date for other periods. */
  startOf: (value: Sql, grain: Grain) => Sql;
  /** The position of a time in a longer period as an integer, such as the hour of the day. */
  placeOf: (value: Sql, grain: Grain) => Sql;
  /** Functions of one row. The checker has converted their arguments. */
  call: Record<RowFunction, (values: readonly Sql[], types: readonly FieldType[]) => Sql>;
  /** Functions of many rows. */
  aggregate: Record<Aggregate, (values: readonly Sql[]) => Sql>;
  /** The remainder with the sign of the dividend, as a double. */
  remainder: (dividend: Sql, divisor: Sql) => Sql;
}
