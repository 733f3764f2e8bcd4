import { axisX, axisY, gridX, gridY } from '@observablehq/plot';

import type { Formats } from '../../format/create-formats.ts';
import { isBeyondAxis } from '../beyond-axis.ts';
import type { Chart, Panel } from '../read-chart.ts';
import { stackValues } from '../stack.ts';
import { createValueAxis, percentFormat, type ValueAxis } from '../value-axis.ts';

/** The size of a drawing, and the reader's formats. */
export interface Place {
  width: number;
  /** The height to fill. Default: the usual height. */
  room?: number | undefined;
  formats: Formats;
}

/** What to draw, and where. */
export interface Subject extends Place {
  chart: Chart;
  panel: Panel;
}

export const quiet = 'var(--line-strong)';
export const plainAxis = { label: null, tickSize: 0, tickPadding: 8 };
/** Width of a character in the widest usual fonts, at 12 px. */
export const characterWidth = 7.2;

/** Whether a place is drawn. In lines and areas, a blank has no position among numbers or times. */
export const isDrawn = ({ type, x, places }: Chart, place: number): boolean =>
  places[place]!.key !== null || x.kind === 'category' || (type !== 'line' && type !== 'area');

/** The axis of values, which all panels of one unit share. */
export function valueAxisOf({ chart, panel, formats }: Subject, count: number): ValueAxis {
  const alike = chart.panels.filter(({ axis }) => axis === panel.axis);
  if (chart.stack === 'percent' && chart.type !== 'line')
    return createValueAxis([0, 1], percentFormat, count, formats);
  const ends =
    chart.type === 'line'
      ? alike.flatMap((one) =>
          one.values.flatMap((row, series) =>
            row.flatMap((value, place) =>
              isDrawn(chart, place) && !isBeyondAxis(chart, one, series, place)
                ? (value ?? [])
                : [],
            ),
          ),
        )
      : alike.flatMap((one) =>
          stackValues(one, chart)
            .filter(({ place }) => isDrawn(chart, place))
            .flatMap(({ start, end }) => [start, end]),
        );
  return createValueAxis([0, ...ends], panel.format, count, formats);
}

/** Room beside a drawing for half of the label at its end. */
export const endRoom = (least: number, labels: readonly string[]): number =>
  Math.max(
    least,
    ...labels.flatMap((label) =>
      label.split('\n').map((line) => (line.length * characterWidth) / 2 + 2),
    ),
  );

const usualLabel = 90;
const labelGap = 8;

/** A horizontal axis of values, with as many labels as fit. */
export function fitValueAxis(room: number, create: (count: number) => ValueAxis): ValueAxis {
  const fits = ({ ticks, label }: ValueAxis) =>
    ticks.length * (2 * endRoom(0, ticks.map(label)) + labelGap) <= room;
  let count = Math.max(2, Math.floor(room / usualLabel));
  let axis = create(count);
  while (count > 1 && !fits(axis)) axis = create(--count);
  return axis;
}

/** Room for the labels beside an axis of values. */
export const labelRoom = ({ ticks, label }: ValueAxis): number =>
  Math.max(20, ...ticks.map((tick) => label(tick).length * characterWidth)) +
  plainAxis.tickPadding +
  8;

/** The side where a line of text begins. */
export const startSide = ({ isRightToLeft }: Formats) => (isRightToLeft ? 'right' : 'left');

export const verticalAxis = (axis: ValueAxis, formats: Formats) => [
  gridY(axis.ticks, { className: 'plot-grid' }),
  axisY(axis.ticks, { ...plainAxis, anchor: startSide(formats), tickFormat: axis.label }),
];

export const horizontalAxis = (axis: ValueAxis) => [
  gridX(axis.ticks, { className: 'plot-grid' }),
  axisX(axis.ticks, { ...plainAxis, anchor: 'top', tickFormat: axis.label }),
];

/** The lines of a place's tooltip: its name, and each value with its unit. */
export function describePlace(
  { chart, panel, formats }: Omit<Subject, 'width'>,
  place: number,
): [name: string, ...values: string[]] {
  const { name, isIncomplete, folded } = chart.places[place]!;
  if (folded !== undefined) return [name];
  const lines = panel.series.flatMap((series, position) => {
    const value = panel.values[position]![place] ?? null;
    return value === null && panel.series.length > 1 ? [] : [{ ...series, value }];
  });
  const total = lines.reduce((sum, { value }) => sum + (value ?? 0), 0);
  const say = ({ name: label, format, value, total: all }: (typeof lines)[number]) => {
    if (chart.type === 'line' || chart.stack !== 'percent' || !value)
      return formats.describeValue(label, value, format, all);
    const values = { name: label, value: formats.formatNumber(value, format) };
    return formats.formatMessage('tooltip.share', {
      ...values,
      share: formats.formatShare(value / total),
    });
  };
  const heading = isIncomplete ? formats.formatMessage('time.incomplete', { period: name }) : name;
  const shown = lines.slice(0, tooltipLines);
  const rest = lines.length - shown.length;
  return [
    heading,
    ...shown.map(say),
    ...(rest > 0 ? [formats.formatMessage('tooltip.more', { count: rest })] : []),
  ];
}

const tooltipLines = 12;

/** The text of a place's tooltip: its lines, and what a click does. */
export const writeTip = (subject: Subject, place: number): string =>
  [...describePlace(subject, place), subject.chart.places[place]!.emphasis?.action]
    .filter((line) => line !== undefined)
    .join('\n');

/** A place with its values in all panels, in one line. */
export function describePanels(chart: Chart, place: number, formats: Formats): string {
  const lines = chart.panels.flatMap((panel, index) => {
    const [heading, ...values] = describePlace({ chart, panel, formats }, place);
    const { name } = panel;
    const named =
      name === null
        ? values
        : values.map((value) =>
            formats.formatMessage('tooltip.point', { name: value, group: name }),
          );
    return index === 0 ? [formats.isolate(heading), ...named] : named;
  });
  return lines.join(' · ');
}

/**
 * The invisible point of the mark at the pointer, beside which its tooltip stands. It comes before other
 * marks with a pointer: the first one reports the new mark.
 */
export const tipPoint = { className: 'plot-tip', r: 1, stroke: 'none' };
