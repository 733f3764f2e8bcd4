import { axisY, dot, pointerY, rect, ruleX, text } from '@observablehq/plot';
import type { PlotOptions } from '@observablehq/plot';

import { measureRows } from '../heights.ts';
import { stackValues, type Segment } from '../stack.ts';
import {
  barExtent,
  barLook,
  belowZeroLook,
  breakMark,
  identity,
  isBelowZero,
  listActive,
  topsOf,
  zeroLine,
} from './columns.ts';
import {
  characterWidth,
  endRoom,
  fitValueAxis,
  horizontalAxis,
  plainAxis,
  startSide,
  tipPoint,
  valueAxisOf,
  writeTip,
  type Subject,
} from './frame.ts';

/** Below this width, long names stand above their bars. */
const narrow = 400;
const nameHeight = 16;

/** Plot assumes narrower letters than those of the widest fonts. */
const shorten = (room: number) =>
  ({ lineWidth: Math.max(1, (room * 0.85) / 12), textOverflow: 'ellipsis' }) as const;

/** Lays out horizontal bars, which have room for long names beside them. */
export function layOutRows(subject: Subject): PlotOptions {
  const { chart, panel, width, formats } = subject;
  const count = chart.places.length;
  const segments = stackValues(panel, chart);
  const {
    bars,
    isLabelled,
    pitch: barPitch,
    above: marginTop,
  } = measureRows(chart, panel, subject.room);
  const labels = isLabelled ? missingToo(subject, segments) : [];
  const longest = Math.max(0, ...chart.places.map(({ name }) => name.length)) * characterWidth;
  const besideBars = Math.min(longest + plainAxis.tickPadding + 6, width * 0.4);
  const isShortened = longest + plainAxis.tickPadding > besideBars;
  // On a phone, a long name and its value would leave no room for the bar between them.
  const isAbove = isShortened && width < narrow;
  const pitch = isAbove ? barPitch + nameHeight : barPitch;
  const marginLeft = isAbove ? 8 : besideBars;
  const { textOf, labelRoom } = labelValues(subject, labels, width * (isAbove ? 0.6 : 0.45));
  const values = fitValueAxis(width - marginLeft, (most) => valueAxisOf(subject, most));
  const marginRight = isLabelled ? labelRoom : endRoom(24, values.ticks.map(values.label));
  const share = bars > 1 ? 0.8 : 0.6;
  const tops = topsOf(chart, segments);
  const tips = chart.places.map((_, place) => ({
    place,
    y: place + 0.5,
    x: tops[place]!,
    title: writeTip(subject, place),
  }));
  const domain = isLabelled ? exactDomain(subject) : values.domain;
  const extentOf = (segment: Segment) =>
    barExtent(subject, segment, share).map((y) =>
      isAbove ? segment.place + (nameHeight + (y - segment.place) * barPitch) / pitch : y,
    ) as [number, number];
  const centerOf = (segment: Segment) => {
    const [start, end] = extentOf(segment);
    return (start + end) / 2;
  };
  const nameOf = (position: number) => {
    const { name = '', folded } = chart.places[Math.floor(position)] ?? {};
    return folded === undefined ? name : '';
  };
  return {
    ...identity,
    height: count * pitch + marginTop + 4,
    marginTop,
    marginBottom: 4,
    marginLeft,
    marginRight,
    // Without an axis of values: each bar has its value as a label.
    x: { axis: null, domain },
    y: { axis: null, type: 'linear', domain: [0, Math.max(1, count)], reverse: true },
    marks: [
      dot(tips, pointerY({ x: 'x', y: 'y', ...tipPoint })),
      ...(isLabelled ? [] : horizontalAxis(values)),
      isAbove
        ? text(
            chart.places.map((_, place) => place + (0.7 * nameHeight) / pitch),
            {
              y: (position: number) => position,
              text: nameOf,
              frameAnchor: startSide(formats),
              textAnchor: formats.isRightToLeft ? 'end' : 'start',
              ...shorten(width - 16),
            },
          )
        : axisY(
            chart.places.map((_, place) => place + 0.5),
            {
              ...plainAxis,
              anchor: startSide(formats),
              tickFormat: nameOf,
              ...(isShortened && shorten(marginLeft - plainAxis.tickPadding)),
            },
          ),
      text(
        chart.places.flatMap(({ name, folded }, place) =>
          folded === undefined ? [] : [{ place, name: `⋯ ${name}` }],
        ),
        {
          x: Math.max(domain[0], 0),
          y: ({ place }: { place: number }) => place + 0.5,
          text: 'name',
          textAnchor: formats.isRightToLeft ? 'end' : 'start',
          dx: formats.isRightToLeft ? -6 : 6,
          className: 'plot-fold',
        },
      ),
      rect(listActive(chart), {
        x1: domain[0],
        x2: domain[1],
        y1: 'place',
        y2: ({ place }: { place: number }) => place + 1,
        fill: 'var(--hover)',
      }),
      rect(segments, {
        x1: 'start',
        x2: 'end',
        y1: (segment: Segment) => extentOf(segment)[0],
        y2: (segment: Segment) => extentOf(segment)[1],
        ...barLook(subject),
      }),
      rect(segments.filter(isBelowZero), {
        x1: 'start',
        x2: 'end',
        y1: (segment: Segment) => extentOf(segment)[0],
        y2: (segment: Segment) => extentOf(segment)[1],
        ...belowZeroLook(subject),
      }),
      text(
        segments.filter(({ isCut }) => isCut),
        {
          x: ({ end }: Segment) => end * 0.92,
          y: centerOf,
          ...breakMark,
        },
      ),
      ruleX([0], zeroLine(segments)),
      text(labels, {
        x: ({ end }: Segment) => Math.max(end, 0),
        y: centerOf,
        text: textOf,
        textAnchor: formats.isRightToLeft ? 'end' : 'start',
        dx: formats.isRightToLeft ? -6 : 6,
      }),
    ],
  };
}

