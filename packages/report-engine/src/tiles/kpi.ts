import type { KpiTile, PeriodUnit, ResolvedMetric, Value } from '@portal-embed/report-model';

import { chooseRows, isBetween, negate } from '../plan/compare.ts';
import { findComparedSpans } from '../plan/compared-spans.ts';
import { startOfPeriod, type Period } from '../plan/periods.ts';
import type { Rows } from '../plan/plan.ts';
import { startAfter, type Span } from '../plan/spans.ts';
import {
  describeDimension,
  describeMetric,
  describeTile,
  findMetric,
  type TileContext,
  type TileOf,
} from './context.ts';
import { fillTimes } from './fill.ts';

export async function computeKpi(context: TileContext, tile: TileOf<'kpi'>): Promise<KpiTile> {
  const metric = findMetric(context.dataset, tile.metric);
  const compared = tile.compare && findPeriods(context, tile.compare);
  const rows = compared?.rows ?? context.rows;
  const [value, comparison, sparkline, target, seesRows] = await Promise.all([
    computeValue(context, metric, rows),
    compared && computeValue(context, metric, compared.earlierRows),
    tile.sparkline && computeSparkline(context, metric, tile.sparkline),
    computeTarget(context, tile.target, rows),
    compared && context.seesRows(),
  ]);
  return {
    ...describeTile(tile),
    metric: describeMetric(metric),
    value,
    ...(compared && tile.compare && seesRows
      ? {
          period: compared.period,
          comparison: { label: tile.compare, ...compared.earlier, value: comparison ?? null },
        }
      : {}),
    ...(sparkline ? { sparkline } : {}),
    ...(target === undefined ? {} : { target: { value: target } }),
  };
}

async function computeValue(
  { run }: TileContext,
  { expression }: ResolvedMetric,
  rows: Rows,
): Promise<Value> {
  const { groups } = await run({ rows, dimensions: [], metrics: [expression], order: [] });
  return groups[0]?.values[0] ?? null;
}

async function computeTarget(
  context: TileContext,
  target: TileOf<'kpi'>['target'],
  rows: Rows,
): Promise<Value | undefined> {
  if (typeof target !== 'string') return target;
  return computeValue(context, findMetric(context.dataset, target), rows);
}

async function computeSparkline(
  context: TileContext,
  { expression }: ResolvedMetric,
  grain: Period & NonNullable<TileOf<'kpi'>['sparkline']>,
): Promise<KpiTile['sparkline']> {
  const time = findTime(context);
  if (!time) return undefined;
  const { groups, emptyValues } = await context.run({
    rows: chooseRows(context.rows, negate({ kind: 'null', operand: time.expression })),
    dimensions: [{ expression: time.expression, grain }],
    metrics: [expression],
    order: [],
    emptyValues: true,
  });
  const dimension = { name: time.name, field: time.name, type: time.type, grain };
  const points = fillTimes(dimension, groups, emptyValues) ?? [];
  return {
    dimension: describeDimension(context.dataset, dimension),
    points: points.map(({ keys: [key = null], values: [value = null] }) => ({ key, value })),
  };
}

const findTime = ({ dataset: { time, fields } }: TileContext) =>
  time === undefined ? undefined : fields.get(time);

/** The last period of the dataset's time and the earlier one, as far as the filters on the time allow. */
function findPeriods(context: TileContext, compare: NonNullable<TileOf<'kpi'>['compare']>) {
  const time = findTime(context);
  const { shown, dataAsOf } = context;
  if (!time || dataAsOf === undefined) return undefined;
  const unit = compare.slice('previous '.length) as PeriodUnit;
  const spans = findComparedSpans(time.type, dataAsOf, shown, unit);
  if (!spans) return undefined;
  const { period, isIncomplete, current, earlier } = spans;
  return {
    rows: chooseRows(context.rows, isBetween(time, period)),
    earlierRows: chooseRows(context.rowsBefore(current, unit), isBetween(time, earlier)),
    period: { ...describeSpan(period), isIncomplete },
    earlier: describeSpan(earlier),
  };
}

/** Both ends in whole days or hours. The last end is exclusive. */
const describeSpan = ({ from, to }: Span) => ({
  from: from.length > 10 ? startOfPeriod(from, 'hour') : from,
  to: startAfter(to),
});
