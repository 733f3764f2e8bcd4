import type { SeriesTile } from '@portal-embed/report-model';

import type { Formats } from './format.ts';

/** One sentence for readers who cannot see the chart. */
export function describeSeries(tile: SeriesTile, { formatNumber, formatterOf }: Formats): string {
  const { mark, points, dimension, measure } = tile;
  const formatX = formatterOf(tile);
  const kind = mark === 'line' ? 'Line chart' : 'Bar chart';
  const count = `${points.length} ${points.length === 1 ? 'value' : 'values'}`;
  const known = points.filter(
    (point): point is { x: typeof point.x; y: number } => point.y !== null,
  );
  const summary = `${kind} of ${measure.label} by ${dimension.label}, ${count}.`;
  if (known.length === 0) return summary;
  const say = ({ x, y }: (typeof known)[number]) =>
    `${formatNumber(y, measure.format)} at ${formatX(x)}`;
  const highest = known.reduce((best, point) => (point.y > best.y ? point : best));
  const lowest = known.reduce((best, point) => (point.y < best.y ? point : best));
  return `${summary} Highest ${say(highest)}, lowest ${say(lowest)}.`;
}
