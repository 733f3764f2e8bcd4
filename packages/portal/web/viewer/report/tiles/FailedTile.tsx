import type { FailedTile as Failed } from '@portal-embed/report-model';

import { TileFrame } from './TileFrame.tsx';

/** A tile without numbers, and why. The other tiles are not affected. */
export const FailedTile = ({ tile }: { tile: Failed }) => (
  <TileFrame tile={tile}>
    <p className="tile-failure" role="note">
      {tile.failure}
    </p>
  </TileFrame>
);
