import type { Chart, Panel } from './read-chart.ts';
import type { Scatter } from './read-scatter.ts';

/**
 * Height to reserve for a drawing, in its own units and without turned labels.
 *
 * @param room the height to fill in the full view of a tile. Default: the usual height
 */
export function heightOf(chart: Chart | Scatter, panel: number, room?: number): number {
  const isSmall = chart.panels.length > 1;
  if (chart.type === 'scatter') return room ?? (isSmall ? 200 : 300);
  if (chart.type !== 'bar') return room ?? (isSmall ? 190 : 280);
  const { pitch, above } = measureRows(chart, chart.panels[panel]!, room);
  return chart.places.length * pitch + above + 4;
}

/** A taller drawing can be scrolled. */
export const usualHeight = 300;

/** Number of ticks that a vertical axis of values has room for. */
export const countTicks = (height: number): number =>
  Math.max(height > 200 ? 5 : 3, Math.floor(height / 64));

/** Horizontal bars: room of each place, and above the first one. */
export function measureRows(chart: Chart, { series }: Panel, room?: number) {
  const count = Math.max(1, chart.places.length);
  const bars = chart.stack === 'grouped' ? series.length : 1;
  // A bar has its value as a label beside it. Stacked bars have an axis of values instead.
  const isLabelled =
    chart.stack === 'grouped' || (series.length === 1 && chart.stack !== 'percent');
  const above = isLabelled ? 4 : 24;
  const isFull = room !== undefined;
  const least = Math.max(isFull ? 22 : 32, bars * 18 + (isFull ? 4 : 12));
  const most = Math.max(isFull ? 72 : 56, bars * (isFull ? 36 : 24));
  const filled = isFull ? (room - above - 4) / count : 264 / count;
  return { bars, isLabelled, pitch: Math.min(Math.max(filled, least), most), above };
}
