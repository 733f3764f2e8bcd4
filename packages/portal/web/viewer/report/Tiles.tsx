import type { Tile } from '@portal-embed/report-model';

import { KpiTile } from './KpiTile.tsx';
import { SeriesTile } from './SeriesTile.tsx';

/** Key figures in a row, and the charts below. */
export const Tiles = ({ tiles }: { tiles: Tile[] }) => (
  <>
    <div className="tiles">
      {tiles.map((tile) => tile.mark === 'kpi' && <KpiTile key={tile.id} tile={tile} />)}
    </div>
    <div className="tiles">
      {tiles.map((tile) => tile.mark !== 'kpi' && <SeriesTile key={tile.id} tile={tile} />)}
    </div>
  </>
);
