import type { Aggregate, FieldType, Grain, RowFunction } from '@portal-embed/report-model';

import type { Sql } from './sql.ts';

/** How one engine writes what the query plan asks for. Each engine gives the same results. */
export interface Dialect {
  /** Quotes a name that exists. */
  quote: (name: string) => Sql;
  /** @param index from 0 */
  placeholder: (index: number) => string;
  /** A type that holds every value of a field type. */
  typeOf: (type: FieldType) => Sql;
  /**
   * Reads a column of the source as a field type. NaN and infinities are null, and a time is the wall
   * clock of the time zone.
   *
   * @param sourceType the engine's own name of the column's type
   */
  readColumn: (column: Sql, sourceType: string, timeZone: string) => Sql;
  /** Converts a value. Fails if it does not fit the type. */
  cast: (value: Sql, to: FieldType) => Sql;
  /** A value of the type, written as text. */
  literal: (text: string, type: FieldType) => Sql;
  /** The right side of `in`: values of the type, written as text. */
  list: (texts: readonly string[], type: FieldType, each?: (value: Sql) => Sql) => Sql;
  /** The start of the period, as a date; of an hour, as a date and time. */
  startOf: (value: Sql, grain: Grain) => Sql;
  /** The place of a time in a longer period, as an integer. */
  placeOf: (value: Sql, grain: Grain) => Sql;
  /** A function of one row, whose arguments have the types that the language gives them. */
  call: Record<RowFunction, (values: readonly Sql[], types: readonly FieldType[]) => Sql>;
  /** A function of many rows. */
  aggregate: Record<Aggregate, (values: readonly Sql[]) => Sql>;
  /** The remainder with the sign of the dividend, as a double. */
  remainder: (dividend: Sql, divisor: Sql) => Sql;
}
