import type { ChartTile as ChartData } from '@portal-embed/report-model';
import { useMemo } from 'react';

import type { Palette } from '../../charts/palette.ts';
import { readChart, type Chart, type Panel } from '../../charts/read-chart.ts';
import { useViewer } from '../../viewer-context.ts';
import { DrawnTile } from './DrawnTile.tsx';
import { noteChart } from './notes.ts';

export function ChartTile({ tile, palette }: { tile: ChartData; palette: Palette }) {
  const { formats } = useViewer();
  const chart = useMemo(() => readChart(tile, palette, formats), [tile, palette, formats]);
  return (
    <DrawnTile
      tile={tile}
      notes={noteChart(tile, chart, formats)}
      chart={chart}
      axisNames={(panel) => nameAxes(chart, panel as Panel)}
    />
  );
}

function nameAxes({ type, stack, x }: Chart, { axis }: Panel) {
  const values = type !== 'line' && stack === 'percent' ? `Share of ${axis}` : axis;
  return type === 'bar' ? { above: `${values} by ${x.name}` } : { above: values, below: x.name };
}
