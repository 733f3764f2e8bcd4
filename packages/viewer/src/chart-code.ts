import type { ChartTile, ScatterTile } from '@portal-embed/report-model';
import type { ComponentProps, ComponentType, KeyboardEvent } from 'react';

import type { Palette } from './charts/palette.ts';
import { DrawnTile } from './report/tiles/DrawnTile.tsx';
import { MarkBar } from './report/tiles/marks/MarkBar.tsx';
import { moveFocus } from './report/tiles/marks/move-focus.ts';
import { SelectedMarks } from './report/tiles/marks/SelectedMarks.tsx';

/** Code that loads after numbers and tables are shown: charts, and the selection of marks. */
export interface ChartCode {
  DrawnTile: ComponentType<{ tile: ChartTile | ScatterTile; palette: Palette }>;
  MarkBar: ComponentType<ComponentProps<typeof MarkBar>>;
  SelectedMarks: ComponentType<ComponentProps<typeof SelectedMarks>>;
  moveFocus: (event: KeyboardEvent<HTMLButtonElement>) => void;
}

export const chartCode: ChartCode = { DrawnTile, MarkBar, SelectedMarks, moveFocus };
