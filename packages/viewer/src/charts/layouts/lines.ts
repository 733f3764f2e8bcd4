import { areaY, axisX, dot, lineY, pointerX, ruleX, ruleY, text } from '@observablehq/plot';
import type { Markish, PlotOptions } from '@observablehq/plot';
import { ticks as chooseTicks } from 'd3-array';

import { toDate } from '../../format/periods.ts';
import { isBeyondAxis } from '../beyond-axis.ts';
import { countTicks, heightOf } from '../heights.ts';
import { stackValues } from '../stack.ts';
import { chooseTimeTicks, isPeriod, periodNumber } from '../time-ticks.ts';
import {
  endRoom,
  isDrawn,
  labelRoom,
  plainAxis,
  quiet,
  tipPoint,
  valueAxisOf,
  verticalAxis,
  writeTip,
  type Subject,
} from './frame.ts';
import { placeAxis } from './place-axis.ts';

/** Width of a label on a time axis, and the gap between two labels. */
const usualLabel = 52;
const labelGap = 8;

const marginTop = 10;
const marginRight = 16;

/** A point of a line, or with `y: null` a gap in it. */
interface Point {
  x: number | Date;
  y: number | null;
  /** The base of an area. */
  base: number;
  /** The value of a point that lies beyond the axis and is drawn at its end. */
  beyond?: string;
}

export function layOutLines(subject: Subject): PlotOptions {
  const { chart, panel, width } = subject;
  const height = heightOf(chart, chart.panels.indexOf(panel), subject.room);
  const values = valueAxisOf(subject, countTicks(height));
  const marginLeft = labelRoom(values);
  const axis = positionAxis(subject, width - marginLeft - marginRight);
  const { positions } = axis;
  const isStacked = chart.type === 'area';
  const segments = new Map(
    (isStacked ? stackValues(panel, chart) : []).map((segment) => [
      `${segment.series} ${segment.place}`,
      segment,
    ]),
  );
  const pointAt = (series: number, place: number): Point => {
    const segment = segments.get(`${series} ${place}`);
    if (isBeyondAxis(chart, panel, series, place)) {
      const value = panel.values[series]![place]!;
      const [low, high] = values.domain;
      const beyond = `${value > high ? '▲' : '▼'} ${subject.formats.formatNumber(value, panel.series[series]!.format)}`;
      return { x: positions[place]!, y: value > high ? high : low, base: 0, beyond };
    }
    return {
      x: positions[place]!,
      y: isStacked ? (segment?.end ?? null) : (panel.values[series]![place] ?? null),
      base: segment?.start ?? 0,
    };
  };
  const marks = panel.series.flatMap(({ color }, series) =>
    markSeries(
      [...chart.places.keys()].flatMap((place) => {
        if (!isDrawn(chart, place)) return [];
        const point = pointAt(series, place);
        return isAfterGap(subject, place) ? [{ ...point, y: null }, point] : [point];
      }),
      {
        color,
        isArea: isStacked,
        opacity: panel.series.length > 1 ? 0.75 : 0.2,
        isIncomplete: chart.places.at(-1)?.isIncomplete ?? false,
        labelSide: subject.formats.isRightToLeft ? 'start' : 'end',
        isTinted: !isStacked && panel.series.length === 1,
        // With a broad line, hundreds of values would merge into an area.
        strokeWidth: chart.places.length > width / 3 ? 1 : 2,
      },
    ),
  );
  const tips = [...chart.places.keys()].flatMap((place) => {
    if (!isDrawn(chart, place)) return [];
    const known = panel.series.flatMap((_, series) => pointAt(series, place).y ?? []);
    return [
      {
        place,
        x: positions[place]!,
        y: Math.max(0, ...known),
        title: writeTip(subject, place),
      },
    ];
  });
  return {
    height,
    marginTop,
    marginRight: Math.max(marginRight, axis.right),
    marginLeft,
    marginBottom: axis.bottom,
    x: axis.scale,
    y: { domain: values.domain },
    marks: [
      ...verticalAxis(values, subject.formats),
      axis.mark,
      ruleY([0], { stroke: quiet }),
      ...marks,
      ...emphasisRules(subject, positions),
      dot(tips, pointerX({ x: 'x', y: 'y', ...tipPoint })),
      ruleX(tips, pointerX({ x: 'x', stroke: quiet })),
    ],
  };
}

/** Lines at the selected places, and at the place that the arrow keys are at. */
const emphasisRules = ({ chart }: Subject, positions: readonly (number | Date | undefined)[]) =>
  chart.places.flatMap(({ emphasis }, place) => {
    if (!emphasis?.isSelected && !emphasis?.isActive) return [];
    if (!isDrawn(chart, place)) return [];
    const stroke = emphasis.isSelected ? 'var(--accent-strong)' : quiet;
    return [ruleX([positions[place]!], { stroke, strokeWidth: 2 })];
  });

interface Look {
  color: string;
  isArea: boolean;
  opacity: number;
  isIncomplete: boolean;
  /** The side of a label that is at its point. */
  labelSide: 'start' | 'end';
  isTinted: boolean;
  strokeWidth: number;
}

