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
  const groupsWithValue = groups.flatMap((group) => {
    const value = group.values[0] ?? null;
    return value === null ? [] : [{ group, value }];
  });
  if (groupsWithValue.length === 0) return summary;
  const format: FormatOptions = metrics[0]!.format;
  const describeValue = ({ value }: (typeof groupsWithValue)[number]) =>
    formats.formatNumber(value, format);
  const describeGroup = ({ group }: (typeof groupsWithValue)[number]) =>
    formats.formatEvery(readers.map(({ name }) => name(group)));
  const highest = groupsWithValue.reduce((best, one) =>
    Number(one.value) > Number(best.value) ? one : best,
  );
  const lowest = groupsWithValue.reduce((best, one) =>
    Number(one.value) < Number(best.value) ? one : best,
  );
  const extremes = formats.formatMessage('chart.extremes', {
    highest: describeValue(highest),
    highestAt: describeGroup(highest),
    lowest: describeValue(lowest),
    lowestAt: describeGroup(lowest),
  });
  return `${summary} ${extremes}`;
}
