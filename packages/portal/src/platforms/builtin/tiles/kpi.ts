import type { KpiTile, ResolvedMetric, Value } from '@portal-embed/report-model';

import { everyOf } from '../plan/compare.ts';
import { addPeriods, isIncomplete, startOfPeriod, type Period } from '../plan/periods.ts';
import type { Condition } from '../plan/plan.ts';
import {
  describeDimension,
  describeMetric,
  describeTile,
  findMetric,
  type ComputeTile,
  type TileContext,
  type TileOf,
} from './context.ts';
import { fillTimes } from './fill.ts';

export const computeKpi: ComputeTile<'kpi'> = async (context, tile): Promise<KpiTile> => {
  const metric = findMetric(context.dataset, tile.metric);
  const compared = tile.compare && findPeriods(context, tile.compare);
  const rows = compared?.rows ?? context.rows;
  const [value, comparison, sparkline, target] = await Promise.all([
    computeValue(context, metric, rows),
    compared && computeValue(context, metric, compared.earlierRows),
    tile.sparkline && computeSparkline(context, metric, tile.sparkline),
    computeTarget(context, tile.target, rows),
  ]);
  return {
    ...describeTile(tile),
    metric: describeMetric(metric),
    value,
    ...(compared && tile.compare
      ? {
          period: compared.period,
          comparison: { label: tile.compare, ...compared.earlier, value: comparison ?? null },
        }
      : {}),
    ...(sparkline ? { sparkline } : {}),
    ...(target === undefined ? {} : { target: { value: target } }),
  };
};

async function computeValue(
  { run }: TileContext,
  { expression }: ResolvedMetric,
  rows: Condition,
): Promise<Value> {
  const { groups } = await run({ rows, dimensions: [], metrics: [expression], order: [] });
  return groups[0]?.values[0] ?? null;
}

async function computeTarget(
  context: TileContext,
  target: TileOf<'kpi'>['target'],
  rows: Condition,
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
    rows: everyOf([
      context.rows,
      { kind: 'not', part: { kind: 'null', operand: time.expression } },
    ]),
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
 * The last period of the dataset's time, and the one before it. If the last period is incomplete, the
 * earlier one is cut after the same number of days (or hours, for a day).
 */
function findPeriods(context: TileContext, compare: NonNullable<TileOf<'kpi'>['compare']>) {
  const time = findTime(context);
  const { shownUntil, dataAsOf } = context;
  if (!time || shownUntil === undefined || dataAsOf === undefined) return undefined;
  const period = compare.slice('previous '.length) as Period;
  const from = startOfPeriod(shownUntil, period);
  const to = addPeriods(from, period, 1);
  const earlierFrom = addPeriods(from, period, -1);
  const isShort = isIncomplete(from, period, shownUntil);
  const cut = nextStart(shownUntil, time.type === 'datetime' && period === 'day' ? 'hour' : 'day');
  const earlierTo = isShort ? shiftBack(cut, period, from) : from;
  const within = (start: string, end: string): Condition => {
    const part: Condition = {
      kind: 'range',
      operand: time.expression,
      from: { type: time.type, value: start, isIncluded: true },
      to: { type: time.type, value: end, isIncluded: false },
    };
    return everyOf([context.rows, part]);
  };
  return {
    rows: within(from, to),
    earlierRows: within(earlierFrom, earlierTo),
    period: { from, to, isIncomplete: isShort },
    earlier: { from: earlierFrom, to: earlierTo },
  };
}

const nextStart = (time: string, unit: 'hour' | 'day') =>
  addPeriods(startOfPeriod(time, unit), unit, 1);

/** The same time in the previous period, at most the end of that period. */
function shiftBack(time: string, period: Period, end: string): string {
  const shifted =
    period === 'day' && time.length > 10
      ? addPeriods(time, 'hour', -24)
      : addPeriods(time, period, -1);
  return shifted < end ? shifted : end;
}
