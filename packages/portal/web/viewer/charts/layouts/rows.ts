import { axisY, pointerY, rect, ruleX, text, tip } from '@observablehq/plot';
import type { PlotOptions } from '@observablehq/plot';

import { measureRows } from '../heights.ts';
import { stackValues, type Segment } from '../stack.ts';
import { barExtent, barLook, breakMark, identity, listActive, topsOf } from './columns.ts';
import {
  characterWidth,
  describePlace,
  endRoom,
  fitValueAxis,
  horizontalAxis,
  plainAxis,
  startSide,
  tipLook,
  quiet,
  valueAxisOf,
  type Subject,
} from './frame.ts';

/** Lays out horizontal bars, which have room for long names beside them. */
export function layOutRows(subject: Subject): PlotOptions {
  const { chart, panel, width, formats } = subject;
  const count = chart.places.length;
  const segments = stackValues(panel, chart);
  const { bars, isLabelled, pitch, above: marginTop } = measureRows(chart, panel);
  const labels = isLabelled ? missingToo(subject, segments) : [];
  const textOf = ({ series, place }: Pick<Segment, 'series' | 'place'>) =>
    formats.formatNumber(panel.values[series]![place] ?? null, panel.series[series]!.format);
  const longest = Math.max(0, ...chart.places.map(({ name }) => name.length)) * characterWidth;
  const marginLeft = Math.min(longest + plainAxis.tickPadding + 6, width * 0.4);
  const isShortened = longest + plainAxis.tickPadding > marginLeft;
  const widest = Math.max(0, ...labels.map((label) => textOf(label).length)) * characterWidth;
  const values = fitValueAxis(width - marginLeft, (most) => valueAxisOf(subject, most));
  const marginRight = isLabelled
    ? Math.min(widest + 12, width * 0.45)
    : endRoom(24, values.ticks.map(values.label));
  const share = bars > 1 ? 0.8 : 0.6;
  const tops = topsOf(chart, segments);
  const tips = chart.places.map((_, place) => ({
    place,
    y: place + 0.5,
    x: tops[place]!,
    title: describePlace(subject, place),
  }));
  const domain = isLabelled ? exactDomain(subject) : values.domain;
  const centerOf = (segment: Segment) => {
    const [start, end] = barExtent(subject, segment, share);
    return (start + end) / 2;
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
    y: { type: 'linear', domain: [0, Math.max(1, count)], reverse: true },
    marks: [
      ...(isLabelled ? [] : horizontalAxis(values)),
      axisY(
        chart.places.map((_, place) => place + 0.5),
        {
          ...plainAxis,
          anchor: startSide(formats),
          tickFormat: (position: number) => chart.places[position - 0.5]?.name ?? '',
          ...(isShortened && {
            // Plot assumes narrower letters than those of the widest fonts.
            lineWidth: ((marginLeft - plainAxis.tickPadding) * 0.85) / 12,
            textOverflow: 'ellipsis',
          }),
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
        y1: (segment: Segment) => barExtent(subject, segment, share)[0],
        y2: (segment: Segment) => barExtent(subject, segment, share)[1],
        ...barLook(subject),
      }),
      text(
        segments.filter(({ isCut }) => isCut),
        {
          x: ({ end }: Segment) => end * 0.92,
          y: centerOf,
          ...breakMark,
        },
      ),
      ruleX([0], { stroke: quiet }),
      text(labels, {
        x: ({ end }: Segment) => Math.max(end, 0),
        y: centerOf,
        text: textOf,
        textAnchor: formats.isRightToLeft ? 'end' : 'start',
        dx: formats.isRightToLeft ? -6 : 6,
      }),
      tip(tips, pointerY({ x: 'x', y: 'y', title: 'title', ...tipLook })),
    ],
  };
}

/** The bars, including those without a value, whose labels say so. */
function missingToo({ panel }: Subject, segments: Segment[]): Segment[] {
  const missing = panel.values.flatMap((ofSeries, series) =>
    ofSeries.flatMap((value, place) =>
      value === null ? [{ series, place, value: 0, start: 0, end: 0, isCut: false }] : [],
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
