import type { PivotTile as PivotData } from '@portal-embed/report-model';
import { useMemo, useRef, useState, type ReactNode } from 'react';

import { useFullHeight } from '../../full-view.tsx';
import { writeTip } from '../../tips.ts';
import { useViewer } from '../../viewer-context.ts';
import { setSort } from '../filters/change-view.ts';
import { describeAction } from './describe-rows.ts';
import { hasLongWord } from './has-long-word.ts';
import { HighlightedNumber } from './HighlightedNumber.tsx';
import { MarkButton } from './marks/MarkButton.tsx';
import { isToAdd, useSelection } from './marks/use-selection.ts';
import { Pager } from './Pager.tsx';
import { layOutPivot, type Cell, type PivotRow, type Span } from './pivot-table.ts';
import { TableScroll } from './TableScroll.tsx';

const rowsPerPage = 50;

/** Subtotals are not counted, as the note of a limit does not. */
const countRows = (rows: readonly PivotRow[]): number =>
  rows.filter(({ isSubtotal }) => !isSubtotal).length;

type SortColumn = Omit<NonNullable<Span['sort']>, 'label'>;

/** The rows and columns of a pivot table. */
export function PivotTable({ tile }: { tile: PivotData }) {
  const { viewer, readerView, formats, chartCode, isPrinting } = useViewer();
  const selection = useSelection(tile.id);
  const [page, setPage] = useState(0);
  const { levels, edges, totalColumns, rows, totals } = useMemo(
    () => layOutPivot(tile, formats),
    [tile, formats],
  );
  const table = useRef<HTMLTableElement>(null);
  const isFull = useFullHeight() !== undefined;
  const [fitting, setFitting] = useState(rowsPerPage);
  const fullSize = isFull ? fitting : rowsPerPage;
  const pageSize = isPrinting ? Math.max(rows.length, 1) : fullSize;
  const pages = Math.max(1, Math.ceil(rows.length / pageSize));
  const current = Math.min(page, pages - 1);
  const first = current * pageSize;
  const shown = rows.slice(first, first + pageSize);
  const [rowCount, countBefore, shownCount] = [rows, rows.slice(0, first), shown].map(countRows);
  const [metric] = tile.metrics;
  // What the reader has requested, so that a second click reverses it before the rows arrive.
  const sort = readerView.sorts.find((each) => each.tile === tile.id) ?? tile.sort;
  const isSortable = !tile.isUnsortable && !isPrinting;
  const isSortedBy = ({ column, keys = [] }: SortColumn) =>
    sort?.column === column && JSON.stringify(sort.keys ?? []) === JSON.stringify(keys);
  const sortBy = ({ column, keys }: SortColumn) => {
    // Rows ascend by their names if nothing is sorted.
    const isFirst = column >= tile.rows.length || !sort;
    const descending = sort && isSortedBy({ column, keys }) ? !sort.descending : isFirst;
    const chosen = { tile: tile.id, column, descending, ...(keys && { keys }) };
    viewer.changeView(setSort(readerView, chosen));
    setPage(0);
  };
  const directionOf = (column: SortColumn | undefined) => {
    if (!sort || tile.isUnsortable || !column || !isSortedBy(column)) return undefined;
    return sort.descending ? 'descending' : 'ascending';
  };
  const renderSort = (column: Span['sort']) =>
    isSortable && column ? (
      <button
        type="button"
        className="sort sort-sign"
        aria-label={formats.formatMessage('table.sort', { column: column.label })}
        onClick={() => sortBy(column)}
      />
    ) : null;
  const renderText = (text: ReactNode, filters: Cell['filters'], isTabStop = false) => {
    const found = selection.find(filters);
    // Chromium leaves buttons out of the headers that it repeats on each sheet.
    if (!found || isPrinting) return text;
    return (
      <MarkButton
        mark={found}
        isTabStop={isTabStop}
        onClick={(event) => found.toggle(isToAdd(event))}
        onKeyDown={chartCode?.moveFocus}
      >
        {text}
      </MarkButton>
    );
  };
  return (
    <>
      {isFull && chartCode && <chartCode.FitRows table={table} onFit={setFitting} />}
      {chartCode && <chartCode.MarkBar tile={tile} dimensions={[...tile.rows, ...tile.columns]} />}
      {tile.metrics.length === 1 && <p className="axis-name">{metric!.name}</p>}
      <TableScroll title={tile.title}>
        <table ref={table} className="pivot">
          <caption className="visually-hidden">{tile.title}</caption>
          <thead>
            {levels.map(({ id: levelId, spans }, level) => (
              <tr key={levelId}>
                {level === 0 &&
                  tile.rows.map((dimension, position) => {
                    const name = formats.nameDimension(dimension);
                    return (
                      <th
                        key={dimension.name}
                        scope="col"
                        rowSpan={levels.length}
                        data-long={hasLongWord(name)}
                        aria-sort={directionOf({ column: position })}
                      >
                        {isSortable ? (
                          <button
                            type="button"
                            className="sort"
                            onClick={() => sortBy({ column: position })}
                          >
                            {name}
                          </button>
                        ) : (
                          name
                        )}
                      </th>
                    );
                  })}
                {spans.map(({ id, text, span, depth, start, filters, sort: column }) => (
                  <th
                    key={id}
                    className="number"
                    scope={span > 1 ? 'colgroup' : 'col'}
                    colSpan={span}
                    rowSpan={depth}
                    data-group={level + depth < levels.length}
                    data-total={totalColumns.has(start + span - 1) && totalColumns.has(start)}
                    aria-sort={directionOf(column)}
                    // Without the name of its button, which screen readers would repeat for each cell.
                    aria-label={isSortable && column ? text : undefined}
                    data-edge={edges.has(start)}
                    data-long={hasLongWord(text)}
                  >
                    {renderText(text, filters)}
                    {renderSort(column)}
                  </th>
                ))}
              </tr>
            ))}
          </thead>
          <tbody>
            {shown.map(({ id: rowId, names, cells, isSubtotal }, row) => (
              <tr key={rowId} data-total={isSubtotal}>
                {names.map(({ id, text, filters }, position) => (
                  <th
                    key={id}
                    scope="row"
                    colSpan={
                      position === names.length - 1 ? tile.rows.length - position : undefined
                    }
                    data-long={hasLongWord(text)}
                    data-faint={selection.find(filters)?.isFaint}
                  >
                    {renderText(text, filters, row + position === 0)}
                  </th>
                ))}
                {cells.map(({ id, text, filters, highlight, tip }, position) => (
                  <td
                    key={id}
                    className="number"
                    data-tip={
                      tip && writeTip(tip, describeAction(selection.find(filters), formats))
                    }
                    data-edge={edges.has(position)}
                    data-total={totalColumns.has(position)}
                    data-faint={selection.find(filters)?.isFaint}
                  >
                    {renderText(
                      highlight ? <HighlightedNumber {...highlight} text={text} /> : text,
                      filters,
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          {totals && (
            <tfoot>
              <tr>
                <th scope="row" colSpan={tile.rows.length}>
                  {formats.formatMessage('table.total')}
                </th>
                {totals.map(({ id, text, highlight }, position) => (
                  <td key={id} className="number" data-edge={edges.has(position)}>
                    {highlight ? <HighlightedNumber {...highlight} text={text} /> : text}
                  </td>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      </TableScroll>
      {pages > 1 && (
        <Pager
          title={tile.title}
          // A page can begin with the subtotals of the row before it.
          first={countBefore! + Math.min(1, shownCount!)}
          last={countBefore! + shownCount!}
          total={rowCount!}
          page={current}
          pages={pages}
          onChange={setPage}
        />
      )}
    </>
  );
}
