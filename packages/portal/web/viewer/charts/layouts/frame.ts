import { axisX, axisY, gridX, gridY } from '@observablehq/plot';

import type { Formats } from '../../format/create-formats.ts';
import type { Chart, Panel } from '../read-chart.ts';
import { stackValues } from '../stack.ts';
import { createValueAxis, percentFormat, type ValueAxis } from '../value-axis.ts';

/** What to draw, the width there is, and the reader's formats. */
export interface Subject {
  chart: Chart;
  panel: Panel;
  width: number;
  formats: Formats;
}

export const quiet = 'var(--line-strong)';
export const plainAxis = { label: null, tickSize: 0, tickPadding: 8 };
/** Of the widest usual fonts, at 12 px. */
export const characterWidth = 7.2;

/** The axis of values, which all panels of one unit share. */
export function valueAxisOf({ chart, panel, formats }: Subject, count: number): ValueAxis {
  const alike = chart.panels.filter(({ axis }) => axis === panel.axis);
  if (chart.stack === 'percent' && chart.type !== 'line')
    return createValueAxis([0, 1], percentFormat, count, formats);
  const ends =
    chart.type === 'line'
      ? alike.flatMap(({ values }) => values.flat().filter((value) => value !== null))
      : alike.flatMap((one) => stackValues(one, chart).flatMap(({ start, end }) => [start, end]));
  return createValueAxis([0, ...ends], panel.format, count, formats);
}

/** Room for the labels beside an axis of values. */
export const labelRoom = ({ ticks, label }: ValueAxis): number =>
  Math.max(20, ...ticks.map((tick) => label(tick).length * characterWidth)) +
  plainAxis.tickPadding +
  8;

export const verticalAxis = (axis: ValueAxis) => [
  gridY(axis.ticks, { className: 'plot-grid' }),
  axisY(axis.ticks, { ...plainAxis, tickFormat: axis.label }),
];

export const horizontalAxis = (axis: ValueAxis) => [
  gridX(axis.ticks, { className: 'plot-grid' }),
  axisX(axis.ticks, { ...plainAxis, anchor: 'top', tickFormat: axis.label }),
];

/** The tooltip of a place: its name and each value with its unit. */
export function describePlace({ chart, panel, formats }: Subject, place: number): string {
  const { name, isIncomplete } = chart.places[place]!;
  const lines = panel.series.flatMap((series, position) => {
    const value = panel.values[position]![place] ?? null;
    return value === null && panel.series.length > 1 ? [] : [{ ...series, value }];
  });
  const total = lines.reduce((sum, { value }) => sum + (value ?? 0), 0);
  const say = ({ name: label, format, value }: (typeof lines)[number]) => {
    const text = `${label}: ${formats.formatNumber(value, format)}`;
    if (chart.type === 'line' || chart.stack !== 'percent' || !value) return text;
    return `${text} (${formats.formatShare(value / total)})`;
  };
  const heading = isIncomplete ? `${name} (incomplete)` : name;
  const shown = lines.slice(0, tooltipLines);
  const rest = lines.length - shown.length;
  return [
    heading,
    ...shown.map(say),
    ...(rest > 0 ? [`and ${formats.formatCount(rest)} more`] : []),
  ].join('\n');
}

const tooltipLines = 12;

export const tipLook = { fill: 'var(--surface)', stroke: quiet, lineHeight: 1.4 };
