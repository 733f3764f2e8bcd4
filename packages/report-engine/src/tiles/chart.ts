import type { ChartTile } from '@portal-embed/report-model';

import type { PlanOrder } from '../plan/plan.ts';
import {
  describeDimension,
  describeTile,
  findPeriod,
  type TileContext,
  type TileOf,
} from './context.ts';
import { computeSeries, type SeriesDimension } from './series.ts';

type Definition = TileOf<'line' | 'area' | 'column' | 'bar'>;
type Role = ChartTile['dimensions'][number]['role'];

/** Readers can tell about ten colors apart, and a screen has room for about twelve small charts. */
const limits = { color: 10, facet: 12 } as const;

const ascending = { by: 'dimension', isDescending: false } as const;
const highestFirst = { by: 'metric', isDescending: true } as const;

const orders: Record<string, Omit<PlanOrder, 'index'>> = {
  x: ascending,
  '-x': { by: 'dimension', isDescending: true },
  y: { by: 'metric', isDescending: false },
  '-y': highestFirst,
};

/**
 * Times, numbers and values with an order of their own ascend. Other texts and booleans are sorted by the
 * first metric, descending.
 */
const naturalOrder = (
  { fields }: TileContext['dataset'],
  { type, field }: Definition['x'],
): Omit<PlanOrder, 'index'> =>
  (type === 'text' || type === 'boolean') && !fields.get(field)?.order ? highestFirst : ascending;

/** Computes a line, area, column or bar chart. */
export async function computeChart(
  context: TileContext,
  tile: Definition,
  sort?: string,
): Promise<ChartTile> {
  const { x, color, facet } = tile;
  const isTime = findPeriod(x) !== undefined || x.grain !== undefined || x.type === 'datetime';
  const side = (role: 'color' | 'facet', dimension: Definition['color']): SeriesDimension<Role>[] =>
    dimension
      ? [{ role, dimension, limit: limits[role], order: naturalOrder(context.dataset, dimension) }]
      : [];
  const first: SeriesDimension<Role> = {
    role: 'x',
    dimension: x,
    limit: isTime ? undefined : tile.limit,
    order: (sort && orders[sort]) || naturalOrder(context.dataset, x),
  };
  const dimensions = [first, ...side('color', color), ...side('facet', facet)] as const;
  const series = await computeSeries(context, [first, ...dimensions.slice(1)], tile.y);
  return {
    ...describeTile(tile),
    dimensions: dimensions.map(({ role, dimension }) => ({
      role,
      dimension: describeDimension(context.dataset, dimension),
    })),
    ...('stack' in tile ? { stack: tile.stack } : {}),
    ...series,
  };
}
