import type {
  ChartTile as ChartData,
  ScatterTile as ScatterData,
} from '@portal-embed/report-model';

import type { Palette } from '../../charts/palette.ts';
import { ChartTile } from './ChartTile.tsx';
import { DonutTile } from './DonutTile.tsx';
import { ScatterTile } from './ScatterTile.tsx';

/** A tile that is drawn. */
export function DrawnTile({ tile, palette }: { tile: ChartData | ScatterData; palette: Palette }) {
  if (tile.type === 'scatter') return <ScatterTile tile={tile} palette={palette} />;
  if (tile.type === 'donut') return <DonutTile tile={tile} palette={palette} />;
  return <ChartTile tile={tile} palette={palette} />;
}
