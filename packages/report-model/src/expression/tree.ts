import type { FieldType } from '../files/dataset.ts';

/** Functions of one row. */
export const rowFunctions = [
  'abs',
  'coalesce',
  'concat',
  'contains',
  'date_diff',
  'date_trunc',
  'day',
  'ends_with',
  'hour',
  'left',
  'length',
  'lower',
  'month',
  'nullif',
  'quarter',
  'replace',
  'right',
  'round',
  'split_part',
  'starts_with',
  'substring',
  'to_date',
  'to_number',
  'today',
  'trim',
  'upper',
  'year',
] as const;

/** Functions of many rows. `count()` counts rows. */
export const aggregates = [
  'avg',
  'count',
  'count_distinct',
  'max',
  'median',
  'min',
  'quantile',
  'sum',
] as const;

export type RowFunction = (typeof rowFunctions)[number];
export type Aggregate = (typeof aggregates)[number];

export type Operator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '||'
  | '='
  | '<>'
  | '<'
  | '<='
  | '>'
  | '>='
  | 'and'
  | 'or'
  | 'not'
  | 'negate'
  | 'is null'
  | 'in'
  | 'between';

/** Offsets in the text of the expression. `end` is exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** A parsed expression, before its names and types are checked. */
export type Expression = Span &
  (
    | { kind: 'literal'; type: 'text' | 'integer' | 'decimal' | 'boolean' | 'null'; value: string }
    | { kind: 'name'; name: string }
    | { kind: 'call'; function: string; arguments: Expression[] }
    /** `in` and `between` have the tested value first. `and` and `or` have two operands or more. */
    | { kind: 'operation'; operator: Operator; operands: Expression[] }
    | {
        kind: 'case';
        branches: { when: Expression; value: Expression }[];
        otherwise: Expression | undefined;
      }
  );

/** A checked expression. Every node has its type. */
export type TypedExpression = { type: FieldType } & (
  | { kind: 'literal'; value: string | null }
  /** A column of the source. */
  | { kind: 'column'; name: string }
  | { kind: 'call'; function: RowFunction | Aggregate; arguments: TypedExpression[] }
  | { kind: 'operation'; operator: Operator; operands: TypedExpression[] }
  /** Converts the operand to this node's type, which a file declares or an operation needs. */
  | { kind: 'cast'; operand: TypedExpression }
  | {
      kind: 'case';
      branches: { when: TypedExpression; value: TypedExpression }[];
      otherwise: TypedExpression | undefined;
    }
);
