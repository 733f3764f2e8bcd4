import type { ScatterTile as ScatterData } from '@portal-embed/report-model';
import { useMemo } from 'react';

import type { Palette } from '../../charts/palette.ts';
import { readScatter } from '../../charts/read-scatter.ts';
import { useViewer } from '../../viewer-context.ts';
import { noteScatter } from './notes.ts';
import { ToggledTile } from './ToggledTile.tsx';

export function ScatterTile({ tile, palette }: { tile: ScatterData; palette: Palette }) {
  const { formats } = useViewer();
  const scatter = useMemo(() => readScatter(tile, palette, formats), [tile, palette, formats]);
  return (
    <ToggledTile
      tile={tile}
      notes={noteScatter(tile, scatter, formats)}
      chart={scatter}
      axisNames={() => ({ above: scatter.y.name, below: scatter.x.name })}
    />
  );
}
