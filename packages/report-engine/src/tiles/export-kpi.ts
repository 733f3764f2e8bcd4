import type { Key } from '@portal-embed/report-model';

import type { ExportColumn, ExportedTile } from '#platform';

import { addPeriods } from '../plan/periods.ts';
import { findMetric, type TileContext, type TileOf } from './context.ts';
import { computeKpi } from './kpi.ts';

/**
 * Exports the number of a tile with those that it is compared with: as columns, or if the tile has a
 * line, as rows above those of the line.
 */
export async function exportKpi(context: TileContext, tile: TileOf<'kpi'>): Promise<ExportedTile> {
  const { value, period, comparison, target, sparkline } = await computeKpi(context, tile);
  const { name, type, format } = findMetric(context.dataset, tile.metric);
  const numbers = [
    { label: name, ...period, value },
    ...(comparison ? [comparison] : []),
    ...(target ? [{ label: 'target', ...target }] : []),
  ];
  if (!sparkline || !tile.sparkline) {
    const columns = numbers.map(({ label }) => (label === name ? name : `${name} (${label})`));
    return createTable(
      columns.map((column) => ({ name: column, type, format })),
      [numbers.map((number) => number.value)],
    );
  }
  const grain = tile.sparkline;
  const points = sparkline.points.map(({ key, value: ofPoint }) => {
    const from = String(key);
    return { label: grain, from, to: addPeriods(from, grain, 1), value: ofPoint };
  });
  const columns: ExportColumn[] = [
    { name: 'Value', type: 'text' },
    { name: 'From', type: 'date' },
    { name: 'To', type: 'date' },
    { name, type, format },
  ];
  const rows = [...numbers, ...points].map(
    ({ label, from, to, value: cell }: (typeof numbers)[number]) => [
      label,
      from?.slice(0, 10) ?? null,
      // The last day: the end is exclusive.
      to === undefined ? null : addPeriods(to, 'hour', -1).slice(0, 10),
      cell,
    ],
  );
  return createTable(columns, rows);
}

const createTable = (columns: ExportColumn[], rows: Key[][]): ExportedTile => ({
  columns,
  rowCount: rows.length,
  rows: (async function* () {
    yield rows;
  })(),
});
