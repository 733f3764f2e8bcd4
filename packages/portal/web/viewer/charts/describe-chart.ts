import type { ChartTile, FormatOptions, ScatterTile } from '@portal-embed/report-model';

import type { Formats } from '../format/create-formats.ts';
import { createKeyReaders } from './key-readers.ts';

const kinds = {
  line: 'Line chart',
  area: 'Area chart',
  column: 'Column chart',
  bar: 'Bar chart',
  donut: 'Donut chart',
  scatter: 'Scatter chart',
};

/** One sentence or two for readers who cannot see the chart. */
export function describeChart(tile: ChartTile | ScatterTile, formats: Formats): string {
  const { groups, metrics, dimensions } = tile;
  const readers = createKeyReaders(dimensions, groups, formats);
  const measured = metrics.map(({ name }) => name).join(' and ');
  const by = dimensions.map(({ dimension }) => dimension.name).join(' and ');
  const count = `${formats.formatCount(groups.length)} ${groups.length === 1 ? 'value' : 'values'}`;
  const summary = `${kinds[tile.type]} of ${measured} by ${by}, ${count}.`;
  if (tile.type === 'scatter' || metrics.length > 1) return summary;
  const known = groups.flatMap((group) => {
    const value = group.values[0] ?? null;
    return value === null ? [] : [{ group, value }];
  });
  if (known.length === 0) return summary;
  const format: FormatOptions = metrics[0]!.format;
  const say = ({ group, value }: (typeof known)[number]) =>
    `${formats.formatNumber(value, format)} at ${readers.map(({ name }) => name(group)).join(', ')}`;
  const highest = known.reduce((best, one) =>
    Number(one.value) > Number(best.value) ? one : best,
  );
  const lowest = known.reduce((best, one) => (Number(one.value) < Number(best.value) ? one : best));
  return `${summary} Highest ${say(highest)}, lowest ${say(lowest)}.`;
}
