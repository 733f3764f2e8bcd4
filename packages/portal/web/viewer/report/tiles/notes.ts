import type { ChartTile, Groups, ScatterTile } from '@portal-embed/report-model';

import { hasShares, type Chart } from '../../charts/read-chart.ts';
import type { Scatter } from '../../charts/read-scatter.ts';
import type { Formats } from '../../format/create-formats.ts';

/** Says how many groups are shown, unless all are. */
export function noteLimit(
  { groupCount, shownCount }: Groups,
  things: string,
  { formatCount }: Formats,
): string[] {
  if (groupCount <= shownCount) return [];
  return [`${formatCount(shownCount)} of ${formatCount(groupCount)} ${things} are shown.`];
}

export function noteChart(tile: ChartTile, chart: Chart, formats: Formats): string[] {
  const isLine = chart.type === 'line' || chart.type === 'area';
  const incomplete = chart.places.find(({ isIncomplete }) => isIncomplete);
  // A blank has no position on an axis of numbers or times.
  const undrawn =
    isLine && chart.x.kind !== 'category' ? chart.places.filter(({ key }) => key === null) : [];
  const isUnstacked = tile.type !== 'line' && tile.stack === 'percent' && !hasShares(chart.panels);
  return [
    ...noteLimit(tile, `values of ${chart.x.name}`, formats),
    ...(incomplete ? [`The last period, ${incomplete.name}, is not complete yet.`] : []),
    ...(Number.isFinite(chart.cutAt)
      ? chart.places.flatMap(({ name, isOther }) =>
          isOther
            ? [`The bar of ${name} is cut off, because it is much longer than the others.`]
            : [],
        )
      : []),
    ...undrawn.map(({ name }) => `${name} is shown only in the table.`),
    ...(isUnstacked
      ? ['Negative values have no share, so this chart shows values instead of percentages.']
      : []),
  ];
}

export function noteScatter(tile: ScatterTile, scatter: Scatter, formats: Formats): string[] {
  const name = tile.dimensions[0]!.dimension.name;
  const { missing, size } = scatter;
  return [
    ...noteLimit(tile, `values of ${name}`, formats),
    ...(size ? [`The size of a dot shows ${size.name}.`] : []),
    ...(missing > 0
      ? [`Points without a value, which are not drawn: ${formats.formatCount(missing)}.`]
      : []),
  ];
}
