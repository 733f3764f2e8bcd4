import type { SeriesTile as Series } from '@portal-embed/report-model';
import { useId, useState } from 'react';

import { useViewer } from '../viewer-context.ts';
import { SeriesChart } from './SeriesChart.tsx';
import { SeriesTable } from './SeriesTable.tsx';

/** A chart with a switch to a table of its values. */
export function SeriesTile({ tile }: { tile: Series }) {
  const { drawSeries, formats } = useViewer();
  const [asTable, setAsTable] = useState(false);
  const titleId = useId();
  return (
    <section className="tile" aria-labelledby={titleId}>
      <div className="tile-header">
        <h2 id={titleId} className="tile-title">
          {tile.title}
        </h2>
        {drawSeries && (
          <button
            type="button"
            className="tile-toggle"
            aria-pressed={asTable}
            aria-label={`Show ${tile.title} as a table`}
            onClick={() => setAsTable(!asTable)}
          >
            Table
          </button>
        )}
      </div>
      {drawSeries && !asTable ? (
        <SeriesChart tile={tile} drawSeries={drawSeries} formats={formats} />
      ) : (
        <SeriesTable tile={tile} />
      )}
    </section>
  );
}
