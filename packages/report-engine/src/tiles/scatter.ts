import type { ScatterTile } from '@portal-embed/report-model';

import {
  describeDimension,
  describeMetric,
  describeTile,
  findMetric,
  planDimension,
  type ComputeTile,
} from './context.ts';

/** Computes the points with the highest `size`, or `y` without a size, up to the limit. */
export const computeScatter: ComputeTile<'scatter'> = async ({ dataset, rows, run }, tile) => {
  const { point, color, facet, x, y, size, limit } = tile;
  const roles = [
    { role: 'point', dimension: point } as const,
    ...(color ? [{ role: 'color', dimension: color } as const] : []),
    ...(facet ? [{ role: 'facet', dimension: facet } as const] : []),
  ];
  const metrics = [x, y, ...(size === undefined ? [] : [size])].map((name) =>
    findMetric(dataset, name),
  );
  const { groups, groupCount } = await run({
    rows,
    dimensions: roles.map(({ dimension }) => planDimension(dataset, dimension)),
    metrics: metrics.map(({ expression }) => expression),
    order: [{ by: 'metric', index: metrics.length - 1, isDescending: true }],
    limit,
  });
  const dimensions: ScatterTile['dimensions'] = roles.map(({ role, dimension }) => ({
    role,
    dimension: describeDimension(dataset, dimension),
  }));
  return {
    ...describeTile(tile),
    dimensions,
    metrics: metrics.map((metric) => describeMetric(metric)),
    groups: groups.map(({ keys, values }) => ({ keys, values })),
    groupCount,
    shownCount: groups.length,
  };
};
