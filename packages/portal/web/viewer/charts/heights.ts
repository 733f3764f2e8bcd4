import type { Chart, Panel } from './read-chart.ts';
import type { Scatter } from './read-scatter.ts';

/** Height of a drawing in its own units, without turned labels: its room is kept until it is drawn. */
export function heightOf(chart: Chart | Scatter, panel: number): number {
  const isSmall = chart.panels.length > 1;
  if (chart.type === 'scatter') return isSmall ? 200 : 300;
  if (chart.type !== 'bar') return isSmall ? 190 : 280;
  const { pitch, above } = measureRows(chart, chart.panels[panel]!);
  return chart.places.length * pitch + above + 4;
}

/** A drawing that is taller is scrolled if there is not enough room. */
export const usualHeight = 300;

/** Horizontal bars: room of each place, and above the first one. */
export function measureRows(chart: Chart, { series }: Panel) {
  const count = Math.max(1, chart.places.length);
  const bars = chart.stack === 'grouped' ? series.length : 1;
  // Each bar has its value beside it, unless bars are stacked: then an axis has the values.
  const isLabelled =
    chart.stack === 'grouped' || (series.length === 1 && chart.stack !== 'percent');
  const least = Math.max(32, bars * 18 + 12);
  return {
    bars,
    isLabelled,
    pitch: Math.min(Math.max(264 / count, least), Math.max(56, bars * 24)),
    above: isLabelled ? 4 : 24,
  };
}
