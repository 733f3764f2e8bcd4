import type { ChartTile, Group, ScatterTile } from '@portal-embed/report-model';

import { filterBy } from '../../charts/filter-by.ts';
import { fixDecimals } from '../../format/fix-decimals.ts';
import { useViewer } from '../../viewer-context.ts';
import { DataTable } from './DataTable.tsx';
import { createColumns } from './group-columns.ts';
import { useSelection } from './marks/use-selection.ts';

const pageSize = 50;

/** The values of a chart as a table. */
export function ChartTable({ tile }: { tile: ChartTile | ScatterTile }) {
  const { formats } = useViewer();
  const selection = useSelection(tile.id);
  const dimensions = tile.dimensions.map(({ dimension }) => dimension);
  const columns = createColumns(
    tile.dimensions,
    fixDecimals(
      tile.metrics,
      tile.groups.map(({ values }) => values),
      formats,
    ),
    tile.groups,
    formats,
    tile.type === 'scatter' ? undefined : tile.incompleteKey,
  );
  return (
    <DataTable
      title={tile.title}
      columns={columns}
      rows={tile.groups}
      isLast={({ other }) => other !== undefined}
      pageSize={pageSize}
      findMark={(group) =>
        selection.find(isCombined(group) ? [] : filterBy(dimensions, group.keys))
      }
    />
  );
}

/** Whether a group stands for keys beyond a limit. */
const isCombined = ({ other, otherColors, otherFacets }: Group) =>
  (other ?? otherColors ?? otherFacets) !== undefined;