/** The marks of one series. The line to an incomplete period is dashed, and its point is hollow. */
function markSeries(points: Point[], look: Look): Markish[] {
  const { color } = look;
  const last = points.at(-1);
  const isOpen = look.isIncomplete && last !== undefined && last.y !== null;
  const solid = isOpen ? points.slice(0, -1) : points;
  const open = isOpen ? points.slice(-2) : [];
  const { strokeWidth } = look;
  const stroke = { stroke: color, strokeWidth, strokeLinejoin: 'round' } as const;
  const lone = solid.filter(
    ({ y }, index) =>
      y !== null &&
      (solid[index - 1]?.y ?? null) === null &&
      (solid[index + 1]?.y ?? null) === null,
  );
  const area = (of: Point[], opacity: number) =>
    areaY(of, {
      x: 'x',
      y1: 'base',
      y2: ({ y }: Point) => y ?? NaN,
      fill: color,
      fillOpacity: opacity,
    });
  const areas = look.isArea
    ? [area(solid, look.opacity), area(open, look.opacity / 2)]
    : look.isTinted
      ? [area(solid, 0.1)]
      : [];
  return [
    ...areas,
    lineY(solid, { x: 'x', y: 'y', ...stroke }),
    lineY(open, { x: 'x', y: 'y', ...stroke, strokeDasharray: '4 4' }),
    // A line through a single point would be invisible.
    dot(lone, { x: 'x', y: 'y', r: strokeWidth + 1, fill: color }),
    dot(isOpen ? [last] : [], {
      x: 'x',
      y: 'y',
      r: 4,
      fill: 'var(--surface)',
      stroke: color,
      strokeWidth: 2,
    }),
    text(
      open.filter(({ beyond }) => beyond !== undefined),
      {
        x: 'x',
        y: 'y',
        text: 'beyond',
        textAnchor: look.labelSide,
        dx: look.labelSide === 'end' ? -10 : 10,
        fill: 'var(--text)',
        stroke: 'var(--surface)',
      },
    ),
  ];
}

/** Whether periods are missing before a place, so that the line must be interrupted. */
function isAfterGap({ chart: { x, places } }: Subject, place: number): boolean {
  const [before, here] = [places[place - 1]?.key ?? null, places[place]!.key];
  const { grain } = x;
  if (!isPeriod(grain) || before === null || here === null) return false;
  const [from, to] = [before, here].map((key) => periodNumber(toDate(String(key)), grain));
  return to! - from! > 1;
}

/** The axis of `x`, and the position of each place on it. */
function positionAxis(subject: Subject, room: number) {
  const { chart, formats } = subject;
  const { x, places } = chart;
  const known = places.filter(({ key }) => key !== null);
  if (x.kind === 'time') {
    const dates = known.map(({ key }) => toDate(String(key)));
    const choose = (roomOfLabel: number) => {
      const ticks = chooseTimeTicks(dates, Math.floor(room / roomOfLabel));
      // A label that stands for one place names its period: `Jan 2024`, not `2024`.
      const { grain } = x;
      const labelled =
        ticks.times.length === dates.length && isPeriod(grain) ? { ...ticks, grain } : ticks;
      return { ticks, labels: formats.formatTimeTicks(labelled) };
    };
    const usual = choose(usualLabel);
    // Names of months are longer in some languages.
    const longest = 2 * endRoom(0, usual.labels) + labelGap;
    const { ticks, labels } = longest > usualLabel ? choose(longest) : usual;
    return {
      positions: places.map(({ key }) => toDate(String(key))),
      scale: { type: 'utc' } as const,
      right: endRoom(0, labels.slice(-1)),
      // The year is below its first month.
      bottom: labels.some((label) => label.includes('\n')) ? 40 : 26,
      mark: axisX(ticks.times, {
        ...plainAxis,
        tickFormat: (_: Date, index: number) => labels[index]!,
      }),
    };
  }
  const numbers = known.map(({ key }) => Number(key));
  // Integers beyond 53 bits can be equal as doubles, and would be drawn as one.
  const isDistinct = new Set(numbers).size === numbers.length;
  if (x.kind === 'number' && !x.grain && isDistinct) {
    const label = formats.formatterOf(x);
    const ends = [Math.min(...numbers), Math.max(...numbers)] as const;
    const ticks =
      numbers.length > 0 ? chooseTicks(...ends, Math.max(2, Math.floor(room / 80))) : [];
    return {
      positions: places.map(({ key }) => Number(key)),
      scale: { type: 'linear' } as const,
      right: endRoom(0, ticks.slice(-1).map(label)),
      bottom: 26,
      mark: axisX(ticks, { ...plainAxis, tickFormat: (value: number) => label(value) }),
    };
  }
  return {
    positions: places.map((_, index) => index),
    scale: { type: 'linear', domain: [0, Math.max(1, places.length - 1)] } as const,
    ...placeAxis(subject, (index) => index, room / Math.max(1, places.length - 1)),
  };
}
