import { describeDimension, describeTile, type ComputeTile } from './context.ts';
import { computeSeries } from './series.ts';

export const computeDonut: ComputeTile<'donut'> = async (context, tile) => {
  const { color: dimension, limit, metric } = tile;
  const order = { by: 'metric', isDescending: true } as const;
  const series = await computeSeries(
    context,
    [{ role: 'color', dimension, limit, order }],
    [metric],
  );
  return {
    ...describeTile(tile),
    dimensions: [{ role: 'color', dimension: describeDimension(context.dataset, dimension) }],
    ...series,
  };
};
