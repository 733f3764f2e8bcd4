import type {
  ChartTile,
  Group,
  Key,
  ResolvedDimension,
  TypedExpression,
  Value,
} from '@portal-embed/report-model';

import { anyOf, chooseRows, everyOf, negate } from '../plan/compare.ts';
import { isIncomplete } from '../plan/periods.ts';
import {
  keyTypeOf,
  type Condition,
  type PlanDimension,
  type PlanGroup,
  type PlanGroups,
  type PlanOrder,
  type PlanResult,
} from '../plan/plan.ts';
import { writeKey } from '../plan/values.ts';
import {
  describeMetric,
  findMetric,
  findPeriod,
  maxGroups,
  planDimension,
  TileError,
  type TileContext,
} from './context.ts';
import { fillTimes } from './fill.ts';

/** A dimension of a chart. */
export interface SeriesDimension<Role extends string = string> {
  role: Role;
  dimension: ResolvedDimension;
  /** Maximum number of keys with their own group. The others are combined. Default: no limit. */
  limit?: number | undefined;
  order: Omit<PlanOrder, 'index'>;
}

interface Series {
  metrics: ChartTile['metrics'];
  groups: Group[];
  /** Keys of the first dimension. */
  groupCount: number;
  shownCount: number;
  incompleteKey?: Key;
}

/** The keys of a dimension in the order in which they are drawn. */
interface Axis {
  plan: PlanDimension;
  keys: Key[];
  /** Number of keys beyond the limit. */
  otherCount: number;
}

interface Computed {
  /** In the order of the first dimension. */
  groups: Group[];
  /** In the order of the other dimensions. */
  bySeries: Group[];
  /** The first dimension. */
  axis: Axis;
  emptyValues: Value[] | undefined;
}

/** Computes the groups of a chart. Adds periods without rows, unless the groups are sorted by value. */
export async function computeSeries(
  context: TileContext,
  dimensions: readonly [SeriesDimension, ...SeriesDimension[]],
  metricNames: readonly string[],
): Promise<Series> {
  const metrics = metricNames.map((name) => findMetric(context.dataset, name));
  const expressions = metrics.map(({ expression }) => expression);
  const [x] = dimensions;
  const { groups, bySeries, axis, emptyValues } =
    dimensions.length === 1
      ? await computeOne(context, x, expressions)
      : await computeMany(context, dimensions, expressions);
  const { keys, otherCount } = axis;
  const { by, isDescending } = x.order;
  const isFilled = by === 'dimension';
  const filled = isFilled && fillTimes(x.dimension, bySeries, emptyValues, isDescending);
  const incompleteKey = findIncompleteKey(context, x.dimension, keys);
  return {
    metrics: metrics.map((metric) => describeMetric(metric)),
    groups: filled || groups,
    groupCount: keys.length + otherCount,
    shownCount: keys.length,
    ...(incompleteKey === undefined ? {} : { incompleteKey }),
  };
}

const tooManyGroups = () => new TileError({ code: 'too_many_marks', limit: maxGroups });

/** Computes one dimension: the groups up to the limit, then one group of the others. */
async function computeOne(
  context: TileContext,
  x: SeriesDimension,
  metrics: TypedExpression[],
): Promise<Computed> {
  const { rows, run } = context;
  const { axis, groups, emptyValues } = await computeAxis(context, x, metrics);
  const shown = groups.map(({ keys, values }): Group => ({ keys, values }));
  if (axis.otherCount === 0) return { groups: shown, bySeries: shown, axis, emptyValues };
  const beyond = chooseRows(rows, isBeyond(axis));
  const others = await run({ rows: beyond, dimensions: [], metrics, order: [] });
  const values = others.groups[0]?.values ?? [];
  const other = { keys: [null], values, other: axis.otherCount };
  return { groups: [...shown, other], bySeries: shown, axis, emptyValues };
}

/** The rows whose key is beyond the limit. */
function isBeyond({ plan, keys }: Axis): Condition {
  const { expression: operand, grain } = plan;
  const type = keyTypeOf(plan);
  const values = keys.filter((key) => key !== null).map((key) => writeKey(type, key));
  const isNull: Condition = { kind: 'null', operand };
  const isOneOf: Condition = grain
    ? { kind: 'grain', operand, grain, values }
    : { kind: 'in', operand, values };
  const isListed: Condition = values.length > 0 ? isOneOf : { kind: 'none' };
  return keys.includes(null)
    ? everyOf([negate(isListed), negate(isNull)])
    : anyOf([negate(isListed), isNull]);
}

/** Computes several dimensions: the keys of each, and a group for each combination of shown keys. */
async function computeMany(
  context: TileContext,
  dimensions: readonly [SeriesDimension, ...SeriesDimension[]],
  metrics: TypedExpression[],
): Promise<Computed> {
  const { axes, found } = await computeAxes(context, dimensions, metrics);
  const isCut = axes.some(({ otherCount }) => otherCount > 0);
  const { groups, groupCount, emptyValues } =
    found && !isCut ? found : await computeCells(context, axes, metrics);
  if (groupCount > groups.length) throw tooManyGroups();
  const sort = (order: readonly number[]) =>
    sortByAxes(axes, groups, order).map((group) => markOthers(dimensions, axes, group));
  const [first = 0, ...rest] = axes.keys();
  const [axis] = axes;
  if (!axis) throw new Error('A chart has no dimension.');
  return { groups: sort([first, ...rest]), bySeries: sort([...rest, first]), axis, emptyValues };
}

