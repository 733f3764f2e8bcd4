import type { ScatterTile as ScatterData } from '@portal-embed/report-model';
import { useMemo } from 'react';

import { emphasizePoints } from '../../charts/emphasize.ts';
import type { Palette } from '../../charts/palette.ts';
import { readScatter } from '../../charts/read-scatter.ts';
import { useViewer } from '../../viewer-context.ts';
import { noteScatter } from './chart-notes.ts';
import { useMarks } from './marks/use-marks.ts';
import { ToggledTile } from './ToggledTile.tsx';

export function ScatterTile({ tile, palette }: { tile: ScatterData; palette: Palette }) {
  const { formats } = useViewer();
  const read = useMemo(() => readScatter(tile, palette, formats), [tile, palette, formats]);
  const describe = (point: number) =>
    read.marks[point]!.title.split('\n').map(formats.isolate).join(' · ');
  const { emphasisOf, selectedText, ...marks } = useMarks(tile, read.marks, describe);
  const scatter = useMemo(() => emphasizePoints(read, emphasisOf), [read, emphasisOf]);
  return (
    <ToggledTile
      tile={tile}
      notes={noteScatter(tile, scatter, formats)}
      chart={scatter}
      marks={marks}
      selectedText={selectedText}
      axisNames={() => ({ above: scatter.y.name, below: scatter.x.name })}
    />
  );
}
