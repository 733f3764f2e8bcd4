import type { ScatterTile as ScatterData } from '@portal-embed/report-model';
import { useMemo, useState } from 'react';

import { describeChart } from '../../charts/describe-chart.ts';
import type { Palette } from '../../charts/palette.ts';
import { readScatter } from '../../charts/read-scatter.ts';
import { useViewer } from '../../viewer-context.ts';
import { ChartFigure } from './ChartFigure.tsx';
import { ChartTable } from './ChartTable.tsx';
import { noteScatter } from './notes.ts';
import { TableToggle } from './TableToggle.tsx';
import { TileFrame } from './TileFrame.tsx';

export function ScatterTile({ tile, palette }: { tile: ScatterData; palette: Palette }) {
  const { drawChart, formats } = useViewer();
  const [isTable, setIsTable] = useState(false);
  const scatter = useMemo(() => readScatter(tile, palette, formats), [tile, palette, formats]);
  const canDraw = drawChart !== null;
  return (
    <TileFrame
      tile={tile}
      notes={noteScatter(tile, scatter, formats)}
      actions={
        canDraw && (
          <TableToggle title={tile.title} isTable={isTable} onToggle={() => setIsTable(!isTable)} />
        )
      }
    >
      {canDraw && !isTable ? (
        <ChartFigure
          title={tile.title}
          chart={scatter}
          text={describeChart(tile, formats)}
          axisNames={() => ({ above: scatter.y.name, below: scatter.x.name })}
        />
      ) : (
        <ChartTable tile={tile} />
      )}
    </TileFrame>
  );
}