/** Whether the keys can be sorted here, because the dimension has no limit and is sorted by key. */
const isFree = ({ limit, order }: SeriesDimension) =>
  limit === undefined && order.by === 'dimension';

/** Computes the keys of each dimension. If all have one order, the same scan also gives the cells. */
async function computeAxes(
  context: TileContext,
  dimensions: readonly SeriesDimension[],
  metrics: TypedExpression[],
): Promise<{ axes: Axis[]; found?: PlanResult }> {
  const [wanted, ...others] = dimensions.filter((each) => !isFree(each)).map(({ order }) => order);
  // Of several dimensions, at most the first has no limit.
  const { by, isDescending } = wanted!;
  if (others.some((order) => order.by !== by || order.isDescending !== isDescending)) {
    const found = await Promise.all(
      dimensions.map((dimension) => computeAxis(context, dimension, metrics.slice(0, 1))),
    );
    return { axes: found.map(({ axis }) => axis) };
  }
  const indexes = by === 'metric' ? [0] : [...dimensions.keys()];
  const found = await context.run({
    rows: context.rows,
    dimensions: dimensions.map(({ dimension }) => planDimension(context.dataset, dimension)),
    metrics,
    order: indexes.map((index) => ({ by, index, isDescending })),
    limit: maxGroups,
    emptyValues: true,
    subtotals: dimensions.map(({ limit = maxGroups }, index) => ({ dimensions: [index], limit })),
  });
  const axes = dimensions.map((dimension, index) =>
    readAxis(context, dimension, found.subtotals[index] ?? { groups: [], groupCount: 0 }),
  );
  return { axes, found };
}

/** Computes a group for each combination of keys. Keys beyond a limit are combined. */
const computeCells = (
  { rows, run }: TileContext,
  axes: readonly Axis[],
  metrics: TypedExpression[],
): Promise<PlanResult> =>
  run({
    rows,
    dimensions: axes.map(({ plan, keys, otherCount }) =>
      otherCount > 0 ? { ...plan, kept: keys } : plan,
    ),
    metrics,
    order: [],
    limit: maxGroups,
    emptyValues: true,
  });

async function computeAxis(
  context: TileContext,
  dimension: SeriesDimension,
  metrics: TypedExpression[],
) {
  const found = await context.run({
    rows: context.rows,
    dimensions: [planDimension(context.dataset, dimension.dimension)],
    metrics,
    order: [{ ...dimension.order, index: 0 }],
    limit: dimension.limit ?? maxGroups,
    emptyValues: true,
  });
  return { ...found, axis: readAxis(context, dimension, found) };
}

function readAxis(
  { dataset }: TileContext,
  axis: SeriesDimension,
  { groups, groupCount }: PlanGroups,
): Axis {
  const { dimension, limit, order } = axis;
  const otherCount = groupCount - groups.length;
  if (limit === undefined && otherCount > 0) throw tooManyGroups();
  const keys = groups.map((group) => group.keys[0] ?? null);
  const plan = planDimension(dataset, dimension);
  if (!isFree(axis)) return { plan, keys, otherCount };
  const known = keys.filter((key) => key !== null).toSorted((one, other) => (one < other ? -1 : 1));
  const sorted = order.isDescending ? known.toReversed() : known;
  return { plan, keys: keys.includes(null) ? [...sorted, null] : sorted, otherCount };
}

const comparePlaces = (one: number[], other: number[]) =>
  one.map((place, index) => place - (other[index] ?? 0)).find((gap) => gap !== 0) ?? 0;

/** Sorts groups by the positions of their keys on the axes in `order`. Combined keys come last. */
function sortByAxes(
  axes: readonly Axis[],
  groups: readonly PlanGroup[],
  order: readonly number[],
): PlanGroup[] {
  const places = axes.map(({ keys }) => new Map(keys.map((key, index) => [key, index])));
  const placed = groups.map((group) => ({
    group,
    places: order.map((index) => {
      const last = places[index]?.size ?? 0;
      if (group.isOther[index]) return last;
      return places[index]?.get(group.keys[index] ?? null) ?? last;
    }),
  }));
  return placed
    .toSorted((one, other) => comparePlaces(one.places, other.places))
    .map(({ group }) => group);
}

function markOthers(
  dimensions: readonly SeriesDimension[],
  axes: readonly Axis[],
  { keys, isOther, values }: PlanGroup,
): Group {
  const group: Group = { keys, values };
  for (const [index, { role }] of dimensions.entries()) {
    const count = axes[index]?.otherCount ?? 0;
    if (!isOther[index]) continue;
    if (index === 0) group.other = count;
    else if (role === 'color') group.otherColors = count;
    else group.otherFacets = count;
  }
  return group;
}

/** The last period, if the data ends before the period does. */
export function findIncompleteKey(
  { dataAsOf }: TileContext,
  dimension: ResolvedDimension,
  keys: readonly Key[],
): string | undefined {
  const period = findPeriod(dimension);
  const last = keys
    .filter((key) => typeof key === 'string')
    .toSorted()
    .at(-1);
  if (!period || last === undefined || dataAsOf === undefined) return undefined;
  return isIncomplete(last, period, dataAsOf) ? last : undefined;
}
