import type {
  ChartTile as ChartData,
  ScatterTile as ScatterData,
} from '@portal-embed/report-model';
import type { ReactElement } from 'react';

import type { Palette } from '../../charts/palette.ts';
import { ChartTile } from './ChartTile.tsx';
import { DonutTile } from './DonutTile.tsx';
import { ScatterTile } from './ScatterTile.tsx';

interface DrawnTileProps {
  tile: ChartData | ScatterData;
  palette: Palette;
}

/** A tile that is drawn. */
export function DrawnTile({ tile, palette }: DrawnTileProps): ReactElement {
  switch (tile.type) {
    case 'scatter':
      return <ScatterTile tile={tile} palette={palette} />;
    case 'donut':
      return <DonutTile tile={tile} palette={palette} />;
    case 'line':
    case 'area':
    case 'column':
    case 'bar':
      return <ChartTile tile={tile} palette={palette} />;
  }
}
