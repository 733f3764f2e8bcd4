import type { ChartTile, FormatOptions, ScatterTile } from '@portal-embed/report-model';

import type { Formats } from '../format/create-formats.ts';
import { createKeyReaders } from './key-readers.ts';

/** Sentences for readers who cannot see the chart. */
export function describeChart(tile: ChartTile | ScatterTile, formats: Formats): string {
  const { groups, metrics, dimensions } = tile;
  const readers = createKeyReaders(dimensions, groups, formats);
  const names = {
    metrics: formats.formatEvery(metrics.map(({ name }) => name)),
    dimensions: formats.formatEvery(
      dimensions.map(({ dimension }) => formats.nameDimension(dimension)),
    ),
  };
  const summary = [
    formats.formatMessage(`chart.${tile.type}`, names),
    formats.formatMessage('chart.values', { count: groups.length }),
  ].join(' ');
  if (tile.type === 'scatter' || metrics.length > 1) return summary;
  const known = groups.flatMap((group) => {
    const value = group.values[0] ?? null;
    return value === null ? [] : [{ group, value }];
  });
  if (known.length === 0) return summary;
  const format: FormatOptions = metrics[0]!.format;
  const valueOf = ({ value }: (typeof known)[number]) => formats.formatNumber(value, format);
  const placeOf = ({ group }: (typeof known)[number]) =>
    formats.formatEvery(readers.map(({ name }) => name(group)));
  const highest = known.reduce((best, one) =>
    Number(one.value) > Number(best.value) ? one : best,
  );
  const lowest = known.reduce((best, one) => (Number(one.value) < Number(best.value) ? one : best));
  const extremes = formats.formatMessage('chart.extremes', {
    highest: valueOf(highest),
    highestAt: placeOf(highest),
    lowest: valueOf(lowest),
    lowestAt: placeOf(lowest),
  });
  return `${summary} ${extremes}`;
}
