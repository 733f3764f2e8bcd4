import type { FieldType, Grain, Key, TypedExpression, Value } from '@portal-embed/report-model';

/**
 * Which rows count. It is true, false or unknown for each row, as in SQL: a row counts if it is true,
 * so neither an unknown condition nor its negation lets a row through.
 */
export type Condition =
  | { kind: 'every' | 'none' | 'unknown' }
  | { kind: 'and' | 'or'; parts: readonly Condition[] }
  | { kind: 'not'; part: Condition }
  | {
      kind: 'in';
      operand: TypedExpression;
      /** At least one, each a text of the operand's type. */
      values: readonly string[];
      ignoreCase?: boolean;
    }
  | { kind: 'range'; operand: TypedExpression; from?: Bound; to?: Bound }
  | { kind: 'null'; operand: TypedExpression };

export interface Bound {
  /** That of the operand, or for an integer a decimal: an end beyond 64 bits is no integer. */
  type: FieldType;
  value: string;
  isIncluded: boolean;
}

/** What rows are grouped by. */
export interface PlanDimension {
  expression: TypedExpression;
  grain?: Grain | undefined;
  /** The keys that remain groups of their own. The others become one group. Default: all. */
  kept?: readonly Key[];
}

export interface PlanOrder {
  by: 'dimension' | 'metric';
  index: number;
  isDescending: boolean;
}

/** One question about the rows of a dataset. */
export interface QueryPlan {
  rows: Condition;
  dimensions: readonly PlanDimension[];
  metrics: readonly TypedExpression[];
  /** Groups with equal values are in the order of their keys. Nulls are last. */
  order: readonly PlanOrder[];
  limit?: number | undefined;
  /** Groups by some of the dimensions, in the same scan of the rows. */
  subtotals?: readonly Subtotal[];
  /** Whether to compute what the metrics are of no rows: 0 for sums and counts. */
  emptyValues?: boolean;
}

export interface Subtotal {
  /** Indexes of the dimensions, in ascending order; none for the total of all rows. */
  dimensions: readonly number[];
  limit?: number | undefined;
}

export interface PlanGroup {
  keys: Key[];
  /** Whether the key stands for all keys that are not kept. */
  isOther: boolean[];
  values: Value[];
}

export interface PlanGroups {
  groups: PlanGroup[];
  /** Number of groups, beyond the limit too. */
  groupCount: number;
}

export interface PlanResult extends PlanGroups {
  subtotals: PlanGroups[];
  /** Absent if there are no groups. */
  emptyValues?: Value[];
}
