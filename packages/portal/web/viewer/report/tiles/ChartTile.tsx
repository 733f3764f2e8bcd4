import type { ChartTile as ChartData } from '@portal-embed/report-model';
import { useMemo } from 'react';

import type { Palette } from '../../charts/palette.ts';
import { readChart, type Chart, type Panel } from '../../charts/read-chart.ts';
import type { Formats } from '../../format/create-formats.ts';
import { useViewer } from '../../viewer-context.ts';
import { noteChart } from './notes.ts';
import { ToggledTile } from './ToggledTile.tsx';

export function ChartTile({ tile, palette }: { tile: ChartData; palette: Palette }) {
  const { formats } = useViewer();
  const chart = useMemo(() => readChart(tile, palette, formats), [tile, palette, formats]);
  return (
    <ToggledTile
      tile={tile}
      notes={noteChart(tile, chart, formats)}
      chart={chart}
      axisNames={(panel) => nameAxes(chart, panel as Panel, formats)}
    />
  );
}

function nameAxes({ type, stack, x }: Chart, { axis: metric }: Panel, { formatMessage }: Formats) {
  const hasShares = type !== 'line' && stack === 'percent';
  if (type === 'bar') {
    const key = hasShares ? 'axis.share_by' : 'axis.by';
    return { above: formatMessage(key, { metric, dimension: x.name }) };
  }
  return { above: hasShares ? formatMessage('axis.share', { metric }) : metric, below: x.name };
}
