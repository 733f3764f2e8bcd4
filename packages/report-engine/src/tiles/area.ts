import { computeChart } from './chart.ts';
import type { ComputeTile } from './context.ts';

export const computeArea: ComputeTile<'area'> = (context, tile) => computeChart(context, tile);
