import type { PivotTile as PivotData } from '@portal-embed/report-model';
import { Suspense } from 'react';

import { lazyPart } from '../../lazy-part.tsx';
import { useViewer } from '../../viewer-context.ts';
import { noteLimit } from './notes.ts';
import { TileFrame } from './TileFrame.tsx';

const PivotTable = lazyPart(() => import('./PivotTable.tsx').then((module) => module.PivotTable));

/** A pivot table. Its code loads when a page has one. */
export function PivotTile({ tile }: { tile: PivotData }) {
  const { formats } = useViewer();
  const notes = [
    ...noteLimit(tile, formats),
    ...(tile.isUnsortable ? [formats.formatMessage('note.unsortable')] : []),
  ];
  return (
    <TileFrame tile={tile} notes={notes}>
      <Suspense fallback={<div className="drawing-awaited" />}>
        <PivotTable tile={tile} />
      </Suspense>
    </TileFrame>
  );
}
