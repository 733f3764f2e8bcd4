import { computeChart } from './chart.ts';
import type { ComputeTile } from './context.ts';

export const computeBar: ComputeTile<'bar'> = (context, tile) =>
  computeChart(context, tile, tile.sort);
