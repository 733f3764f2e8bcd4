import {
  isCyclic,
  type FieldType,
  type Grain,
  type Key,
  type TypedExpression,
  type Value,
} from '@portal-embed/report-model';

/**
 * A condition on rows in the three-valued logic of SQL. It selects the rows for which it is true, so
 * an unknown condition and its negation both select none.
 */
export type Condition =
  | { kind: 'every' | 'none' | 'unknown' }
  | { kind: 'and' | 'or'; parts: readonly Condition[] }
  | { kind: 'not'; part: Condition }
  | {
      kind: 'in';
      operand: TypedExpression;
      /** At least one value, as text in the operand's type. */
      values: readonly string[];
      ignoreCase?: boolean;
      /** The separator of several texts in the operand. One of them must be a value. */
      split?: string;
    }
  /** The values of several operands stand together in one row. Unknown if one of them is null. */
  | {
      kind: 'match';
      operands: readonly TypedExpression[];
      /** For each operand, its values in all rows, as text in its type. At least one row. */
      columns: readonly (readonly string[])[];
    }
  /** The keys of a time: starts of periods, or positions in a longer period. At least one. */
  | { kind: 'grain'; operand: TypedExpression; grain: Grain; values: readonly string[] }
  | { kind: 'range'; operand: TypedExpression; from?: Bound; to?: Bound }
  | { kind: 'null'; operand: TypedExpression };

export interface Bound {
  /** The operand's type. A bound of an integer can be a decimal, because it can exceed 64 bits. */
  type: FieldType;
  value: string;
  isIncluded: boolean;
}

/** A dimension that rows are grouped by. */
export interface PlanDimension {
  expression: TypedExpression;
  grain?: Grain | undefined;
  /** The keys with their own group. All others are combined into one group. Default: all keys. */
  kept?: readonly Key[];
  /** Keys that are sorted in this order, before all others. Default: all keys are sorted by value. */
  order?: readonly NonNullable<Key>[] | undefined;
}

/** The type of a dimension's keys. */
export function keyTypeOf({
  expression,
  grain,
}: Pick<PlanDimension, 'expression' | 'grain'>): FieldType {
  if (grain === undefined) return expression.type;
  if (isCyclic(grain)) return 'integer';
  return grain === 'hour' ? 'datetime' : 'date';
}

export interface PlanOrder {
  by: 'dimension' | 'metric';
  index: number;
  isDescending: boolean;
}

/** The rows of a plan. */
export interface Rows {
  /** The rows that the reader's roles allow. */
  visible: Condition;
  /**
   * What is chosen among them: filters, drills, periods and searches. It is computed for visible rows
   * only, so that no error can tell what the other rows contain.
   */
  chosen: Condition;
}

/** One query over the rows of a dataset. */
export interface QueryPlan {
  rows: Rows;
  dimensions: readonly PlanDimension[];
  metrics: readonly TypedExpression[];
  /** Groups with equal values are ordered by their keys. Nulls come last. */
  order: readonly PlanOrder[];
  limit?: number | undefined;
  /** Number of groups to leave out before the first one. Only without subtotals. */
  offset?: number | undefined;
  /** Groups by some of the dimensions, computed in the same scan. */
  subtotals?: readonly Subtotal[];
  /** Whether to also compute the metrics over no rows, such as 0 for sums and counts. */
  emptyValues?: boolean;
}

export interface Subtotal {
  /** Indexes of the dimensions, in ascending order. Empty for the total of all rows. */
  dimensions: readonly number[];
  limit?: number | undefined;
}

export interface PlanGroup {
  keys: Key[];
  /** Whether the key stands for all keys that are not in `kept`. */
  isOther: boolean[];
  values: Value[];
}

export interface PlanGroups {
  groups: PlanGroup[];
  /** Number of groups, including those beyond the limit. */
  groupCount: number;
}

export interface PlanResult extends PlanGroups {
  subtotals: PlanGroups[];
  /** Absent if there are no groups. */
  emptyValues?: Value[];
}

/** The number of rows, as a metric. */
export const rowCount: TypedExpression = {
  kind: 'call',
  function: 'count',
  type: 'integer',
  arguments: [],
};
