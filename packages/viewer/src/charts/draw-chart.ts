import { plot, type PlotOptions } from '@observablehq/plot';

import type { Formats } from '../format/create-formats.ts';
import { addHatch } from './hatch.ts';
import { layOutColumns } from './layouts/columns.ts';
import type { Place } from './layouts/frame.ts';
import { layOutLines } from './layouts/lines.ts';
import { layOutRows } from './layouts/rows.ts';
import { layOutScatter } from './layouts/scatter.ts';
import type { Chart } from './read-chart.ts';
import type { Scatter } from './read-scatter.ts';

/**
 * Draws one panel of a chart as SVG. It is wider than `width` if its labels need the room.
 *
 * @param room the height to fill in the full view of a tile. Default: the usual height
 */
export type DrawChart = (
  chart: Chart | Scatter,
  panel: number,
  width: number,
  formats: Formats,
  room?: number,
) => Element;

/** Least width between the margins: the room of marks is never negative. */
const leastRoom = 60;

export const drawChart: DrawChart = (chart, panel, width, formats, room) => {
  const options = layOut(chart, panel, { width, room, formats });
  const { marginLeft = 0, marginRight = 0 } = options;
  const svg = plot({
    width: Math.max(width, marginLeft + marginRight + leastRoom),
    className: 'plot',
    ...(formats.isRightToLeft ? mirror(options) : options),
  });
  // Plot's rules are in chart.css, because the page's policy forbids an inline style sheet.
  svg.querySelector('style')?.remove();
  addHatch(svg);
  svg.addEventListener('input', () => {
    const mark = svg.value as { title: string } | null;
    if (mark) svg.dataset['tip'] = mark.title;
    else delete svg.dataset['tip'];
  });
  return svg;
};

/** Mirrors a layout. The labels of its marks are already on the other side. */
const mirror = (options: PlotOptions): PlotOptions => ({
  ...options,
  ...(options.marginRight !== undefined && { marginLeft: options.marginRight }),
  ...(options.marginLeft !== undefined && { marginRight: options.marginLeft }),
  x: { ...options.x, reverse: true },
});

function layOut(chart: Chart | Scatter, index: number, place: Place): PlotOptions {
  if (chart.type === 'scatter') return layOutScatter(chart, chart.panels[index]!, place);
  const subject = { chart, panel: chart.panels[index]!, ...place };
  switch (chart.type) {
    case 'column':
      return layOutColumns(subject);
    case 'bar':
      return layOutRows(subject);
    case 'line':
    case 'area':
      return layOutLines(subject);
  }
}
