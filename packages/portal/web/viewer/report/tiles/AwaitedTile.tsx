import type { ChartTile, ScatterTile } from '@portal-embed/report-model';

import type { Palette } from '../../charts/palette.ts';
import { useViewer } from '../../viewer-context.ts';
import { ChartTable } from './ChartTable.tsx';
import { TileFrame } from './TileFrame.tsx';

interface AwaitedTileProps {
  tile: ChartTile | ScatterTile;
  palette: Palette;
}

/** A tile whose code may not have loaded: an empty box until then, or a table if that failed. */
export function AwaitedTile({ tile, palette }: AwaitedTileProps) {
  const { chartCode } = useViewer();
  if (chartCode) return <chartCode.DrawnTile tile={tile} palette={palette} />;
  return (
    <TileFrame tile={tile}>
      {chartCode === null ? <ChartTable tile={tile} /> : <div className="drawing-awaited" />}
    </TileFrame>
  );
}
