import type { Aggregate, FieldType, Grain, RowFunction } from '@portal-embed/report-model';

import type { Parameter, Sql } from './sql.ts';

/** What a condition compares a column with. */
export type Comparison =
  | { end: 'from' | 'to'; type: FieldType; value: string; isIncluded: boolean }
  | { type: FieldType; values: readonly string[] };

/** A comparison of a stored column. */
export interface Narrowing {
  /** True for every row whose value, as it is read, matches the comparison. */
  condition: Sql;
  /**
   * Whether it is true for no other row. A single bound may also match an infinity, which is read as
   * null.
   */
  isExact: boolean;
}

/** A column of the source. */
export interface ColumnType {
  /** The engine's own name of the type. */
  name: string;
  /** Whether each value is known to be finite, so that none becomes null. */
  isFinite: boolean;
}

/** The SQL of one engine. All dialects must give the same results. */
export interface Dialect {
  /**
   * Whether a statement without subtotals filters and groups in one SELECT. Each server of a cluster then
   * groups its own rows before it sends them. Default: false.
   */
  readonly inlinesRows?: boolean;
  /** Whether `isRowIn` cannot use an index, and conditions on its columns can. Default: false. */
  readonly narrowsRows?: boolean;
  /** Quotes the name of an existing table or column. */
  quote: (name: string) => Sql;
  /** @param index from 0 */
  placeholder: (index: number, value: Parameter['value']) => string;
  /** The field type in which a column is read. Types without a field type are text. */
  fieldTypeOf: (sourceType: string) => FieldType;
  /** The values of a type that orders them, such as an enum. Default: no type does. */
  orderOf?: (sourceType: string) => readonly string[] | undefined;
  /** The engine's type for a field type. */
  typeOf: (type: FieldType) => Sql;
  /**
   * Reads a column of the source as a field type. NaN and infinities are null, and a time is the wall
   * clock of the time zone.
   */
  readColumn: (column: Sql, type: ColumnType, timeZone: string) => Sql;
  /**
   * Compares the stored column, so that the engine can use an index.
   *
   * @returns `undefined` if the column needs no conversion, or if the type has no such comparison
   */
  narrow?: (
    column: Sql,
    type: ColumnType,
    timeZone: string,
    comparison: Comparison,
  ) => Narrowing | undefined;
  /** Converts a value. A text that is not a value of the type is null. */
  cast: (value: Sql, from: FieldType, to: FieldType) => Sql;
  /** Types whose comparisons fail for some values of a stored column. Default: none. */
  readonly failingTypes?: ReadonlySet<FieldType>;
  /** A value of the type, written as text. */
  literal: (text: string, type: FieldType) => Sql;
  /**
   * Whether the value is one of the texts, which are values of its type; null if the value is null.
   *
   * @param ignoreCase whether to compare texts without letter case
   */
  isIn: (value: Sql, texts: readonly string[], type: FieldType, ignoreCase?: boolean) => Sql;
  /**
   * Whether the values, of which none is null, stand together in one row of the columns.
   *
   * @param columns for each value, the texts of its type in all rows
   */
  isRowIn: (
    values: readonly Sql[],
    columns: readonly (readonly string[])[],
    types: readonly FieldType[],
  ) => Sql;
  /**
   * Whether a part of a text, which is not null, fulfils a condition.
   *
   * @param separator what is between two parts
   */
  hasPart: (text: Sql, separator: string, isWanted: (part: Sql) => Sql) => Sql;
  /** Whether the value equals one of the others, which are expressions of its type. */
  isOneOf: (value: Sql, others: readonly Sql[]) => Sql;
  /** The value as it is sorted and compared with `<`: text by its bytes. */
  sortable: (value: Sql, type: FieldType) => Sql;
  /** The value as rows are grouped by it: -0 and 0 are one key. */
  key: (value: Sql, type: FieldType) => Sql;
  /** The standard's `grouping`: a bit for each key that the grouping set lacks. */
  grouping: (keys: readonly Sql[]) => Sql;
  /** The start of a period: a timestamp for an hour, a date for other periods. */
  startOf: (value: Sql, grain: Grain) => Sql;
  /** The position of a time in a longer period as an integer, such as the hour of the day. */
  placeOf: (value: Sql, grain: Grain) => Sql;
  /** Functions of one row. The checker has converted their arguments. `today` is a literal. */
  call: Record<
    Exclude<RowFunction, 'today'>,
    (values: readonly Sql[], types: readonly FieldType[]) => Sql
  >;
  /** Functions of many rows, whose text arguments are as `sortable` writes them. */
  aggregate: Record<Aggregate, (values: readonly Sql[], types: readonly FieldType[]) => Sql>;
  /** The remainder with the sign of the dividend, as a double. */
  remainder: (dividend: Sql, divisor: Sql) => Sql;
}
