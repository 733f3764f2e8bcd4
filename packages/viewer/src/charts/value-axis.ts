import type { FormatOptions } from '@portal-embed/report-model';
import { nice, ticks } from 'd3-array';

import type { Formats } from '../format/create-formats.ts';

/** Range and labels of an axis of values. */
export interface ValueAxis {
  domain: [number, number];
  ticks: number[];
  /** The label of a tick. All ticks have different labels. */
  label: (tick: number) => string;
}

/** An axis from its lowest to its highest value, rounded outwards. */
export function createValueAxis(
  values: readonly number[],
  format: FormatOptions,
  count: number,
  formats: Formats,
): ValueAxis {
  const known = values.filter(Number.isFinite);
  const [low, high] = [
    known.reduce((a, b) => Math.min(a, b), Infinity),
    known.reduce((a, b) => Math.max(a, b), -Infinity),
  ];
  // Fewer than two values have no range to round.
  const [start, end] =
    low < high
      ? [low, high]
      : low === high && low !== 0
        ? [Math.min(low, 0), Math.max(low, 0)]
        : [0, 1];
  const isWhole = format.style !== 'percent' && format.maximumFractionDigits === 0;
  const [first, last] = nice(start, end, count);
  const all = ticks(first, last, count).filter((tick) => !isWhole || Number.isInteger(tick));
  const labels = formats.formatTicks(all, format);
  return {
    domain: [first, last],
    ticks: all,
    label: (tick) => labels[all.indexOf(tick)] ?? '',
  };
}

export const percentFormat: FormatOptions = { style: 'percent', notation: 'standard' };
