import { splitLink, type Dimension } from '@portal-embed/report-model';

import type { PlanOrder } from '../plan/plan.ts';
import { isSearched } from '../plan/search.ts';
import {
  describeDimension,
  describeMetric,
  describeTile,
  findMetric,
  planDimension,
  type ComputeTile,
  type TileOf,
} from './context.ts';

/** Maximum number of rows of a table. */
const maxRows = 1_000;

export const computeTable: ComputeTile<'table'> = async ({ dataset, rows, run }, tile) => {
  const { dimensions, sort, pageSize, totals } = tile;
  const metrics = tile.metrics.map((name) => findMetric(dataset, name));
  const result = await run({
    rows,
    dimensions: dimensions.map((dimension) => planDimension(dataset, dimension)),
    metrics: metrics.map(({ expression }) => expression),
    order: [orderTable(tile)],
    limit: maxRows,
    ...(totals && dimensions.length > 0 ? { subtotals: [{ dimensions: [] }] } : {}),
  });
  const [total] = result.subtotals[0]?.groups ?? [];
  return {
    ...describeTile(tile),
    dimensions: dimensions.map((dimension) =>
      Object.assign(describeDimension(dataset, dimension), describeLink(tile, dimension.name)),
    ),
    metrics: metrics.map((metric) => describeMetric(metric, tile.conditionalFormat?.[metric.name])),
    groups: result.groups.map(({ keys, values }) => ({ keys, values })),
    groupCount: result.groupCount,
    shownCount: result.groups.length,
    sort,
    pageSize,
    ...(dimensions.some(isSearched) ? { isSearchable: true } : {}),
    ...(total ? { totals: total.values } : {}),
  };
};

/** Where the values of a dimension link to. */
function describeLink(
  { links, dimensions }: TileOf<'table'>,
  name: string,
): Pick<Dimension, 'link'> {
  const written = links?.[name];
  if (written === undefined) return {};
  const indexOf = (field: string) => dimensions.findIndex((dimension) => dimension.name === field);
  return {
    link: splitLink(written).map((part) => (typeof part === 'string' ? part : indexOf(part.field))),
  };
}

/** The order of a table's rows. */
export function orderTable({ dimensions, sort }: TileOf<'table'>): PlanOrder {
  const isDescending = sort.descending;
  const metric = sort.column - dimensions.length;
  return metric >= 0
    ? { by: 'metric', index: metric, isDescending }
    : { by: 'dimension', index: sort.column, isDescending };
}
