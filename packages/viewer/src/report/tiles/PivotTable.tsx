import type { PivotTile as PivotData } from '@portal-embed/report-model';
import { useMemo, useState, type ReactNode } from 'react';

import { writeTip } from '../../tips.ts';
import { useViewer } from '../../viewer-context.ts';
import { countLetters } from './count-letters.ts';
import { describeAction } from './describe-rows.ts';
import { HighlightedNumber } from './HighlightedNumber.tsx';
import { MarkButton } from './marks/MarkButton.tsx';
import { isToAdd, useSelection } from './marks/use-selection.ts';
import { Pager } from './Pager.tsx';
import { layOutPivot, type Cell } from './pivot-table.ts';
import { TableScroll } from './TableScroll.tsx';

const rowsPerPage = 50;

/** The rows and columns of a pivot table. */
export function PivotTable({ tile }: { tile: PivotData }) {
  const { formats, chartCode, isPrinting } = useViewer();
  const selection = useSelection(tile.id);
  const [page, setPage] = useState(0);
  const { levels, edges, rows, totals } = useMemo(
    () => layOutPivot(tile, formats),
    [tile, formats],
  );
  const pageSize = isPrinting ? Math.max(rows.length, 1) : rowsPerPage;
  const pages = Math.max(1, Math.ceil(rows.length / pageSize));
  const current = Math.min(page, pages - 1);
  const first = current * pageSize;
  const shown = rows.slice(first, first + pageSize);
  const [metric] = tile.metrics;
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
      {chartCode && <chartCode.MarkBar tile={tile} dimensions={[...tile.rows, ...tile.columns]} />}
      {tile.metrics.length === 1 && <p className="axis-name">{metric!.name}</p>}
      <TableScroll title={tile.title}>
        <table className="pivot">
          <caption className="visually-hidden">{tile.title}</caption>
          <thead>
            {levels.map(({ id: levelId, spans }, level) => (
              <tr key={levelId}>
                {level === 0 &&
                  tile.rows.map((dimension, position) => {
                    const name = formats.nameDimension(dimension);
                    const texts = [name, ...shown.map(({ names }) => names[position]!.text)];
                    return (
                      <th
                        key={dimension.name}
                        scope="col"
                        rowSpan={levels.length}
                        data-letters={countLetters(texts)}
                      >
                        {name}
                      </th>
                    );
                  })}
                {spans.map(({ id, text, span, start, filters }) => (
                  <th
                    key={id}
                    className="number"
                    scope={span > 1 ? 'colgroup' : 'col'}
                    colSpan={span}
                    data-group={level < levels.length - 1}
                    data-edge={edges.has(start)}
                    data-letters={countLetters([text])}
                  >
                    {renderText(text, filters)}
                  </th>
                ))}
              </tr>
            ))}
          </thead>
          <tbody>
            {shown.map(({ id: rowId, names, cells }, row) => (
              <tr key={rowId}>
                {names.map(({ id, text, filters }, position) => (
                  <th key={id} scope="row" data-faint={selection.find(filters)?.isFaint}>
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
          first={first + 1}
          last={first + shown.length}
          total={rows.length}
          page={current}
          pages={pages}
          onChange={setPage}
        />
      )}
    </>
  );
}
