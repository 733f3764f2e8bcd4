import type { Chart, Panel } from './read-chart.ts';

/** Share of the axis of complete periods by which an incomplete one may lengthen it. */
const mostStretch = 0.25;

/**
 * Whether the value of an incomplete period is so far from the others that it would flatten them: the mean
 * of a period that has just begun. A sum or count that is already high is not such an outlier.
 */
export function isBeyondAxis(chart: Chart, panel: Panel, series: number, place: number): boolean {
  const value = panel.values[series]![place];
  if (panel.series[series]!.total !== undefined) return false;
  if (chart.type !== 'line' || !chart.places[place]!.isIncomplete || value === null) return false;
  const complete = chart.panels
    .filter(({ axis }) => axis === panel.axis)
    .flatMap(({ values }) => values)
    .flatMap((row) => row.filter((_, index) => !chart.places[index]!.isIncomplete))
    .filter((one) => one !== null);
  if (complete.length < 2) return false;
  const low = complete.reduce((a, b) => Math.min(a, b), 0);
  const high = complete.reduce((a, b) => Math.max(a, b), 0);
  const room = (high - low) * mostStretch;
  return value! > high + room || value! < low - room;
}
