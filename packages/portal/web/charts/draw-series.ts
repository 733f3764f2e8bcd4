import {
  areaY,
  axisX,
  axisY,
  barX,
  barY,
  gridY,
  lineY,
  plot,
  pointerX,
  ruleX,
  ruleY,
  text,
  tip,
} from '@observablehq/plot';

import type { SeriesTile } from '../../wire/viewer.ts';
import { describeSeries } from './describe-series.ts';
import { formatNumber, formatterOf, formatTick, toDate } from './format.ts';

/** Draws a tile as SVG, `width` CSS pixels wide. */
export type DrawSeries = (tile: SeriesTile, width: number) => SVGElement;

type Options = NonNullable<Parameters<typeof plot>[0]>;
interface Point {
  x: string | number | Date;
  y: number | null;
  title: string;
}

const color = 'var(--chart)';
const tooltip = { fill: 'var(--surface)', stroke: 'var(--line-strong)', textPadding: 8 };

export const drawSeries: DrawSeries = (tile, width) => {
  const points = toPoints(tile);
  const layout = chooseLayout(tile);
  const svg = plot({
    width,
    className: 'plot',
    ariaLabel: tile.title,
    ariaDescription: describeSeries(tile),
    ...layouts[layout](tile, points, width),
  }) as SVGElement;
  // Plot's rules are in charts.css: an inline style sheet would break the page's policy.
  svg.querySelector('style')?.remove();
  svg.setAttribute('role', 'img');
  return svg;
};

/** Names are read best beside horizontal bars; everything else runs along x. */
function chooseLayout({ mark, dimension }: SeriesTile): keyof typeof layouts {
  if (mark === 'line') return 'line';
  return dimension.kind === 'category' ? 'rows' : 'columns';
}

function toPoints(tile: SeriesTile): Point[] {
  const { dimension, measure, points } = tile;
  const formatX = formatterOf(tile);
  return (
    points
      // A blank has a name among names, but no place on a scale of numbers or times.
      .filter(({ x }) => x !== null || dimension.kind === 'category')
      .map(({ x, y }) => ({
        x: dimension.kind === 'time' ? toDate(x) : dimension.kind === 'category' ? formatX(x) : x!,
        y,
        title: `${formatX(x)}\n${formatNumber(y, measure.format)}`,
      }))
  );
}

const layouts = {
  line: ({ dimension, measure }: SeriesTile, points: Point[], width: number): Options => ({
    height: 280,
    marginLeft: 52,
    marginRight: 16,
    x: {
      type: dimension.kind === 'time' ? 'utc' : dimension.kind === 'number' ? 'linear' : 'point',
    },
    y: { zero: true, nice: true },
    marks: [
      gridY({ className: 'plot-grid' }),
      axisX({
        label: null,
        ticks: Math.max(2, Math.floor(width / 90)),
        tickSize: 0,
        tickPadding: 8,
      }),
      axisY({
        label: null,
        ticks: 5,
        tickSize: 0,
        tickFormat: (y: number) => formatTick(y, measure.format),
      }),
      areaY(points, { x: 'x', y: 'y', fill: color, fillOpacity: 0.1 }),
      lineY(points, { x: 'x', y: 'y', stroke: color, strokeWidth: 2, strokeLinejoin: 'round' }),
      ruleX(points, pointerX({ x: 'x', stroke: 'var(--line-strong)' })),
      tip(points, pointerX({ x: 'x', y: 'y', title: 'title', ...tooltip })),
    ],
  }),

  columns: (tile: SeriesTile, points: Point[], width: number): Options => {
    const { measure } = tile;
    const formatX = formatterOf(tile);
    const every = Math.max(1, Math.ceil((points.length * 36) / (width - 68)));
    return {
      height: 280,
      marginLeft: 52,
      marginRight: 16,
      x: { type: 'band', padding: 0.2 },
      y: { zero: true, nice: true },
      marks: [
        gridY({ className: 'plot-grid' }),
        axisX(
          points.filter((_, index) => index % every === 0).map(({ x }) => x),
          {
            label: null,
            tickSize: 0,
            tickPadding: 8,
            tickFormat: (x: Date | number | string) =>
              formatX(x instanceof Date ? x.toISOString() : x),
          },
        ),
        axisY({
          label: null,
          ticks: 5,
          tickSize: 0,
          tickFormat: (y: number) => formatTick(y, measure.format),
        }),
        barY(points, { x: 'x', y: 'y', fill: color, rx: 2 }),
        ruleY([0], { stroke: 'var(--line-strong)' }),
        tip(points, pointerX({ x: 'x', y: 'y', title: 'title', ...tooltip })),
      ],
    };
  },

  rows: ({ measure }: SeriesTile, points: Point[], width: number): Options => {
    const longest = Math.max(...points.map(({ x }) => String(x).length), 0);
    const marginLeft = Math.min(longest * 7 + 12, width * 0.4);
    return {
      height: Math.max(120, points.length * 36 + 8),
      marginLeft,
      marginRight: 72,
      marginTop: 4,
      marginBottom: 4,
      x: { zero: true, axis: null },
      y: { type: 'band', domain: points.map(({ x }) => x), padding: 0.35 },
      marks: [
        axisY({
          label: null,
          tickSize: 0,
          tickPadding: 8,
          lineWidth: (marginLeft - 8) / 13,
          textOverflow: 'ellipsis',
        }),
        barX(points, { x: 'y', y: 'x', fill: color, rx: 2 }),
        ruleX([0], { stroke: 'var(--line-strong)' }),
        text(points, {
          x: (point: Point) => Math.max(point.y ?? 0, 0),
          y: 'x',
          text: (point: Point) => formatNumber(point.y, measure.format),
          textAnchor: 'start',
          dx: 6,
        }),
      ],
    };
  },
};
