import {
  isCyclic,
  type CyclicGrain,
  type Dimension,
  type FieldType,
  type Grain,
  type Metric,
  type PeriodUnit,
  type ResolvedDataset,
  type ResolvedDimension,
  type ResolvedMetric,
  type ResolvedTile,
  type Tile,
  type TileFailure,
  type TileType,
  type TypedExpression,
} from '@portal-embed/report-model';

import type { Ends } from '../plan/compare.ts';
import type { Period } from '../plan/periods.ts';
import type { PlanDimension, PlanResult, QueryPlan, Rows } from '../plan/plan.ts';
import type { Span } from '../plan/spans.ts';

/** The input of a tile's computation. */
export interface TileContext {
  dataset: ResolvedDataset;
  /** The rows that the reader's roles and the filters allow. */
  rows: Rows;
  /** Whether the reader's roles allow any row. */
  seesRows: () => Promise<boolean>;
  /** The time of the data: the latest value of the dataset's time. */
  dataAsOf: string | undefined;
  /** The part of the dataset's time that the filters allow. */
  shown: Ends;
  /** Like `rows`, with the filters on the dataset's time moved to the earlier span. */
  rowsBefore: (span: Span, period: PeriodUnit) => Rows;
  run: (plan: QueryPlan) => Promise<PlanResult>;
}

export type TileOf<Type extends TileType> = Extract<ResolvedTile, { type: Type }>;

/** The computed tile of a type: `never` if `Tile` has none. */
type ComputedOf<Type extends TileType, Computed extends Tile = Tile> = Computed extends Tile
  ? Type extends Computed['type']
    ? Computed
    : never
  : never;

export type ComputeTile<Type extends TileType> = (
  context: TileContext,
  tile: TileOf<Type>,
) => Promise<ComputedOf<Type>>;

/** A tile cannot be computed, for a reason that its reader can act on. */
export class TileError extends Error {
  override name = 'TileError';
  readonly failure: TileFailure;

  constructor(failure: TileFailure) {
    super(`The tile failed: ${failure.code}.`);
    this.failure = failure;
  }
}

/** Maximum number of groups of one tile. */
export const maxGroups = 10_000;

/** The fields that every computed tile has. */
export const describeTile = <Type extends TileType>({
  id,
  type,
  title,
  isTitleGenerated,
  description,
  width,
}: {
  id: string;
  type: Type;
  title: string;
  isTitleGenerated?: true;
  description?: string | undefined;
  width: number;
}) => ({
  id,
  type,
  title,
  ...(isTitleGenerated && { isTitleGenerated }),
  width,
  ...(description === undefined ? {} : { description }),
});

export function findMetric({ metrics }: ResolvedDataset, name: string): ResolvedMetric {
  const metric = metrics.get(name);
  if (!metric) throw new Error(`The dataset has no metric "${name}".`);
  return metric;
}

/** @param conditionalFormat replaces that of the metric */
export const describeMetric = (
  { name, format, better, expression, ...metric }: ResolvedMetric,
  conditionalFormat = metric.conditionalFormat,
): Metric => ({
  name,
  format,
  ...(better === 'higher' ? {} : { better }),
  ...(isAdditive(expression) ? { isAdditive: true } : {}),
  ...(conditionalFormat ? { conditionalFormat } : {}),
});

/** Whether the values of groups add up to the value of all rows. */
const isAdditive = (expression: TypedExpression): boolean =>
  expression.kind === 'call' && (expression.function === 'sum' || expression.function === 'count');

export function planDimension(
  { fields }: ResolvedDataset,
  { field: name, grain }: { field: string; grain?: Grain | undefined },
): PlanDimension {
  const field = fields.get(name);
  if (!field) throw new Error(`The dataset has no field "${name}".`);
  const { expression, order } = field;
  return { expression, grain, ...(order ? { order } : {}) };
}

/** The positions of a time in a longer period: the first one, and how many there are. */
const cycles: Record<CyclicGrain, { first: number; count: number }> = {
  'month of year': { first: 1, count: 12 },
  'day of week': { first: 1, count: 7 },
  'hour of day': { first: 0, count: 24 },
};

/** All keys of a dimension such as `hour of day`. */
export function listPlaces(grain: CyclicGrain): number[] {
  const { first, count } = cycles[grain];
  return Array.from({ length: count }, (_, index) => first + index);
}

/** The period of a dimension's keys, if they are periods. A date without a grain is a day. */
export function findPeriod({ type, grain }: ResolvedDimension): Period | undefined {
  if (grain === undefined) return type === 'date' ? 'day' : undefined;
  return isCyclic(grain) ? undefined : grain;
}

const kinds: Record<FieldType, Dimension['kind']> = {
  date: 'time',
  datetime: 'time',
  integer: 'number',
  decimal: 'number',
  number: 'number',
  text: 'category',
  boolean: 'category',
};

export function describeDimension(
  { fields }: ResolvedDataset,
  dimension: ResolvedDimension,
): Dimension {
  const { name, field, grain } = dimension;
  const isPlace = grain !== undefined && isCyclic(grain);
  const kind = isPlace ? 'number' : kinds[dimension.type];
  const { format: ofNumbers, order, colors } = fields.get(field) ?? {};
  const format = kind === 'number' && !grain ? ofNumbers : undefined;
  return {
    name,
    field,
    kind,
    ...(grain ? { grain } : {}),
    ...(format ? { format } : {}),
    ...(order ? { order } : {}),
    ...(colors ? { colors } : {}),
  };
}
