import type { KpiTile, PeriodUnit, ResolvedMetric, Value } from '@portal-embed/report-model';

import { chooseRows, negate } from '../plan/compare.ts';
import { addPeriods, endsBefore, shiftBack, startOfPeriod, type Period } from '../plan/periods.ts';
import type { Rows } from '../plan/plan.ts';
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

/**
 * The last period of the dataset's time, and the one before it, as far as the filters on the time allow.
 * If the data ends before the last period, the earlier one is cut after the same number of days (or
 * hours, for a day).
 */
function findPeriods(context: TileContext, compare: NonNullable<TileOf<'kpi'>['compare']>) {
  const time = findTime(context);
  const { shown, dataAsOf } = context;
  if (!time || dataAsOf === undefined) return undefined;
  const period = compare.slice('previous '.length) as PeriodUnit;
  const isFiltered = shown.to !== undefined && shown.to <= dataAsOf;
  const last = isFiltered ? addPeriods(shown.to!, 'hour', -1) : dataAsOf;
  const start = startOfPeriod(last, period);
  const end = addPeriods(start, period, 1);
  const from = shown.from !== undefined && shown.from > start ? shown.from : start;
  const to = shown.to !== undefined && shown.to < end ? shown.to : end;
  const isShort = endsBefore(dataAsOf, to, period);
  const unit = time.type === 'datetime' && period === 'day' ? 'hour' : 'day';
  const cut = isShort ? addPeriods(startOfPeriod(dataAsOf, unit), unit, 1) : to;
  // The filters allow only times after the data.
  if (from >= cut) return undefined;
  const within = (rows: Rows, span: { from: string; to: string }): Rows =>
    chooseRows(rows, {
      kind: 'range',
      operand: time.expression,
      from: { type: time.type, value: span.from, isIncluded: true },
      to: { type: time.type, value: span.to, isIncluded: false },
    });
  const shift = (value: string) => {
    const shifted = shiftBack(value, period);
    return shifted < start ? shifted : start;
  };
  const earlier = { from: shift(from), to: shift(cut) };
  return {
    rows: within(context.rows, { from, to }),
    earlierRows: within(context.rowsBefore(period), earlier),
    period: { from, to, isIncomplete: isShort },
    earlier,
  };
}
