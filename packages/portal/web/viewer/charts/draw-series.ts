import { plot } from '@observablehq/plot';
import type { SeriesTile } from '@portal-embed/report-model';

import { toDate } from './format.ts';
import type { Formats } from './format.ts';
import { layOutColumns, layOutLine, layOutRows } from './layouts.ts';
import type { Point } from './layouts.ts';

/** Draws a tile as SVG, `width` CSS pixels wide. */
export type DrawSeries = (tile: SeriesTile, width: number, formats: Formats) => Element;

export const drawSeries: DrawSeries = (tile, width, formats) => {
  const svg = plot({
    width,
    className: 'plot',
    ...chooseLayout(tile)({ tile, points: readPoints(tile, formats), width, formats }),
  });
  // Plot's rules are in chart.css, because the page's policy forbids an inline style sheet.
  svg.querySelector('style')?.remove();
  return svg;
};

function chooseLayout({ mark, dimension }: SeriesTile) {
  if (mark === 'line') return layOutLine;
  return dimension.kind === 'category' ? layOutRows : layOutColumns;
}

function readPoints(tile: SeriesTile, { formatterOf }: Formats): Point[] {
  const formatX = formatterOf(tile);
  const { kind } = tile.dimension;
  return tile.points.flatMap(({ x, y }) => {
    const name = formatX(x);
    if (kind === 'category') return { x: name, y, name };
    // An empty value has a name among names, but no position on a scale of numbers or times.
    return x === null ? [] : { x: kind === 'time' ? toDate(x) : x, y, name };
  });
}
