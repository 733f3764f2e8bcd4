import type { PivotTile as PivotData } from '@portal-embed/report-model';
import { useMemo, useState } from 'react';

import { useViewer } from '../../viewer-context.ts';
import { noteLimit } from './notes.ts';
import { Pager } from './Pager.tsx';
import { layOutPivot } from './pivot-table.ts';
import { TileFrame } from './TileFrame.tsx';

const pageSize = 50;

export function PivotTile({ tile }: { tile: PivotData }) {
  const { formats } = useViewer();
  const [page, setPage] = useState(0);
  const { levels, rows, totals } = useMemo(() => layOutPivot(tile, formats), [tile, formats]);
  const pages = Math.max(1, Math.ceil(rows.length / pageSize));
  const current = Math.min(page, pages - 1);
  const first = current * pageSize;
  const shown = rows.slice(first, first + pageSize);
  const [metric] = tile.metrics;
  return (
    <TileFrame tile={tile} notes={noteLimit(tile, formats)}>
      {tile.metrics.length === 1 && <p className="axis-name">{metric!.name}</p>}
      <div className="table-scroll">
        <table className="pivot">
          <caption className="visually-hidden">{tile.title}</caption>
          <thead>
            {levels.map(({ id: levelId, spans }, level) => (
              <tr key={levelId}>
                {level === 0 &&
                  tile.rows.map(({ name }) => (
                    <th key={name} scope="col" rowSpan={levels.length}>
                      {name}
                    </th>
                  ))}
                {spans.map(({ id, text, span }) => (
                  <th
                    key={id}
                    className="number"
                    scope={span > 1 ? 'colgroup' : 'col'}
                    colSpan={span}
                  >
                    {text}
                  </th>
                ))}
              </tr>
            ))}
          </thead>
          <tbody>
            {shown.map(({ id: rowId, names, cells }) => (
              <tr key={rowId}>
                {names.map(({ id, text }) => (
                  <th key={id} scope="row">
                    {text}
                  </th>
                ))}
                {cells.map(({ id, text }) => (
                  <td key={id} className="number">
                    {text}
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
                {totals.map(({ id, text }) => (
                  <td key={id} className="number">
                    {text}
                  </td>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      </div>
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
    </TileFrame>
  );
}
