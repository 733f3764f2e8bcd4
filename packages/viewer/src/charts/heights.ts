import type { Chart, Panel } from './read-chart.ts';
import type { Scatter } from './read-scatter.ts';

/** Height to reserve for a drawing, in its own units and without turned labels. */
export function heightOf(chart: Chart | Scatter, panel: number): number {
  const isSmall = chart.panels.length > 1;
  if (chart.type === 'scatter') return isSmall ? 200 : 300;
  if (chart.type !== 'bar') return isSmall ? 190 : 280;
  const { pitch, above } = measureRows(chart, chart.panels[panel]!);
  return chart.places.length * pitch + above + 4;
}

/** A taller drawing can be scrolled. */
export const usualHeight = 300;

/** Horizontal bars: room of each place, and above the first one. */
export function measureRows(chart: Chart, { series }: Panel) {
  const count = Math.max(1, chart.places.length);
  const bars = chart.stack === 'grouped' ? series.length : 1;
  // A bar has its value as a label beside it. Stacked bars have an axis of values instead.
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
