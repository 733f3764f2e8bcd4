import type { TableTile as TableData } from '@portal-embed/report-model';
import { useState } from 'react';

import { filterBy } from '../../charts/filter-by.ts';
import { fixDecimals } from '../../format/fix-decimals.ts';
import { useViewer } from '../../viewer-context.ts';
import { setSort } from '../filters/change-view.ts';
import { DataTable } from './DataTable.tsx';
import { createColumns } from './group-columns.ts';
import { HighlightedNumber } from './HighlightedNumber.tsx';
import { useSelection } from './marks/use-selection.ts';
import { noteLimit } from './notes.ts';
import { TileFrame } from './TileFrame.tsx';

/** Stays true: a field must not disappear while the reader empties it. */
function useSticky(isTrue: boolean): boolean {
  const [wasTrue, setWasTrue] = useState(isTrue);
  if (isTrue && !wasTrue) setWasTrue(true);
  return isTrue || wasTrue;
}

export function TableTile({ tile }: { tile: TableData }) {
  const { viewer, readerView, formats, chartCode, isPrinting } = useViewer();
  const selection = useSelection(tile.id);
  const { dimensions, groups } = tile;
  const rows = groups.map(({ values }) => values);
  const metrics = fixDecimals(tile.metrics, tile.totals ? [...rows, tile.totals] : rows, formats);
  const isLong = tile.groupCount > tile.pageSize;
  const hasSearch = readerView.searches?.some((search) => search.tile === tile.id) ?? false;
  const isSearched = useSticky(tile.isSearchable === true && (isLong || hasSearch));
  const columns = createColumns(
    dimensions.map((dimension) => ({ dimension })),
    metrics,
    groups,
    formats,
  );
  // The pager says how many rows there are.
  const isPaged = groups.length > tile.pageSize && !isPrinting;
  const totals = tile.totals && [
    ...dimensions.map((_, index) => (index === 0 ? formats.formatMessage('table.total') : '')),
    ...metrics.map((metric, index) => {
      const value = tile.totals![index] ?? null;
      const text = formats.formatNumber(value, metric.format);
      return (
        <HighlightedNumber key={metric.name} metric={metric} value={value} text={text} isTotal />
      );
    }),
  ];
  return (
    <TileFrame tile={tile} notes={isPaged ? [] : noteLimit(tile, formats)}>
      {isSearched && (
        <div className="table-search">{chartCode && <chartCode.TableSearch tile={tile} />}</div>
      )}
      {chartCode && <chartCode.MarkBar tile={tile} dimensions={dimensions} />}
      <DataTable
        title={tile.title}
        columns={columns}
        rows={groups}
        // What the reader has requested, so that a second click reverses it before the rows arrive.
        sort={readerView.sorts.find((sort) => sort.tile === tile.id) ?? tile.sort}
        onSort={(sort) => viewer.changeView(setSort(readerView, { tile: tile.id, ...sort }))}
        pageSize={tile.pageSize}
        rowCount={tile.groupCount}
        totals={totals}
        describe={chartCode?.describeRows(tile, columns, formats)}
        findMark={({ keys }) => selection.find(filterBy(dimensions, keys))}
      />
    </TileFrame>
  );
}
