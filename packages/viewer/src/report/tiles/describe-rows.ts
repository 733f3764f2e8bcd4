import type { Group, Metric, TableTile } from '@portal-embed/report-model';

import { totalOf } from '../../charts/total.ts';
import type { Formats } from '../../format/create-formats.ts';
import { writeTip } from '../../tips.ts';
import type { Column } from './DataTable.tsx';
import type { MarkState } from './marks/use-selection.ts';

/** Creates the tooltips of a table's rows: names, numbers with their shares, and what a click does. */
export function describeRows(
  tile: Pick<
    TableTile,
    'dimensions' | 'metrics' | 'groups' | 'groupCount' | 'shownCount' | 'totals'
  >,
  columns: readonly Column<Group>[],
  formats: Formats,
): (group: Group, mark: MarkState | undefined) => string {
  const { dimensions, metrics } = tile;
  const totals = metrics.map((_, column) => findTotal(tile, column));
  return (group, mark) =>
    writeTip(
      columns
        .slice(0, dimensions.length)
        .map((column) => column.text(group))
        .join(', '),
      ...describeValues(metrics, group, totals, formats),
      describeAction(mark, formats),
    );
}

/** The rows beyond the limit are in the total alone. */
function findTotal(
  tile: Pick<TableTile, 'metrics' | 'groups' | 'groupCount' | 'shownCount' | 'totals'>,
  column: number,
): number | undefined {
  const total = totalOf(tile, column);
  if (total === undefined || tile.groupCount === tile.shownCount) return total;
  return tile.totals ? Number(tile.totals[column]) : undefined;
}

export const describeValues = (
  metrics: readonly Metric[],
  { values }: Group,
  totals: readonly (number | undefined)[],
  formats: Formats,
): string[] =>
  metrics.map(({ name, format }, column) =>
    formats.describeValue(name, values[column] ?? null, format, totals[column]),
  );

export const describeAction = (mark: MarkState | undefined, formats: Formats) =>
  mark && formats.formatMessage(mark.action);
