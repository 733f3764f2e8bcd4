import type { ChartTile as ChartData } from '@portal-embed/report-model';
import { useMemo, useState } from 'react';

import { describeChart } from '../../charts/describe-chart.ts';
import type { Palette } from '../../charts/palette.ts';
import { readChart, type Chart, type Panel } from '../../charts/read-chart.ts';
import { useViewer } from '../../viewer-context.ts';
import { ChartFigure } from './ChartFigure.tsx';
import { ChartTable } from './ChartTable.tsx';
import { noteChart } from './notes.ts';
import { TableToggle } from './TableToggle.tsx';
import { TileFrame } from './TileFrame.tsx';

/** A chart with a switch to a table of its values. */
export function ChartTile({ tile, palette }: { tile: ChartData; palette: Palette }) {
  const { drawChart, formats } = useViewer();
  const [isTable, setIsTable] = useState(false);
  const chart = useMemo(() => readChart(tile, palette, formats), [tile, palette, formats]);
  const canDraw = drawChart !== null;
  return (
    <TileFrame
      tile={tile}
      notes={noteChart(tile, chart, formats)}
      actions={
        canDraw && (
          <TableToggle title={tile.title} isTable={isTable} onToggle={() => setIsTable(!isTable)} />
        )
      }
    >
      {canDraw && !isTable ? (
        <ChartFigure
          title={tile.title}
          chart={chart}
          text={describeChart(tile, formats)}
          axisNames={(panel) => nameAxes(chart, panel as Panel)}
        />
      ) : (
        <ChartTable tile={tile} />
      )}
    </TileFrame>
  );
}

function nameAxes({ type, stack, x }: Chart, { axis }: Panel) {
  const values = type !== 'line' && stack === 'percent' ? `Share of ${axis}` : axis;
  return type === 'bar' ? { above: `${values} by ${x.name}` } : { above: values, below: x.name };
}
