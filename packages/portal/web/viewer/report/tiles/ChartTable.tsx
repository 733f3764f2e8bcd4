import type { ChartTile, ScatterTile } from '@portal-embed/report-model';

import { useViewer } from '../../viewer-context.ts';
import { DataTable } from './DataTable.tsx';
import { createColumns } from './group-columns.ts';

const pageSize = 50;

/** The values of a chart as a table. */
export function ChartTable({ tile }: { tile: ChartTile | ScatterTile }) {
  const { formats } = useViewer();
  const columns = createColumns(
    tile.dimensions,
    tile.metrics,
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
    />
  );
}
