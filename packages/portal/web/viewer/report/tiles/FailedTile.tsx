import type { FailedTile as Failed } from '@portal-embed/report-model';

import { TileFrame } from './TileFrame.tsx';

/** Shows why a tile has no numbers. */
export const FailedTile = ({ tile }: { tile: Failed }) => (
  <TileFrame tile={tile}>
    <p className="tile-failure" role="note">
      {tile.failure}
    </p>
  </TileFrame>
);
