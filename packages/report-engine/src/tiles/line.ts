import { computeChart } from './chart.ts';
import type { ComputeTile } from './context.ts';

export const computeLine: ComputeTile<'line'> = (context, tile) => computeChart(context, tile);
