import type { ChartTile } from '@portal-embed/report-model';

import { drawChart } from '../charts/draw-chart.ts';
import { createPalette } from '../charts/palette.ts';
import { readChart } from '../charts/read-chart.ts';
import { formats as english } from './formats.ts';

/** Draws one panel of a tile. */
export const drawTile = (
  tile: ChartTile,
  width: number,
  { panel = 0, formats = english } = {},
): Element => drawChart(readChart(tile, createPalette([[tile]]), formats), panel, width, formats);
