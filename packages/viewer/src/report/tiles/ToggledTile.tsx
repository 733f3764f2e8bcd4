import type { ChartTile, ScatterTile } from '@portal-embed/report-model';
import { useState, type ComponentProps } from 'react';

import { describeChart } from '../../charts/describe-chart.ts';
import { useViewer } from '../../viewer-context.ts';
import { ChartFigure } from './ChartFigure.tsx';
import { ChartTable } from './ChartTable.tsx';
import { MarkBar } from './marks/MarkBar.tsx';
import { MarkPath } from './marks/MarkPath.tsx';
import { TableToggle } from './TableToggle.tsx';
import { TileFrame } from './TileFrame.tsx';

/** A chart, with a button that shows its values as a table. */
export function ToggledTile({
  tile,
  notes,
  selectedText,
  ...figure
}: {
  tile: ChartTile | ScatterTile;
  notes: readonly string[];
  /** The selected mark with its values. */
  selectedText: string | undefined;
} & Omit<ComponentProps<typeof ChartFigure>, 'title' | 'text'>) {
  const { formats } = useViewer();
  const [isTable, setIsTable] = useState(false);
  return (
    <TileFrame
      tile={tile}
      notes={notes}
      actions={
        <TableToggle title={tile.title} isTable={isTable} onToggle={() => setIsTable(!isTable)} />
      }
    >
      <MarkPath tile={tile} />
      {isTable ? (
        <ChartTable tile={tile} />
      ) : (
        <ChartFigure title={tile.title} text={describeChart(tile, formats)} {...figure} />
      )}
      <MarkBar
        tile={tile}
        dimensions={tile.dimensions.map(({ dimension }) => dimension)}
        text={selectedText}
      />
    </TileFrame>
  );
}
