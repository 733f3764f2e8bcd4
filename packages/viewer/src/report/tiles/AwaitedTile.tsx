import type { ChartTile, ScatterTile } from '@portal-embed/report-model';

import type { Palette } from '../../charts/palette.ts';
import { useViewer } from '../../viewer-context.ts';
import { ChartTable } from './ChartTable.tsx';
import { TileFrame } from './TileFrame.tsx';

interface AwaitedTileProps {
  tile: ChartTile | ScatterTile;
  palette: Palette;
}

/** A chart: an empty box until the code of charts has loaded, or a table if loading failed. */
export function AwaitedTile({ tile, palette }: AwaitedTileProps) {
  const { chartCode } = useViewer();
  if (chartCode) return <chartCode.DrawnTile tile={tile} palette={palette} />;
  return (
    <TileFrame tile={tile}>
      {chartCode === null ? <ChartTable tile={tile} /> : <div className="drawing-awaited" />}
    </TileFrame>
  );
}
