import {
  describeDimension,
  describeMetric,
  describeTile,
  findMetric,
  planDimension,
  type ComputeTile,
} from './context.ts';

/** Maximum number of rows of a table. */
const maxRows = 1_000;

export const computeTable: ComputeTile<'table'> = async ({ dataset, rows, run }, tile) => {
  const { dimensions, sort, pageSize, totals } = tile;
  const metrics = tile.metrics.map((name) => findMetric(dataset, name));
  const isMetric = sort.column >= dimensions.length;
  const result = await run({
    rows,
    dimensions: dimensions.map((dimension) => planDimension(dataset, dimension)),
    metrics: metrics.map(({ expression }) => expression),
    order: [
      {
        by: isMetric ? 'metric' : 'dimension',
        index: isMetric ? sort.column - dimensions.length : sort.column,
        isDescending: sort.descending,
      },
    ],
    limit: maxRows,
    ...(totals && dimensions.length > 0 ? { subtotals: [{ dimensions: [] }] } : {}),
  });
  const [total] = result.subtotals[0]?.groups ?? [];
  return {
    ...describeTile(tile),
    dimensions: dimensions.map((dimension) => describeDimension(dataset, dimension)),
    metrics: metrics.map(describeMetric),
    groups: result.groups.map(({ keys, values }) => ({ keys, values })),
    groupCount: result.groupCount,
    shownCount: result.groups.length,
    sort,
    pageSize,
    ...(total ? { totals: total.values } : {}),
  };
};
