import {
  areaY,
  axisX,
  axisY,
  barX,
  barY,
  gridY,
  lineY,
  pointerX,
  ruleX,
  ruleY,
  text,
  tip,
} from '@observablehq/plot';
import type { PlotOptions } from '@observablehq/plot';
import type { SeriesTile } from '@portal-embed/report-model';

import type { Formats } from './format.ts';

export interface Point {
  x: string | number | Date;
  y: number | null;
  /** The value of x as text. */
  name: string;
}

/** What to plot: a tile, its points made ready, the width there is, and the reader's formats. */
export interface Subject {
  tile: SeriesTile;
  points: Point[];
  width: number;
  formats: Formats;
}

const color = 'var(--chart)';
const quiet = 'var(--line-strong)';
const plainAxis = { label: null, tickSize: 0, tickPadding: 8 };
const characterWidth = 7;

const longestName = (points: Point[]) =>
  Math.max(0, ...points.map(({ name }) => name.length)) * characterWidth;

/** Options of charts with values along y. */
const frame = { height: 280, marginTop: 10, marginBottom: 26, marginLeft: 52, marginRight: 16 };

const valueAxis = ({ tile: { measure }, formats }: Subject) => [
  gridY({ ticks: 5, className: 'plot-grid' }),
  axisY({
    ...plainAxis,
    ticks: 5,
    tickFormat: (y: number) => formats.formatTick(y, measure.format),
  }),
];

const tooltip = ({ tile: { measure }, points, formats }: Subject) =>
  tip(
    points,
    pointerX({
      x: 'x',
      y: 'y',
      title: ({ name, y }: Point) => `${name}\n${formats.formatNumber(y, measure.format)}`,
      fill: 'var(--surface)',
      stroke: quiet,
      lineHeight: 1.4,
    }),
  );

export function layOutLine(subject: Subject): PlotOptions {
  const { tile, points, width, formats } = subject;
  const { kind } = tile.dimension;
  const tickFormats = {
    category: {},
    number: { tickFormat: formats.formatPosition },
    time: { tickFormat: formats.formatTimeTick },
  };
  return {
    ...frame,
    // Time ticks have two lines: the year is below its first month.
    marginBottom: kind === 'time' ? 40 : frame.marginBottom,
    x:
      kind === 'category'
        ? { type: 'point', domain: points.map(({ x }) => x) }
        : { type: kind === 'time' ? 'utc' : 'linear' },
    y: { nice: true },
    marks: [
      ...valueAxis(subject),
      axisX({
        ...plainAxis,
        ticks: Math.max(2, Math.floor(width / 90)),
        ...tickFormats[kind],
      }),
      areaY(points, { x: 'x', y: 'y', fill: color, fillOpacity: 0.1 }),
      lineY(points, { x: 'x', y: 'y', stroke: color, strokeWidth: 2, strokeLinejoin: 'round' }),
      ruleX(points, pointerX({ x: 'x', stroke: quiet })),
      tooltip(subject),
    ],
  };
}

export function layOutColumns(subject: Subject): PlotOptions {
  const { points, width } = subject;
  const room = (width - frame.marginLeft - frame.marginRight) / points.length;
  const every = Math.max(1, Math.ceil((longestName(points) + 16) / room));
  const names = new Map(points.map(({ x, name }) => [Number(x), name]));
  return {
    ...frame,
    x: { type: 'band', padding: 0.2, domain: points.map(({ x }) => x) },
    y: { nice: true },
    marks: [
      ...valueAxis(subject),
      axisX(
        points.filter((_, index) => index % every === 0).map(({ x }) => x),
        { ...plainAxis, tickFormat: (x: number | Date) => names.get(Number(x)) ?? '' },
      ),
      barY(points, { x: 'x', y: 'y', fill: color, rx: 2 }),
      ruleY([0], { stroke: quiet }),
      tooltip(subject),
    ],
  };
}

/** Horizontal bars: names are read best beside them. */
export function layOutRows({ tile, points, width, formats }: Subject): PlotOptions {
  const marginLeft = Math.min(longestName(points) + 12, width * 0.4);
  const pitch = Math.min(Math.max(264 / points.length, 32), 56);
  const ems = (marginLeft - plainAxis.tickPadding) / 12;
  return {
    height: points.length * pitch + 8,
    marginTop: 4,
    marginBottom: 4,
    marginLeft,
    marginRight: 72,
    x: { axis: null },
    y: { type: 'band', padding: 0.4, domain: points.map(({ x }) => x) },
    marks: [
      axisY({ ...plainAxis, lineWidth: ems, textOverflow: 'ellipsis' }),
      barX(points, { x: 'y', y: 'x', fill: color, rx: 2 }),
      ruleX([0], { stroke: quiet }),
      text(points, {
        x: ({ y }: Point) => Math.max(y ?? 0, 0),
        y: 'x',
        text: ({ y }: Point) => formats.formatNumber(y, tile.measure.format),
        textAnchor: 'start',
        dx: 6,
      }),
    ],
  };
}
