import { computeChart } from './chart.ts';
import type { ComputeTile } from './context.ts';

export const computeColumn: ComputeTile<'column'> = (context, tile) =>
  computeChart(context, tile, tile.sort);
