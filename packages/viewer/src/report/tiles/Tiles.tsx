import type {
  ComputedPage,
  FailedTile as Failed,
  Tile as TileData,
} from '@portal-embed/report-model';
import { useMemo } from 'react';

import { createPalette, type KnownColors, type Palette } from '../../charts/palette.ts';
import { AwaitedTile } from './AwaitedTile.tsx';
import { FailedTile } from './FailedTile.tsx';
import { KpiTile } from './KpiTile.tsx';
import { PivotTile } from './PivotTile.tsx';
import { TableTile } from './TableTile.tsx';
import { TextTile } from './TextTile.tsx';
import { TileBoundary } from './TileBoundary.tsx';

/** The tiles of a page, in rows of twelve columns. */
export function Tiles({ rows, colors }: Pick<ComputedPage, 'rows'> & { colors: KnownColors }) {
  const palette = useMemo(() => createPalette(rows, colors), [rows, colors]);
  return rows.map((tiles) => (
    <div key={tiles[0]?.id} className="tiles">
      {tiles.map((tile) => (
        <TileBoundary key={tile.id} tile={tile}>
          <Tile tile={tile} palette={palette} />
        </TileBoundary>
      ))}
    </div>
  ));
}

function Tile({ tile, palette }: { tile: TileData | Failed; palette: Palette }) {
  if ('failure' in tile) return <FailedTile tile={tile} />;
  if (tile.type === 'kpi') return <KpiTile tile={tile} />;
  if (tile.type === 'table') return <TableTile tile={tile} />;
  if (tile.type === 'pivot') return <PivotTile tile={tile} />;
  if (tile.type === 'text') return <TextTile tile={tile} />;
  return <AwaitedTile tile={tile} palette={palette} />;
}
