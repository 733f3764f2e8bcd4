import type { ConditionalFormat, Group, Metric, Value } from '@portal-embed/report-model';

/** Lowest and highest number of a column. */
export interface Extent {
  low: number;
  high: number;
}

export type Status = 'good' | 'warning' | 'bad';

/** How a number is highlighted. */
export type Highlight =
  | { type: 'status'; status: Status }
  | { type: 'arrow'; direction: 'up' | 'down'; status: Status | undefined }
  /** From `start` to `end`, in percent of the cell. */
  | { type: 'bar'; start: number; end: number; zero: number }
  /** From 0 to 1. */
  | { type: 'scale'; depth: number };

export interface HighlightOptions {
  extent?: Extent | undefined;
  isTotal?: boolean;
}

/** The extent of each metric over the groups of a table. */
export const findExtents = (metrics: readonly Metric[], groups: readonly Group[]): Extent[] =>
  metrics.map(({ conditionalFormat }, column) => {
    const extent = { low: Infinity, high: -Infinity };
    if (conditionalFormat?.type !== 'bar' && conditionalFormat?.type !== 'scale') return extent;
    for (const { values } of groups) {
      const value = values[column] ?? null;
      if (value === null) continue;
      extent.low = Math.min(extent.low, Number(value));
      extent.high = Math.max(extent.high, Number(value));
    }
    return extent;
  });

/**
 * Whether a change or difference is good.
 *
 * @param difference only its sign counts
 */
export function judge({ better }: Metric, difference: number): 'good' | 'bad' | undefined {
  if (better === 'neither' || difference === 0 || Number.isNaN(difference)) return undefined;
  return difference > 0 === (better !== 'lower') ? 'good' : 'bad';
}

/**
 * @param options.extent of the column; without it, the number has no bar and no scale
 * @param options.isTotal whether the number is a total, which thresholds for single rows do not judge
 */
export function findHighlight(
  metric: Metric,
  value: Value,
  { extent, isTotal = false }: HighlightOptions = {},
): Highlight | undefined {
  const { conditionalFormat: format } = metric;
  if (!format || value === null) return undefined;
  const number = Number(value);
  switch (format.type) {
    case 'thresholds': {
      if (isTotal) return undefined;
      const status = findStatus(format, number);
      return status && { type: 'status', status };
    }
    case 'arrow':
      if (number === 0) return undefined;
      return {
        type: 'arrow',
        direction: number > 0 ? 'up' : 'down',
        status: judge(metric, number),
      };
    case 'bar': {
      if (!extent) return undefined;
      const [low, high] = [Math.min(0, extent.low), Math.max(0, extent.high)];
      const at = (position: number) => ((position - low) / (high - low || 1)) * 100;
      const zero = at(0);
      return {
        type: 'bar',
        start: Math.min(zero, at(number)),
        end: Math.max(zero, at(number)),
        zero,
      };
    }
    case 'scale': {
      if (!extent) return undefined;
      const { from = extent.low, to = extent.high } = format;
      return { type: 'scale', depth: Math.min(1, Math.max(0, (number - from) / (to - from || 1))) };
    }
  }
}

const findStatus = (
  { thresholds }: Extract<ConditionalFormat, { type: 'thresholds' }>,
  number: number,
): Status | undefined =>
  thresholds.find(
    ({ below = Infinity, atLeast = -Infinity }) => number < below && number >= atLeast,
  )?.status;
