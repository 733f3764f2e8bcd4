import type { ChartTile } from '@portal-embed/report-model';

import { drawChart } from '../charts/draw-chart.ts';
import { createPalette } from '../charts/palette.ts';
import { readChart } from '../charts/read-chart.ts';
import { createFormats } from '../format/create-formats.ts';

const formats = createFormats('en-US');

/** Draws one panel of a tile. */
export const drawTile = (tile: ChartTile, width: number, panel = 0): Element =>
  drawChart(readChart(tile, createPalette([[tile]]), formats), panel, width, formats);