type Label = Pick<Segment, 'series' | 'place'>;

/** The texts of values beside their bars: short ones if the exact ones have no room. */
function labelValues({ panel, formats }: Subject, labels: readonly Segment[], most: number) {
  const write = (isShort: boolean) => {
    const textOf = ({ series, place }: Label) => {
      const { minimumFractionDigits: _, ...format } = panel.series[series]!.format;
      return formats.formatNumber(
        panel.values[series]![place] ?? null,
        isShort
          ? { ...format, notation: 'compact', maximumFractionDigits: 1 }
          : panel.series[series]!.format,
      );
    };
    const widest = Math.max(0, ...labels.map((label) => textOf(label).length)) * characterWidth;
    return { textOf, labelRoom: widest + 12 };
  };
  const exact = write(false);
  if (exact.labelRoom <= most) return exact;
  const short = write(true);
  return { ...short, labelRoom: Math.min(short.labelRoom, most) };
}

/** The bars, including those without a value, whose labels say so. */
function missingToo({ chart, panel }: Subject, segments: Segment[]): Segment[] {
  const missing = panel.values.flatMap((ofSeries, series) =>
    ofSeries.flatMap((value, place) =>
      value === null && chart.places[place]!.folded === undefined
        ? [{ series, place, value: 0, start: 0, end: 0, isCut: false }]
        : [],
    ),
  );
  return panel.series.length === 1 ? [...segments, ...missing] : segments;
}

/** The values of all panels with this axis, so that small multiples can be compared. */
function exactDomain({ chart, panel }: Subject): [number, number] {
  const ends = chart.panels
    .filter(({ axis }) => axis === panel.axis)
    .flatMap((one) => stackValues(one, chart).map(({ end }) => end));
  const low = ends.reduce((least, end) => Math.min(least, end), 0);
  const high = ends.reduce((most, end) => Math.max(most, end), 0);
  return low < high ? [low, high] : [0, 1];
}
