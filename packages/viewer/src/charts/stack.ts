import type { Chart, Panel } from './read-chart.ts';

/** A bar or a part of one: from `start` to `end` on the axis of values. */
export interface Segment {
  series: number;
  place: number;
  value: number;
  start: number;
  end: number;
  /** Whether it is cut off. */
  isCut: boolean;
}

/** Positions of the values on their axis. Negative values are stacked below zero. */
export function stackValues(
  { values }: Panel,
  { stack, cutAt }: Pick<Chart, 'stack' | 'cutAt'>,
): Segment[] {
  const count = values[0]?.length ?? 0;
  const cut = (segment: Omit<Segment, 'isCut'>): Segment => ({
    ...segment,
    end: Math.min(segment.end, cutAt),
    isCut: segment.end > cutAt,
  });
  return Array.from({ length: count }, (_, place) => {
    const known = values.flatMap((ofSeries, series) => {
      const value = ofSeries[place] ?? null;
      return value === null ? [] : [{ series, value }];
    });
    const total = stack === 'percent' ? known.reduce((sum, { value }) => sum + value, 0) || 1 : 1;
    let [above, below] = [0, 0];
    return known.map(({ series, value }): Segment => {
      if (stack === 'grouped') return cut({ series, place, value, start: 0, end: value });
      const length = value / total;
      const start = length < 0 ? below : above;
      const end = start + length;
      if (length < 0) below = end;
      else above = end;
      return cut({ series, place, value, start, end });
    });
  }).flat();
}
