import type { Tile } from '../../wire/viewer.ts';
import { KpiTile } from './KpiTile.tsx';
import { SeriesTile } from './SeriesTile.tsx';

export const Tiles = ({ tiles }: { tiles: Tile[] }) => (
  <div className="tiles">
    {tiles.map((tile) =>
      tile.mark === 'kpi' ? (
        <KpiTile key={tile.id} tile={tile} />
      ) : (
        <SeriesTile key={tile.id} tile={tile} />
      ),
    )}
  </div>
);
