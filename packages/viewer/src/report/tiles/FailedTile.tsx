import type { FailedTile as Failed } from '@portal-embed/report-model';

import { useViewer } from '../../viewer-context.ts';
import { TileFrame } from './TileFrame.tsx';

/** Shows why a tile has no numbers. */
export function FailedTile({ tile }: { tile: Failed }) {
  const { formatMessage } = useViewer().formats;
  const { code, ...values } = tile.failure;
  return (
    <TileFrame tile={tile}>
      <p className="tile-failure" role="note">
        {formatMessage(`tile.failure.${code}`, values)}
      </p>
    </TileFrame>
  );
}
