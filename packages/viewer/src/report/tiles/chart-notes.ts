import type { ChartTile, ScatterTile } from '@portal-embed/report-model';

import { isBeyondAxis } from '../../charts/beyond-axis.ts';
import { hasShares, type Chart } from '../../charts/read-chart.ts';
import type { Scatter } from '../../charts/read-scatter.ts';
import type { Formats } from '../../format/create-formats.ts';
import { noteLimit } from './notes.ts';

export function noteChart(tile: ChartTile, chart: Chart, formats: Formats): string[] {
  const isLine = chart.type === 'line' || chart.type === 'area';
  const incomplete = chart.places.find(({ isIncomplete }) => isIncomplete);
  // A blank has no position on an axis of numbers or times.
  const undrawn =
    isLine && chart.x.kind !== 'category' ? chart.places.filter(({ key }) => key === null) : [];
  const isUnstacked = tile.type !== 'line' && tile.stack === 'percent' && !hasShares(chart.panels);
  const { formatMessage } = formats;
  return [
    ...noteLimit(tile, formats, formats.nameDimension(chart.x)),
    ...(incomplete ? [formatMessage('note.incomplete', { period: incomplete.name })] : []),
    ...listBeyond(chart, formats),
    ...(Number.isFinite(chart.cutAt)
      ? chart.places.flatMap(({ name, isOther }) =>
          isOther ? [formatMessage('note.cut', { name })] : [],
        )
      : []),
    ...undrawn.map(({ name }) => formatMessage('note.table_only', { name })),
    ...(isUnstacked ? [formatMessage('note.unstacked')] : []),
  ];
}

/** Names the values of the incomplete period that lie beyond the axis. */
function listBeyond(chart: Chart, formats: Formats): string[] {
  const place = chart.places.findIndex(({ isIncomplete }) => isIncomplete);
  const values = chart.panels.flatMap((panel) =>
    panel.series.flatMap(({ format }, series) =>
      place >= 0 && isBeyondAxis(chart, panel, series, place)
        ? formats.formatNumber(panel.values[series]![place]!, format)
        : [],
    ),
  );
  if (values.length === 0) return [];
  const period = chart.places[place]!.name;
  return [formats.formatMessage('note.beyond', { period, value: formats.formatEvery(values) })];
}

export function noteScatter(tile: ScatterTile, scatter: Scatter, formats: Formats): string[] {
  const { missing, size } = scatter;
  const { formatMessage } = formats;
  return [
    ...noteLimit(tile, formats, formats.nameDimension(tile.dimensions[0]!.dimension)),
    ...(size ? [formatMessage('note.size', { metric: size.name })] : []),
    ...(missing > 0 ? [formatMessage('note.missing', { missing })] : []),
  ];
}
