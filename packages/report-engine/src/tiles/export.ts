import type { Grain, Key, ResolvedDimension, ResolvedTile } from '@portal-embed/report-model';

import { UnknownTileError, type ExportColumn, type ExportedTile } from '#platform';

import {
  keyTypeOf,
  type PlanGroup,
  type PlanOrder,
  type PlanResult,
  type QueryPlan,
} from '../plan/plan.ts';
import { findMetric, planDimension, type TileContext } from './context.ts';
import { exportKpi } from './export-kpi.ts';
import { exportPivot } from './export-pivot.ts';
import { orderTable } from './table.ts';

/** Limits of one query. A larger result would exceed the limit of the engine. */
const maxBatchRows = 10_000;
const maxBatchCells = 50_000;

interface GroupedBy {
  name: string;
  field: string;
  grain?: Grain | undefined;
}

/** What a tile groups by and measures. */
interface Grouping {
  dimensions: readonly GroupedBy[];
  metrics: readonly string[];
  /** Default: by the dimensions. */
  order?: PlanOrder;
}

interface SeriesDimensions {
  color?: ResolvedDimension | undefined;
  facet?: ResolvedDimension | undefined;
}

type Run = (plan: QueryPlan) => Promise<PlanResult>;

/**
 * Exports all groups of a tile, of which the drawing may show only some. A pivot that is too large for
 * its layout is a list of its groups.
 *
 * @param run runs the queries; the first one at once
 */
export async function exportGroups(
  context: TileContext,
  tile: ResolvedTile,
  run: Run,
): Promise<ExportedTile> {
  if (tile.type === 'kpi') return exportKpi(context, tile);
  if (tile.type === 'pivot') {
    const batchSize = Math.floor(
      maxBatchCells / (tile.rows.length + tile.columns.length + tile.metrics.length),
    );
    const pivot = await exportPivot(context, tile, run, Math.min(maxBatchRows, batchSize));
    if (pivot) return pivot;
  }
  const { dataset } = context;
  const grouping = readGrouping(tile, dataset);
  const dimensions = grouping.dimensions.map((dimension) => planDimension(dataset, dimension));
  const metrics = grouping.metrics.map((name) => findMetric(dataset, name));
  const columns: ExportColumn[] = [
    ...grouping.dimensions.map(({ name }, index) => ({
      name,
      type: keyTypeOf(dimensions[index]!),
    })),
    ...metrics.map(({ name, type, format }) => ({ name, type, format })),
  ];
  const plan: QueryPlan = {
    rows: context.rows,
    dimensions,
    metrics: metrics.map(({ expression }) => expression),
    order: grouping.order ? [grouping.order] : [],
    limit: Math.min(maxBatchRows, Math.floor(maxBatchCells / columns.length)),
  };
  const first = await run(plan);
  const rowCount = dimensions.length === 0 ? first.groups.length : first.groupCount;
  return { columns, rowCount, rows: readBatches(plan, first.groups, rowCount, run) };
}

async function* readBatches(
  plan: QueryPlan,
  first: readonly PlanGroup[],
  rowCount: number,
  run: Run,
): AsyncGenerator<Key[][]> {
  let groups = first;
  for (let offset = 0; groups.length > 0;) {
    yield groups.map(({ keys, values }) => [...keys, ...values]);
    offset += groups.length;
    if (offset >= rowCount) return;
    groups = (await run({ ...plan, offset })).groups;
  }
}

function readGrouping(
  tile: Exclude<ResolvedTile, { type: 'kpi' }>,
  { fields }: TileContext['dataset'],
): Grouping {
  switch (tile.type) {
    case 'text':
      throw new UnknownTileError('A text has no values.');
    case 'table':
      return { ...tile, order: orderTable(tile) };
    case 'pivot':
      return { dimensions: [...tile.rows, ...tile.columns], metrics: tile.metrics };
    case 'donut':
      return { dimensions: [tile.color], metrics: [tile.metric], order: highestFirst(0) };
    case 'scatter': {
      const metrics = [tile.x, tile.y, ...(tile.size === undefined ? [] : [tile.size])];
      const dimensions = [tile.point, ...listSeries(tile)];
      return { dimensions, metrics, order: highestFirst(metrics.length - 1) };
    }
    case 'line':
    case 'area':
    case 'column':
    case 'bar': {
      const { x, y: metrics } = tile;
      const isRanked = (x.type === 'text' || x.type === 'boolean') && !fields.get(x.field)?.order;
      return {
        dimensions: [x, ...listSeries(tile)],
        metrics,
        ...(isRanked ? { order: highestFirst(0) } : {}),
      };
    }
  }
}

const listSeries = ({ color, facet }: SeriesDimensions) =>
  [color, facet].filter((dimension) => dimension !== undefined);

const highestFirst = (index: number): PlanOrder => ({ by: 'metric', index, isDescending: true });
