import { dot, pointerX, rect, ruleY, text } from '@observablehq/plot';
import type { PlotOptions } from '@observablehq/plot';

import { hatchId } from '../hatch.ts';
import { countTicks, heightOf } from '../heights.ts';
import { colorOfPlace, type Chart, type AxisPlace } from '../read-chart.ts';
import { stackValues, type Segment } from '../stack.ts';
import {
  labelRoom,
  quiet,
  tipPoint,
  valueAxisOf,
  verticalAxis,
  writeTip,
  type Subject,
} from './frame.ts';
import { placeAxis } from './place-axis.ts';

const widest = 72;
const positionOf = (place: number) => place + 0.5;
const margins = { marginTop: 10, marginRight: 16 };

/** Share of its place that a bar fills, from 0 to 1. */
export function barExtent(
  { chart, panel }: Subject,
  { series, place }: Segment,
  share: number,
): [number, number] {
  const isGrouped = chart.stack === 'grouped' && panel.series.length > 1;
  const start = place + (1 - share) / 2;
  if (!isGrouped) return [start, start + share];
  const each = share / panel.series.length;
  return [start + series * each, start + (series + 1) * each];
}

/** Places that are not selected are faint, and more so than an incomplete period. */
const opacityOf = ({ isIncomplete, emphasis }: AxisPlace): number => {
  if (emphasis?.isSelected === false) return 0.25;
  return isIncomplete ? 0.45 : 1;
};

/** The place that the arrow keys are at. */
export const listActive = ({ places }: Chart): { place: number }[] =>
  places.flatMap(({ emphasis }, place) => (emphasis?.isActive ? [{ place }] : []));

/** The look of a bar. The bar of an incomplete period is faint. */
export const barLook = (subject: Subject) => {
  const { chart, panel } = subject;
  return {
    fill: ({ series, place, value }: Segment) =>
      colorOfPlace(panel.series[series]!, chart.places[place]!, value),
    fillOpacity: ({ place }: Segment) => opacityOf(chart.places[place]!),
    stroke: 'var(--surface)',
    strokeWidth: panel.series.length > 1 ? 1 : 0,
    rx: panel.series.length > 1 && chart.stack !== 'grouped' ? 0 : 2,
  };
};

/** Hatches a bar below zero, so that its color alone does not tell it apart. */
export const belowZeroLook = (subject: Subject) => ({
  ...barLook(subject),
  fill: `url(#${hatchId})`,
});

export const isBelowZero = ({ value }: Segment): boolean => value < 0;

/** The line at zero is stronger if bars start from it to both sides. */
export const zeroLine = (segments: readonly Segment[]) => ({
  stroke: segments.some(isBelowZero) ? 'var(--text-muted)' : quiet,
});

/** Marks a bar that is cut off. */
export const breakMark = {
  text: () => '//',
  fill: 'var(--surface)',
  fontSize: 18,
  fontWeight: 'bold',
} as const;

/** The highest end of each place's bars, at least zero. */
export function topsOf({ places }: Chart, segments: readonly Segment[]): number[] {
  const tops = places.map(() => 0);
  for (const { place, end } of segments) tops[place] = Math.max(tops[place]!, end);
  return tops;
}

/** Scales that use colors and opacities as they are. */
export const identity = { color: { type: 'identity' }, opacity: { type: 'identity' } } as const;

export function layOutColumns(subject: Subject): PlotOptions {
  const { chart, panel, width } = subject;
  const height = heightOf(chart, chart.panels.indexOf(panel), subject.room);
  const values = valueAxisOf(subject, countTicks(height));
  const count = Math.max(1, chart.places.length);
  const roomBeside = (left: number) => (width - left - margins.marginRight) / count;
  const { left } = placeAxis(subject, positionOf, roomBeside(labelRoom(values)));
  const marginLeft = Math.max(labelRoom(values), left);
  const room = roomBeside(marginLeft);
  const axis = placeAxis(subject, positionOf, room);
  const wide = chart.stack === 'grouped' ? panel.series.length * widest : widest;
  const share = Math.min(0.8, wide / room);
  const segments = stackValues(panel, chart);
  const tops = topsOf(chart, segments);
  const tips = chart.places.map((_, place) => ({
    place,
    x: place + 0.5,
    y: tops[place]!,
    title: writeTip(subject, place),
  }));
  return {
    ...margins,
    marginRight: Math.max(margins.marginRight, axis.right),
    ...identity,
    // Adds the room for turned labels.
    height: height + axis.bottom - 26,
    marginLeft,
    marginBottom: axis.bottom,
    x: { type: 'linear', domain: [0, count] },
    y: { domain: values.domain },
    marks: [
      dot(tips, pointerX({ x: 'x', y: 'y', ...tipPoint })),
      ...verticalAxis(values, subject.formats),
      axis.mark,
      rect(
        tips,
        pointerX({
          x: 'x',
          x1: 'place',
          x2: ({ place }: { place: number }) => place + 1,
          y1: values.domain[0],
          y2: values.domain[1],
          fill: 'var(--hover)',
        }),
      ),
      rect(listActive(chart), {
        x1: 'place',
        x2: ({ place }: { place: number }) => place + 1,
        y1: values.domain[0],
        y2: values.domain[1],
        fill: 'var(--hover)',
      }),
      rect(segments, {
        x1: (segment: Segment) => barExtent(subject, segment, share)[0],
        x2: (segment: Segment) => barExtent(subject, segment, share)[1],
        y1: 'start',
        y2: 'end',
        ...barLook(subject),
      }),
      rect(segments.filter(isBelowZero), {
        x1: (segment: Segment) => barExtent(subject, segment, share)[0],
        x2: (segment: Segment) => barExtent(subject, segment, share)[1],
        y1: 'start',
        y2: 'end',
        ...belowZeroLook(subject),
      }),
      text(
        segments.filter(({ isCut }) => isCut),
        {
          x: ({ place }: Segment) => place + 0.5,
          y: ({ end }: Segment) => end * 0.92,
          ...breakMark,
        },
      ),
      ruleY([0], zeroLine(segments)),
    ],
  };
}
