import type {
  ComputedPage,
  FailedTile as Failed,
  Tile as TileData,
} from '@portal-embed/report-model';
import { useEffect, useMemo, type ReactElement } from 'react';

import { createPalette, type KnownColors, type Palette } from '../../charts/palette.ts';
import { FullView } from '../../full-view.tsx';
import { useViewer } from '../../viewer-context.ts';
import { AwaitedTile } from './AwaitedTile.tsx';
import { FailedTile } from './FailedTile.tsx';
import { fitNumbers } from './fit-numbers.ts';
import { KpiTile } from './KpiTile.tsx';
import { PivotTile } from './PivotTile.tsx';
import { TableTile } from './TableTile.tsx';
import { TextTile } from './TextTile.tsx';
import { TileBoundary } from './TileBoundary.tsx';
import { nameTile } from './title.ts';

/** The tiles of a page, in rows of twelve columns. */
export function Tiles({
  rows: given,
  colors,
}: Pick<ComputedPage, 'rows'> & { colors: KnownColors }) {
  const { chartCode, formats } = useViewer();
  const rows = useMemo(
    () => given.map((tiles) => tiles.map((tile) => nameTile(tile, formats))),
    [given, formats],
  );
  const palette = useMemo(() => createPalette(rows, colors), [rows, colors]);
  useEffect(() => chartCode?.showTips(), [chartCode]);
  return rows.map((tiles) => (
    <div key={tiles[0]?.id} className="tiles" {...fitNumbers(tiles, formats)}>
      {tiles.map((tile) => (
        <TileBoundary key={tile.id} tile={tile}>
          <FullView>
            <Tile tile={tile} palette={palette} />
          </FullView>
        </TileBoundary>
      ))}
    </div>
  ));
}

interface TileProps {
  tile: TileData | Failed;
  palette: Palette;
}

function Tile({ tile, palette }: TileProps): ReactElement {
  if ('failure' in tile) return <FailedTile tile={tile} />;
  switch (tile.type) {
    case 'kpi':
      return <KpiTile tile={tile} />;
    case 'table':
      return <TableTile tile={tile} />;
    case 'pivot':
      return <PivotTile tile={tile} />;
    case 'text':
      return <TextTile tile={tile} />;
    case 'line':
    case 'area':
    case 'column':
    case 'bar':
    case 'scatter':
    case 'donut':
      return <AwaitedTile tile={tile} palette={palette} />;
  }
}
